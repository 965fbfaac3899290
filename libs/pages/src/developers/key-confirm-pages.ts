import { AppError, type Key } from '@cds/contracts';
import { need } from '../foundation/need.js';
import { page, seeOther } from '../foundation/page.js';
import { type SessionVisit, sessionForm, sessionPage } from '../foundation/session.js';
import type { Answer, Route } from '../port.js';
import { keyOf, revokeOf } from './key-page.js';
import { publishedTerms, termsPage, UNREAD } from './terms-page.js';

const confirmPage = (visit: SessionVisit, confirm: Record<string, unknown>): Answer =>
  page('confirm', {
    ...visit.frame(String(confirm['title']), '/developers'),
    width: 'narrow',
    confirm: { ...confirm, level: 'h1' },
  });

const removeMandatePage = async (visit: SessionVisit): Promise<Answer> => {
  const key = await keyOf(visit);
  const action = visit.request.path;
  return confirmPage(visit, {
    id: 'remove-mandate',
    action,
    token: visit.token(action),
    title: `Remove the mandate of “${key.name}”?`,
    text: 'The key can read, and every write is refused. Orders that it signed run on. You can set another mandate later.',
    submit: 'Remove the mandate',
    cancel: 'Keep it',
    back: `/developers/keys/${key.id}`,
  });
};

const keySituation = ({ mandate }: Key, current: string) => {
  if (mandate?.terms_version === current) return { kind: 'good', text: 'This version is accepted for this key.' };
  if (mandate?.may_approve === true) return null;
  return {
    kind: 'info',
    text: 'The mandate of this key does not let it sign. Allow signing first, then accept the terms.',
  };
};

const keyTermsPage = async (visit: SessionVisit, problem: string | null = null, status = 200): Promise<Answer> => {
  const [key, terms] = await Promise.all([keyOf(visit), publishedTerms(visit)]);
  if (terms === null) throw new AppError('not_found', 'There are no brand terms yet.');
  const back = `/developers/keys/${key.id}`;
  return termsPage(
    visit,
    terms,
    {
      section: '/developers',
      crumb: { href: back, label: key.name },
      meaning: 'Whoever accepts them agrees that this key may sign plans for your company.',
      situation: keySituation(key, terms.version),
      agree: `I have read these terms and accept them for “${key.name}”`,
      back,
      problem,
    },
    status,
  );
};

export const keyConfirmRoutes: readonly Route[] = [
  {
    path: '/developers/keys/{id}/revoke',
    method: 'GET',
    target: sessionPage(async (visit) => confirmPage(visit, revokeOf(visit, await keyOf(visit)))),
  },
  {
    path: '/developers/keys/{id}/revoke',
    method: 'POST',
    target: sessionForm(async (visit, _form, key) => {
      need(await visit.call('key_revoke', { params: { id: visit.params['id'] }, key }));
      return seeOther('/developers?done=revoked');
    }),
  },
  { path: '/developers/keys/{id}/mandate/remove', method: 'GET', target: sessionPage(removeMandatePage) },
  {
    path: '/developers/keys/{id}/mandate/remove',
    method: 'POST',
    target: sessionForm(async (visit, _form, key) => {
      const { id } = await keyOf(visit);
      need(await visit.call('key_mandate_remove', { params: { id }, key }));
      return seeOther(`/developers/keys/${id}?done=mandate-removed`);
    }),
  },
  { path: '/developers/keys/{id}/terms', method: 'GET', target: sessionPage((visit) => keyTermsPage(visit)) },
  {
    path: '/developers/keys/{id}/terms',
    method: 'POST',
    target: sessionForm(async (visit, form, key) => {
      if (form.one('read') !== 'yes') return keyTermsPage(visit, UNREAD, 422);
      const { id } = await keyOf(visit);
      const done = await visit.call('key_terms_accept', {
        params: { id },
        body: { version: form.one('version') },
        key,
      });
      if (done.ok) return seeOther(`/developers/keys/${id}?done=terms`);
      return keyTermsPage(visit, done.error.message, done.status);
    }),
  },
];
