import type { Output } from '@cds/contracts';
import { rightsOf } from '../developers/members-model.js';
import { need } from '../foundation/need.js';
import { page, seeOther } from '../foundation/page.js';
import { errorAt, type FieldProblem, NOTHING_WRONG, type Shown, shownOf } from '../foundation/problems.js';
import { afterSignIn } from '../foundation/return-cookie.js';
import {
  type SessionVisit,
  SIGN_OUT_EVERYWHERE_PATH,
  SIGN_OUT_PATH,
  SWITCH_PATH,
  sessionForm,
  sessionPage,
} from '../foundation/session.js';
import { type PublicVisit, publicForm, publicPage } from '../foundation/visitor.js';
import type { Answer, Route } from '../port.js';

const PATH = '/sign-in';
const FIELDS = { email: { field: 'email', label: 'Email' } };

export const emailField = (value: string, problems: readonly FieldProblem[]) => ({
  name: 'email',
  label: 'Email',
  help: 'The address that your company’s owner invited, or that you signed up with.',
  type: 'email',
  autocomplete: 'email',
  autofocus: true,
  required: true,
  value,
  error: errorAt(problems, 'email'),
});

const signInPage = (visit: PublicVisit, email = '', shown: Shown = NOTHING_WRONG, status = 200): Answer =>
  page(
    'people/sign-in',
    {
      title: 'Sign in',
      scripts: true,
      token: visit.token(PATH),
      ...shown,
      email: emailField(email, shown.problems),
    },
    { status },
  );

const NO_MAIL =
  'This development start sends no mail: the message with its link is in the log of its gateway, logs/gateway.log of its home folder.';

const sentPage = (development: boolean): Answer =>
  page('people/after', {
    title: 'Check your mail',
    text: 'If somebody may sign in with that address, a link is on its way. It works once, for 15 minutes, and opens a page with a button.',
    aside: development ? NO_MAIL : 'No mail? Look in the spam folder, and check the address.',
    action: { href: PATH, label: 'Use another address' },
  });

/** The page behind a mailed link. Only its button uses the link: mail scanners open links, but press no buttons. */
const linkPage = (visit: PublicVisit): Answer =>
  page('people/link', {
    title: 'Sign in',
    secretUrl: true,
    heading: 'Sign in to Creator Distribution',
    fields: [],
    ...NOTHING_WRONG,
    action: visit.request.path,
    token: visit.token(visit.request.path),
  });

/** Asks before every session ends, since what works without one can be ended too. */
const everywherePage = (visit: SessionVisit): Answer =>
  page('confirm', {
    ...visit.frame('Sign out everywhere'),
    width: 'narrow',
    confirm: {
      id: 'everywhere',
      level: 'h1',
      title: 'Sign out everywhere?',
      text: 'All your sessions end, on this device too. Keys, webhook endpoints and signed-in clients work without a session, so they stay; the next page lists them.',
      choice: {
        name: 'end_clients',
        legend: 'Your clients',
        options: [
          {
            value: 'yes',
            label: 'Sign out my clients too',
            help: 'Ends every client that you connected, in every company, and the keys that these made.',
            checked: false,
          },
        ],
      },
      action: SIGN_OUT_EVERYWHERE_PATH,
      token: visit.token(SIGN_OUT_EVERYWHERE_PATH),
      submit: 'Sign out everywhere',
      back: '/developers',
      cancel: 'Stay signed in',
    },
  });

/** Shows what ended with the sessions, and what continues without one. */
const everywhereDone = ({ ended, stays }: Output<'sessions_end'>): Answer =>
  page('people/after', {
    title: 'You are signed out everywhere',
    text:
      stays.length === 0
        ? 'All your sessions have ended.'
        : 'All your sessions have ended. What you made works without one. To end any of it, sign in and open Developers.',
    lists: [
      { title: 'Ended too', items: rightsOf(ended) },
      { title: 'Still works', items: rightsOf(stays) },
    ].filter(({ items }) => items.length > 0),
    action: { href: PATH, label: 'Sign in' },
  });

const deadLinkPage = (): Answer =>
  page(
    'people/after',
    {
      title: 'This link no longer works',
      secretUrl: true,
      text: 'A link works once, for 15 minutes. It may have been used already, or replaced by a newer one.',
      action: { href: PATH, label: 'Get a new link' },
    },
    { status: 401, code: 'unauthorized' },
  );

/** Signing in and out, and the choice of a workspace (docs/domain/sign-in.md#sign-in). */
export const signInRoutes = (development: boolean): Route[] => [
  { path: PATH, method: 'GET', target: publicPage(async (visit) => signInPage(visit)) },
  {
    path: PATH,
    method: 'POST',
    target: publicForm(async (visit, form, key) => {
      const email = form.one('email').trim();
      const sent = await visit.call('sign_in', { body: { email }, key });
      if (sent.ok) return seeOther('/sign-in/sent');
      return signInPage(visit, email, shownOf(sent.error, FIELDS), sent.status);
    }),
  },
  { path: '/sign-in/sent', method: 'GET', target: publicPage(async () => sentPage(development)) },
  { path: '/sign-in/{token}', method: 'GET', target: publicPage(async (visit) => linkPage(visit)) },
  {
    path: '/sign-in/{token}',
    method: 'POST',
    target: publicForm(async (visit, _form, key) => {
      const started = await visit.call('session_start', { body: { token: visit.params['token'] }, key });
      if (started.ok) return seeOther(afterSignIn(visit.request), { secretUrl: true });
      if (started.status < 429) return deadLinkPage();
      need(started);
      return deadLinkPage();
    }),
  },
  {
    path: SIGN_OUT_PATH,
    method: 'POST',
    target: sessionForm(async (visit, _form, key) => {
      need(await visit.call('session_end', { key }));
      return seeOther('/');
    }),
  },
  {
    path: SIGN_OUT_EVERYWHERE_PATH,
    method: 'GET',
    target: sessionPage(async (visit) => everywherePage(visit)),
  },
  {
    path: SIGN_OUT_EVERYWHERE_PATH,
    method: 'POST',
    target: sessionForm(async (visit, form, key) => {
      const query = { end_clients: form.one('end_clients') === 'yes' };
      return everywhereDone(need(await visit.call('sessions_end', { query, key })));
    }),
  },
  {
    path: SWITCH_PATH,
    method: 'POST',
    target: sessionForm(async (visit, form, key) => {
      need(await visit.call('session_workspace_set', { body: { workspace: form.one('workspace') }, key }));
      return seeOther('/developers');
    }),
  },
];
