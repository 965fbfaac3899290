import { BRAND_ROLES, hasRole, notFound } from '@cds/contracts';
import type { Form } from '../foundation/form.js';
import { need } from '../foundation/need.js';
import { page, seeOther } from '../foundation/page.js';
import { NOTHING_WRONG, type Shown, shownOf } from '../foundation/problems.js';
import { type SessionVisit, sessionForm, sessionPage } from '../foundation/session.js';
import type { Answer, Route } from '../port.js';
import { doneOf } from './keys-page.js';
import { type Invited, MEMBER_FIELDS, membersModel, NOBODY, rightsShown } from './members-model.js';
import { ROLE_WORDS } from './words.js';

const PATH = '/developers/members';

const membersPage = async (visit: SessionVisit, invited: Invited, shown: Shown, status = 200): Promise<Answer> => {
  const { members } = need(await visit.call('members_list'));
  const me = { personId: visit.me.person.id, role: visit.me.role };
  return page(
    'developers/members',
    {
      ...visit.frame('Members', PATH),
      ...membersModel(members, me, invited, shown, visit.token),
      done: doneOf(visit),
      action: PATH,
      token: visit.token(PATH),
    },
    { status },
  );
};

const memberRights = async (visit: SessionVisit, role?: string) => {
  const [listed, rights] = await Promise.all([
    visit.call('members_list'),
    visit.call('member_rights', { params: { id: visit.params['id'] }, query: role === undefined ? {} : { role } }),
  ]);
  const member = need(listed).members.find(({ id }) => id === visit.params['id']);
  if (member === undefined) throw notFound('member');
  return { member, rights: need(rights) };
};

const confirmPage = (visit: SessionVisit, confirm: Record<string, unknown>): Answer => {
  const action = visit.request.path;
  return page('confirm', {
    ...visit.frame(String(confirm['title']), PATH),
    width: 'narrow',
    confirm: { level: 'h1', action, token: visit.token(action), back: PATH, ...confirm },
  });
};

const removePage = async (visit: SessionVisit): Promise<Answer> => {
  const { member, rights } = await memberRights(visit);
  return confirmPage(visit, {
    id: 'remove',
    title: `Remove ${member.email}?`,
    text: 'Their sessions, clients and open invitations in this company end at once.',
    ...rightsShown(rights),
    submit: 'Remove',
    cancel: 'Keep',
  });
};

/** Changes a role. One that ends something, or leaves keys with somebody who may not make any, is confirmed first. */
const changeRole = async (visit: SessionVisit, form: Form, key: string): Promise<Answer> => {
  const role = form.one('role');
  const { member, rights } = await memberRights(visit, role);
  const { lists, choice } = rightsShown(rights);
  const lowers = BRAND_ROLES.some((one) => one === role && !hasRole(one, member.role));
  if (lowers && lists.length > 0 && form.one('sure') !== 'yes')
    return confirmPage(visit, {
      id: 'role',
      title: `Change the role of ${member.email}?`,
      text: `They become ${ROLE_WORDS[role]?.label ?? role} from their next request on.`,
      fields: { role, sure: 'yes' },
      lists,
      choice,
      submit: 'Change the role',
      cancel: 'Keep the role',
    });
  const body = { role, end_made: form.one('end_made') === 'yes' };
  const done = await visit.call('member_change', { params: { id: member.id }, body, key });
  if (done.ok) return seeOther(`${PATH}?done=role`);
  return membersPage(visit, NOBODY, { problems: [], notice: done.error.message }, done.status);
};

/** The people of a brand (docs/domain/sign-in.md#members). */
export const membersRoutes: readonly Route[] = [
  { path: PATH, method: 'GET', target: sessionPage(async (visit) => membersPage(visit, NOBODY, NOTHING_WRONG)) },
  {
    path: PATH,
    method: 'POST',
    target: sessionForm(async (visit, form, key) => {
      const invited = { email: form.one('email').trim(), role: form.one('role') };
      const done = await visit.call('member_invite', { body: invited, key });
      if (done.ok) return seeOther(`${PATH}?done=invited`);
      return membersPage(visit, invited, shownOf(done.error, MEMBER_FIELDS), done.status);
    }),
  },
  { path: `${PATH}/{id}/role`, method: 'POST', target: sessionForm(changeRole) },
  { path: `${PATH}/{id}/remove`, method: 'GET', target: sessionPage(removePage) },
  {
    path: `${PATH}/{id}/remove`,
    method: 'POST',
    target: sessionForm(async (visit, form, key) => {
      const operation = form.one('end_made') === 'yes' ? 'member_remove_all' : 'member_remove';
      const done = await visit.call(operation, { params: { id: visit.params['id'] }, key });
      if (done.ok) return seeOther(`${PATH}?done=removed`);
      return membersPage(visit, NOBODY, { problems: [], notice: done.error.message }, done.status);
    }),
  },
];
