import { need } from '../foundation/need.js';
import { page, seeOther } from '../foundation/page.js';
import { errorAt, type FieldNames, NOTHING_WRONG, type Shown, shownOf } from '../foundation/problems.js';
import { type PublicVisit, publicForm, publicPage } from '../foundation/visitor.js';
import type { Answer, Route } from '../port.js';

const PATH = '/ops';

const LEAD_FIELDS = [
  { name: 'name', label: 'Your name', autocomplete: 'name' },
  { name: 'email', label: 'Email', type: 'email', autocomplete: 'email', help: 'You sign in with this address.' },
] as const;

const LEAD_NAMES: FieldNames = Object.fromEntries(LEAD_FIELDS.map(({ name, label }) => [name, { field: name, label }]));

type Ask = { heading: string; typed?: Readonly<Record<string, string>>; shown?: Shown; status?: number };

/** The page behind a link; only its button uses the link. It asks for a name and an address where `typed` is given. */
const linkPage = (visit: PublicVisit, { heading, typed, shown = NOTHING_WRONG, status = 200 }: Ask): Answer =>
  page(
    'people/link',
    {
      title: 'Sign in',
      secretUrl: true,
      heading,
      ...shown,
      fields:
        typed === undefined
          ? []
          : LEAD_FIELDS.map((field) => ({
              ...field,
              required: true,
              value: typed[field.name] ?? '',
              error: errorAt(shown.problems, field.name),
            })),
      action: visit.request.path,
      token: visit.token(visit.request.path),
    },
    { status },
  );

const deadLinkPage = (text: string): Answer =>
  page(
    'people/after',
    {
      title: 'This link no longer works',
      secretUrl: true,
      text,
      action: { href: '/', label: 'Back to the home page' },
    },
    { status: 401, code: 'unauthorized' },
  );

const signedInPage = ({ request }: PublicVisit): Answer =>
  page('people/after', {
    title: "The operator's team",
    text: `The team works with the API at ${request.appUrl}/api/ops. This browser has the session if you have just signed in; scripts send an operator token.`,
    aside: `${request.appUrl}/api/ops/me says who is signed in.`,
    action: { href: '/', label: 'To the home page' },
  });

const TEAM = { heading: "Sign in to the operator's team" };
const FIRST = { heading: "Become the first lead of the operator's team" };

/** The pages behind the links of the operator's people (docs/domain/operators.md#operators). */
export const opsSignInRoutes: readonly Route[] = [
  { path: PATH, method: 'GET', target: publicPage(async (visit) => signedInPage(visit)) },
  { path: '/ops/sign-in/{token}', method: 'GET', target: publicPage(async (visit) => linkPage(visit, TEAM)) },
  {
    path: '/ops/sign-in/{token}',
    method: 'POST',
    target: publicForm(async (visit, _form, key) => {
      const started = await visit.call('ops_session_start', { body: { token: visit.params['token'] }, key });
      if (!started.ok && started.status < 429)
        return deadLinkPage(
          `A link works once, for 15 minutes. Ask for another with POST ${visit.request.appUrl}/api/ops/sign-in, or ask a lead.`,
        );
      need(started);
      return seeOther(PATH, { secretUrl: true });
    }),
  },
  {
    path: '/ops/first-lead/{token}',
    method: 'GET',
    target: publicPage(async (visit) => linkPage(visit, { ...FIRST, typed: {} })),
  },
  {
    path: '/ops/first-lead/{token}',
    method: 'POST',
    target: publicForm(async (visit, form, key) => {
      const typed = Object.fromEntries(LEAD_FIELDS.map(({ name }) => [name, form.one(name).trim()]));
      const made = await visit.call('ops_first_lead', { body: { ...typed, token: visit.params['token'] }, key });
      if (!made.ok && made.status === 401)
        return deadLinkPage(
          'The link works once, for 24 hours. Ask a lead to add you, or start the service again after 24 hours.',
        );
      if (!made.ok && made.status === 422)
        return linkPage(visit, { ...FIRST, typed, shown: shownOf(made.error, LEAD_NAMES), status: 422 });
      need(made);
      return seeOther(PATH, { secretUrl: true });
    }),
  },
];
