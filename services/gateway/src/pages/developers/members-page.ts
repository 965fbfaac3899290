import { notFound } from '@cds/contracts';
import type { Edge } from '../../edge/edge.js';
import type { Endpoint } from '../../edge/endpoint.js';
import type { Answer } from '../../edge/http/answer.js';
import type { Route } from '../../edge/routes.js';
import { call, need } from '../foundation/call.js';
import { page, seeOther } from '../foundation/page.js';
import { NOTHING_WRONG, type Shown, shownOf } from '../foundation/problems.js';
import { type SessionVisit, sessionForm, sessionPage } from '../foundation/session.js';
import { doneOf } from './keys-page.js';
import { type Invited, MEMBER_FIELDS, membersModel, NOBODY } from './members-model.js';

const PATH = '/developers/members';

const membersPage = async (visit: SessionVisit, invited: Invited, shown: Shown, status = 200): Promise<Answer> => {
  const { members } = need(await call(visit, 'members_list'));
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

const removePage = async (visit: SessionVisit): Promise<Answer> => {
  const { members } = need(await call(visit, 'members_list'));
  const member = members.find(({ id }) => id === visit.params['id']);
  if (member === undefined) throw notFound('member');
  const action = visit.exchange.path;
  return page('confirm', {
    ...visit.frame('Remove a member', PATH),
    width: 'narrow',
    confirm: {
      id: 'remove',
      level: 'h1',
      action,
      token: visit.token(action),
      title: `Remove ${member.email}?`,
      text: 'Their sessions in this company end at once. Keys stay as they are.',
      submit: 'Remove',
      cancel: 'Keep',
      back: PATH,
    },
  });
};

/** The people of a brand (docs/domain/access.md#members). */
export const membersRoutes = (edge: Edge): Route<Endpoint>[] => [
  { path: PATH, method: 'GET', target: sessionPage(edge, async (visit) => membersPage(visit, NOBODY, NOTHING_WRONG)) },
  {
    path: PATH,
    method: 'POST',
    target: sessionForm(edge, async (visit, form, key) => {
      const invited = { email: form.one('email').trim(), role: form.one('role') };
      const done = await call(visit, 'member_invite', { body: invited, key });
      if (done.ok) return seeOther(`${PATH}?done=invited`);
      return membersPage(visit, invited, shownOf(done.error, MEMBER_FIELDS), done.status);
    }),
  },
  {
    path: `${PATH}/{id}/role`,
    method: 'POST',
    target: sessionForm(edge, async (visit, form, key) => {
      const sent = { params: { id: visit.params['id'] }, body: { role: form.one('role') }, key };
      const done = await call(visit, 'member_change', sent);
      if (done.ok) return seeOther(`${PATH}?done=role`);
      return membersPage(visit, NOBODY, { problems: [], notice: done.error.message }, done.status);
    }),
  },
  { path: `${PATH}/{id}/remove`, method: 'GET', target: sessionPage(edge, removePage) },
  {
    path: `${PATH}/{id}/remove`,
    method: 'POST',
    target: sessionForm(edge, async (visit, _form, key) => {
      const done = await call(visit, 'member_remove', { params: { id: visit.params['id'] }, key });
      if (done.ok) return seeOther(`${PATH}?done=removed`);
      return membersPage(visit, NOBODY, { problems: [], notice: done.error.message }, done.status);
    }),
  },
];
