import type { Key } from '@cds/contracts';
import { page } from '../foundation/page.js';
import { NOTHING_WRONG, type Shown, shownOf } from '../foundation/problems.js';
import { type SessionVisit, sessionForm, sessionPage } from '../foundation/session.js';
import type { Answer, Route } from '../port.js';
import {
  checkedMandate,
  KEY_FIELDS,
  type KeyTyped,
  keyBody,
  keyMadeModel,
  keyNewModel,
  keyTyped,
  newKey,
} from './key-new-model.js';
import type { MandateBody } from './mandate-form.js';

const PATH = '/developers/keys/new';

const formPage = (visit: SessionVisit, typed: KeyTyped, shown: Shown, status = 200): Answer =>
  page(
    'developers/key-new',
    { ...visit.frame('New key', '/developers'), ...keyNewModel(typed, shown), token: visit.token(PATH) },
    { status },
  );

const madePage = (visit: SessionVisit, key: Key, secret: string, problem: string | null): Answer =>
  page('developers/key-made', {
    ...visit.frame('New key', '/developers'),
    ...keyMadeModel(visit.request.appUrl, key, secret, problem),
    signs: key.mandate?.may_approve === true || problem !== null,
  });

/** Sets the mandate of a key that was just made, under a key of its own: null, or why it is not set. */
const setMandate = async (visit: SessionVisit, id: string, body: MandateBody | null, key: string) => {
  if (body === null) return null;
  const set = await visit.call('key_mandate_set', { params: { id }, body, key: `${key}:mandate` });
  return set.ok ? null : set.error.message;
};

type KeyMade =
  | { ok: true; key: Key; secret: string; problem: string | null }
  | { ok: false; shown: Shown; status: number };

export const makeKey = async (visit: SessionVisit, typed: KeyTyped, key: string): Promise<KeyMade> => {
  const mandate = checkedMandate(typed, visit.now);
  if ('problems' in mandate) return { ok: false, shown: { problems: mandate.problems, notice: null }, status: 422 };
  const made = await visit.call('key_make', { body: keyBody(typed), key });
  if (!made.ok) return { ok: false, shown: shownOf(made.error, KEY_FIELDS), status: made.status };
  const problem = await setMandate(visit, made.value.key.id, mandate.body, key);
  return { ok: true, key: made.value.key, secret: made.value.secret, problem };
};

export const keyNewRoutes: readonly Route[] = [
  {
    path: PATH,
    method: 'GET',
    target: sessionPage(async (visit) => formPage(visit, newKey(visit.now), NOTHING_WRONG)),
  },
  {
    path: PATH,
    method: 'POST',
    target: sessionForm(async (visit, form, key) => {
      const typed = keyTyped(form);
      const made = await makeKey(visit, typed, key);
      if (!made.ok) return formPage(visit, typed, made.shown, made.status);
      return madePage(visit, made.key, made.secret, made.problem);
    }),
  },
];
