import { type KeyTyped, keyNewModel, keyTyped, newKey } from '../developers/key-new-model.js';
import { makeKey } from '../developers/key-new-page.js';
import { keyOf } from '../developers/key-page.js';
import { publishedTerms, termsPage, UNREAD } from '../developers/terms-page.js';
import type { Form } from '../foundation/form.js';
import { page, seeOther } from '../foundation/page.js';
import { NOTHING_WRONG, type Shown } from '../foundation/problems.js';
import { type SessionVisit, sessionForm, sessionPage } from '../foundation/session.js';
import { type Answer, type Asked, CONNECT, type Route } from '../port.js';
import { askedOf, frameOf, pathOf } from './ask-page.js';

const LONGEST_NAME = 60;

const formPage = (visit: SessionVisit, asked: Asked, typed: KeyTyped, shown: Shown, status = 200): Answer =>
  page(
    'connect/key',
    { ...frameOf(asked), ...keyNewModel(typed, shown), token: visit.token(pathOf(asked, '/key')) },
    { status },
  );

/** Makes the key, whose secret nobody is shown: the client gets tokens, and needs none. */
const made = async (visit: SessionVisit, form: Form, key: string): Promise<Answer> => {
  const asked = await askedOf(visit);
  const typed = keyTyped(form);
  const done = await makeKey(visit, typed, key);
  if (!done.ok) return formPage(visit, asked, typed, done.shown, done.status);
  const signs = typed.with_mandate && typed.mandate.may_approve;
  return seeOther(signs ? pathOf(asked, `/terms/${done.key.id}`) : `${pathOf(asked)}?key=${done.key.id}`);
};

/** The terms of a key that signs, on the way back to the decision. */
const keyTerms = async (visit: SessionVisit, problem: string | null = null, status = 200): Promise<Answer> => {
  const asked = await askedOf(visit);
  const [key, terms] = await Promise.all([keyOf(visit), publishedTerms(visit)]);
  const back = `${pathOf(asked)}?key=${key.id}` as const;
  if (terms === null || key.mandate?.terms_version === terms.version) return seeOther(back);
  return termsPage(
    visit,
    terms,
    {
      section: '/developers',
      crumb: null,
      meaning: `Whoever accepts them agrees that ${asked.name} may sign plans for your company with the key “${key.name}”.`,
      situation: null,
      agree: `I have read these terms and accept them for “${key.name}”`,
      back,
      problem,
    },
    status,
  );
};

export const connectKeyRoutes: readonly Route[] = [
  {
    path: `${CONNECT.ask}/{uid}/key`,
    method: 'GET',
    target: sessionPage(async (visit) => {
      const asked = await askedOf(visit);
      return formPage(
        visit,
        asked,
        { ...newKey(visit.now), name: asked.name.slice(0, LONGEST_NAME).trim() },
        NOTHING_WRONG,
      );
    }),
  },
  { path: `${CONNECT.ask}/{uid}/key`, method: 'POST', target: sessionForm(made) },
  { path: `${CONNECT.ask}/{uid}/terms/{id}`, method: 'GET', target: sessionPage((visit) => keyTerms(visit)) },
  {
    path: `${CONNECT.ask}/{uid}/terms/{id}`,
    method: 'POST',
    target: sessionForm(async (visit, form, key) => {
      if (form.one('read') !== 'yes') return keyTerms(visit, UNREAD, 422);
      const asked = await askedOf(visit);
      const { id } = await keyOf(visit);
      const body = { version: form.one('version') };
      const done = await visit.call('key_terms_accept', { params: { id }, body, key });
      return done.ok ? seeOther(`${pathOf(asked)}?key=${id}`) : keyTerms(visit, done.error.message, done.status);
    }),
  },
];
