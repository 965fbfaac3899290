import { BRAND_ROLES, type BrandRole, hasRole, type MadeRight, type Member, type Output } from '@cds/contracts';
import { day } from '../foundation/format.js';
import { errorAt, type Shown } from '../foundation/problems.js';
import { ROLE_WORDS } from './words.js';

export const MEMBER_FIELDS = {
  email: { field: 'email', label: 'Email' },
  role: { field: 'role', label: 'Role' },
} as const;

export type Invited = { email: string; role: string };

export const NOBODY: Invited = { email: '', role: 'member' };

const roleOptions = () => BRAND_ROLES.map((role) => ({ value: role, label: ROLE_WORDS[role]?.label ?? role }));

export const membersModel = (
  members: readonly Member[],
  me: { personId: string; role: BrandRole },
  invited: Invited,
  shown: Shown,
  token: (path: string) => string,
) => ({
  ...shown,
  mayChange: hasRole(me.role, 'owner'),
  roles: BRAND_ROLES.map((role) => ({ label: ROLE_WORDS[role]?.label ?? role, help: ROLE_WORDS[role]?.help ?? '' })),
  members: members.map((member) => ({
    id: member.id,
    email: member.email,
    name: member.name,
    you: member.person_id === me.personId,
    role: ROLE_WORDS[member.role]?.label ?? member.role,
    state: member.joined_at === null ? { kind: 'warn', label: 'Invited' } : { kind: 'good', label: 'Joined' },
    since: day(member.joined_at ?? member.invited_at),
    roleField: { name: `role`, value: member.role, options: roleOptions() },
    changeAction: `/developers/members/${member.id}/role`,
    changeToken: token(`/developers/members/${member.id}/role`),
    removeHref: `/developers/members/${member.id}/remove`,
  })),
  email: {
    name: 'email',
    label: 'Email',
    type: 'email',
    autocomplete: 'off',
    value: invited.email,
    error: errorAt(shown.problems, 'email'),
  },
  role: {
    name: 'role',
    label: 'Role',
    value: invited.role,
    options: roleOptions(),
    error: errorAt(shown.problems, 'role'),
  },
});

const RIGHT_WORDS: Readonly<Record<MadeRight['kind'], string>> = {
  client: 'Signed-in client',
  invitation: 'Invitation of',
  key: 'Key',
  member: 'Member',
  webhook: 'Webhook endpoint at',
};

export const rightsOf = (rights: readonly MadeRight[]): string[] =>
  rights.map(({ kind, name }) => `${RIGHT_WORDS[kind]} ${kind === 'key' || kind === 'client' ? `“${name}”` : name}`);

/** What a confirmation says of what a member made: what ends with it, and what stays unless the box is ticked. */
export const rightsShown = ({ ended, stays }: Output<'member_rights'>) => ({
  lists: [
    ...(ended.length === 0 ? [] : [{ title: 'Ends with it', items: rightsOf(ended) }]),
    ...(stays.length === 0 ? [] : [{ title: 'Stays, since it is the company’s', items: rightsOf(stays) }]),
  ],
  choice: stays.some(({ kind }) => kind === 'key' || kind === 'webhook')
    ? {
        name: 'end_made',
        legend: 'What stays',
        options: [
          {
            value: 'yes',
            label: 'End their keys and webhook endpoints too',
            help: 'They have seen the secrets. Revokes the keys and removes the webhook endpoints, for good.',
            checked: false,
          },
        ],
      }
    : null,
});
