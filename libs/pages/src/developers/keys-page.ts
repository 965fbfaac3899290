import { need } from '../foundation/need.js';
import { page } from '../foundation/page.js';
import { type SessionVisit, sessionPage } from '../foundation/session.js';
import type { Route } from '../port.js';
import { keysModel } from './key-model.js';

/** What a form has done, as the next page says it. The address names one of these and nothing else. */
const DONE: Readonly<Record<string, string>> = {
  revoked: 'The key is revoked. Its next request is refused.',
  saved: 'Saved.',
  mandate: 'The mandate is set. It holds from the next request on.',
  'mandate-removed': 'The mandate is removed. The key can read, and every write is refused.',
  terms: 'The terms are accepted for this key. It can sign plans now.',
  client: 'The client is signed out. Its next request is refused, and so are those of child keys that it made.',
  invited: 'The invitation is on its way.',
  role: 'The role is changed from the next request on.',
  'order-cancelled': 'The order is cancelled. Its payment link is closed, and nothing is due.',
  'webhook-tested': 'The test is on its way. Its outcome appears below within seconds; load the page again.',
  'webhook-enabled': 'The endpoint is enabled. It goes on where it stopped.',
  'webhook-replayed': 'The events are sent again, in their order and under their former ids.',
  'webhook-deleted': 'The endpoint is deleted. Nothing is sent to it any more.',
  removed: 'The member is removed and signed out of this company, with the clients that they signed in.',
};

export const doneOf = ({ request }: SessionVisit): string | null => {
  const done = request.query('done');
  return Object.hasOwn(DONE, done) ? (DONE[done] ?? null) : null;
};

export const currentTerms = async (visit: SessionVisit): Promise<string | null> => {
  const terms = await visit.call('terms_get');
  return terms.ok ? (terms.value.current?.version ?? null) : null;
};

export const keysRoutes: readonly Route[] = [
  {
    path: '/developers',
    method: 'GET',
    target: sessionPage(async (visit) => {
      const [listed, terms] = await Promise.all([visit.call('keys_list'), currentTerms(visit)]);
      const frame = visit.frame('Keys', '/developers');
      if (!listed.ok && listed.status === 403) return page('developers/keys-closed', { ...frame, role: visit.me.role });
      const { keys } = need(listed);
      const tab = visit.request.query('show') === 'ended' ? 'ended' : 'live';
      return page('developers/keys', { ...frame, ...keysModel(keys, terms, tab, visit.now), done: doneOf(visit) });
    }),
  },
];
