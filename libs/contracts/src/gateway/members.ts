import { z } from 'zod';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { booleanInput, closed, emailInput, oneOf, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { ofPeople } from '../operation-kinds.js';
import { BRAND_ROLES } from '../roles.js';
import { rights } from './made-rights.js';

/** A member of a brand, or an invited one while `joined_at` is null (docs/domain/sign-in.md#members). */
export const Member = z
  .object({
    id: Uuid,
    person_id: Uuid,
    email: publicText(),
    name: publicText(),
    role: z.enum(BRAND_ROLES),
    invited_at: Timestamp,
    joined_at: Timestamp.nullable(),
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof Member>;

const ChangedMember = Member.extend(rights()).meta({ id: 'ChangedMember' });
export type ChangedMember = z.infer<typeof ChangedMember>;

const endMade = () =>
  booleanInput()
    .optional()
    .describe('Also revokes the keys and removes the webhook endpoints that they made. Default: false.');

const memberParams = closed({ id: uuidInput().describe('The member id.') });
const ownerWrites = {
  ...ofPeople,
  atLeast: 'owner',
  effect: 'write',
  idempotency: 'required',
} as const;

export const memberOperations = defineOperations('gateway', {
  members_list: {
    ...ofPeople,
    rest: { method: 'GET', path: '/api/brand/members', root: 'app' },
    atLeast: 'viewer',
    effect: 'read',
    summary: "Lists the brand's members and invitations, oldest first.",
    output: z.object({ members: z.array(Member) }),
  },
  member_invite: {
    ...ownerWrites,
    rest: { method: 'POST', path: '/api/brand/members', root: 'app' },
    summary: 'Invites an address. Its reader becomes a member by signing in.',
    body: closed({ email: emailInput(), role: oneOf(BRAND_ROLES) }),
    output: Member,
    success: 201,
    conflicts: ['already_member'],
  },
  member_rights: {
    ...ofPeople,
    rest: { method: 'GET', path: '/api/brand/members/{id}/rights', root: 'app' },
    atLeast: 'owner',
    effect: 'read',
    summary: 'Lists what a member made: what would end with a removal or a lower role, and what would stay.',
    params: memberParams,
    query: closed({ role: oneOf(BRAND_ROLES).optional().describe('The role that they would have. Default: none.') }),
    output: z.object(rights()).meta({ id: 'MemberRights' }),
  },
  member_change: {
    ...ownerWrites,
    rest: { method: 'PATCH', path: '/api/brand/members/{id}', root: 'app' },
    // Keys that end with it change after the commit, also when a crash left that to a replay.
    ownRecord: true,
    summary: "Changes a member's role from the next request on. What the new role could not have made ends.",
    params: memberParams,
    body: closed({ role: oneOf(BRAND_ROLES), end_made: endMade() }),
    output: ChangedMember,
    conflicts: ['last_owner'],
  },
  member_remove: {
    ...ownerWrites,
    rest: { method: 'DELETE', path: '/api/brand/members/{id}', root: 'app' },
    ownRecord: true,
    summary: 'Removes a member or an invitation, with its sessions, clients and invitations in the brand.',
    params: memberParams,
    output: ChangedMember,
    conflicts: ['last_owner'],
  },
  member_remove_all: {
    ...ownerWrites,
    rest: { method: 'POST', path: '/api/brand/members/{id}/remove-all', root: 'app' },
    ownRecord: true,
    summary: 'Removes a member as member_remove does, and the keys and webhook endpoints that they made.',
    params: memberParams,
    output: ChangedMember,
    conflicts: ['last_owner'],
  },
});
