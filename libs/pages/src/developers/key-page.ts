import { type Key, notFound } from '@cds/contracts';
import type { Form } from '../foundation/form.js';
import { need } from '../foundation/need.js';
import { page, seeOther } from '../foundation/page.js';
import { NOTHING_WRONG, type Shown, shownOf } from '../foundation/problems.js';
import { type SessionVisit, sessionForm, sessionPage } from '../foundation/session.js';
import type { Answer, Route } from '../port.js';
import { clientsModel } from './clients-model.js';
import { KEY_FIELDS, keyBody, settingsTyped } from './key-new-model.js';
import { type KeyPageTyped, keyPageModel, typedFor } from './key-page-model.js';
import { currentTerms, doneOf } from './keys-page.js';
import { MANDATE_FIELDS, mandateBody, mandateTyped } from './mandate-form.js';
import { triedModel } from './tried-model.js';

export const keyOf = async (visit: SessionVisit): Promise<Key> => {
  const { keys } = need(await visit.call('keys_list'));
  const key = keys.find(({ id }) => id === visit.params['id']);
  if (key === undefined) throw notFound('key');
  return key;
};

type Beside = {
  typed?: Partial<KeyPageTyped>;
  settings?: Shown;
  mandate?: Shown;
  tried?: ReturnType<typeof triedModel>;
  status?: number;
};

const keyPage = async (visit: SessionVisit, beside: Beside = {}): Promise<Answer> => {
  const [key, current, people, connected] = await Promise.all([
    keyOf(visit),
    currentTerms(visit),
    visit.call('members_list'),
    visit.call('clients_list'),
  ]);
  const { members } = need(people);
  const terms = { current, own: visit.mandate };
  const { settings = NOTHING_WRONG, mandate = NOTHING_WRONG, tried = null, status = 200 } = beside;
  const path = `/developers/keys/${key.id}`;
  const typed = { ...typedFor(key, visit.now), ...beside.typed };
  return page(
    'developers/key',
    {
      ...visit.frame(key.name, '/developers'),
      ...keyPageModel(key, terms, members, typed, { settings, mandate }, visit.now),
      done: doneOf(visit),
      clients: clientsModel(need(connected).clients, key.id, members, visit.now, visit.token),
      tried,
      path,
      settingsToken: visit.token(path),
      mandateToken: visit.token(`${path}/mandate`),
      revoke: revokeOf(visit, key),
    },
    { status },
  );
};

export const revokeOf = (visit: SessionVisit, key: Key) => ({
  id: 'revoke-key',
  action: `/developers/keys/${key.id}/revoke`,
  token: visit.token(`/developers/keys/${key.id}/revoke`),
  title: `Revoke “${key.name}”?`,
  text: 'Its next request is refused, on every server and for good, and so are those of its child keys and signed-in clients. Orders that it signed run on.',
  submit: 'Revoke the key',
  cancel: 'Keep it',
  back: `/developers/keys/${key.id}`,
});

const changeSettings = async (visit: SessionVisit, form: Form, key: string): Promise<Answer> => {
  const id = visit.params['id'] ?? '';
  const settings = settingsTyped(form);
  const done = await visit.call('key_change', { params: { id }, body: keyBody(settings), key });
  if (done.ok) return seeOther(`/developers/keys/${done.value.id}?done=saved`);
  if (done.status === 404) need(done);
  return keyPage(visit, { typed: { settings }, settings: shownOf(done.error, KEY_FIELDS), status: done.status });
};

/** Sets the mandate, or first shows what the draft would have done to the writes of the last 30 days. */
const changeMandate = async (visit: SessionVisit, form: Form, key: string): Promise<Answer> => {
  const id = visit.params['id'] ?? '';
  const mandate = mandateTyped(form);
  const read = mandateBody(mandate);
  if ('problems' in read)
    return keyPage(visit, { typed: { mandate }, mandate: { problems: read.problems, notice: null }, status: 422 });
  if (form.one('intent') === 'preview') {
    const tried = await visit.call('key_mandate_try', { params: { id }, body: { mandate: read.body } });
    return tried.ok
      ? keyPage(visit, { typed: { mandate }, tried: triedModel(tried.value, visit.now) })
      : keyPage(visit, { typed: { mandate }, mandate: shownOf(tried.error, MANDATE_FIELDS), status: tried.status });
  }
  const done = await visit.call('key_mandate_set', { params: { id }, body: read.body, key });
  if (done.ok) return seeOther(`/developers/keys/${done.value.key_id}?done=mandate`);
  if (done.status === 404) need(done);
  return keyPage(visit, { typed: { mandate }, mandate: shownOf(done.error, MANDATE_FIELDS), status: done.status });
};

export const keyRoutes: readonly Route[] = [
  { path: '/developers/keys/{id}', method: 'GET', target: sessionPage((visit) => keyPage(visit)) },
  { path: '/developers/keys/{id}', method: 'POST', target: sessionForm(changeSettings) },
  { path: '/developers/keys/{id}/mandate', method: 'POST', target: sessionForm(changeMandate) },
  {
    path: '/developers/keys/{id}/clients/{client}/end',
    method: 'POST',
    target: sessionForm(async (visit, _form, key) => {
      const { id } = await keyOf(visit);
      need(await visit.call('client_end', { params: { id: visit.params['client'] }, key }));
      return seeOther(`/developers/keys/${id}?done=client`);
    }),
  },
];
