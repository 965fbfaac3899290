import { page, seeOther } from '../foundation/page.js';
import { errorAt, type FieldNames, NOTHING_WRONG, type Shown, shownOf } from '../foundation/problems.js';
import { type PublicVisit, publicForm, publicPage } from '../foundation/visitor.js';
import type { Answer, Route } from '../port.js';

const PATH = '/signup';

const FIELDS = [
  { name: 'company', label: 'Company', autocomplete: 'organization', help: 'The name that creators will see.' },
  {
    name: 'website',
    label: 'Website',
    type: 'url',
    autocomplete: 'url',
    help: 'Where your product is, such as https://example.com.',
  },
  { name: 'name', label: 'Your name', autocomplete: 'name' },
  { name: 'email', label: 'Work email', type: 'email', autocomplete: 'email', help: 'You sign in with this address.' },
] as const;

const NAMES: FieldNames = Object.fromEntries(FIELDS.map(({ name, label }) => [name, { field: name, label }]));

const signUpModel = (typed: Readonly<Record<string, string>>, shown: Shown) => ({
  ...shown,
  fields: FIELDS.map((field) => ({
    ...field,
    required: true,
    value: typed[field.name] ?? '',
    error: errorAt(shown.problems, field.name),
  })),
});

const signUpPage = (visit: PublicVisit, typed: Record<string, string>, shown: Shown, status = 200): Answer =>
  page(
    'people/sign-up',
    { title: 'Sign up', scripts: true, indexed: true, token: visit.token(PATH), ...signUpModel(typed, shown) },
    { status },
  );

const afterPage = (): Answer =>
  page('people/after', {
    title: 'We have your application',
    text: 'Our team looks at every company. Once yours is approved, a sign-in link comes to your address.',
    aside: 'Is your company here already? Then an owner of it can invite you.',
    action: { href: '/', label: 'Back to the home page' },
  });

/** Sign-up, answered alike for known and unknown addresses (docs/domain/sign-in.md#sign-up). */
export const signUpRoutes: readonly Route[] = [
  { path: PATH, method: 'GET', target: publicPage(async (visit) => signUpPage(visit, {}, NOTHING_WRONG)) },
  {
    path: PATH,
    method: 'POST',
    target: publicForm(async (visit, form, key) => {
      const typed = Object.fromEntries(FIELDS.map(({ name }) => [name, form.one(name).trim()]));
      const done = await visit.call('sign_up', { body: typed, key });
      if (done.ok) return seeOther('/signup/sent');
      return signUpPage(visit, typed, shownOf(done.error, NAMES), done.status);
    }),
  },
  { path: '/signup/sent', method: 'GET', target: publicPage(async () => afterPage()) },
];
