import { APPLY_CONSENT, type ErrorBody, FORMATS, type Format, type Problem } from '@cds/contracts';
import type { Form } from '../foundation/form.js';
import { page, seeOther } from '../foundation/page.js';
import { errorAt, type FieldNames, NOTHING_WRONG, type Shown, shownOf } from '../foundation/problems.js';
import { type PublicVisit, publicForm, publicPage } from '../foundation/visitor.js';
import type { Answer, Route } from '../port.js';
import { countOf } from './typed-count.js';

const PATH = '/join';

const ASKS: Readonly<Record<Format, { label: string; help?: string }>> = {
  post: { label: 'Your price for a post', help: 'What you are paid. Leave empty what you do not offer.' },
  quote: { label: 'Your price for a quote of a post' },
  thread: { label: 'Your price for a thread of at least 3 posts' },
};

const askOf = (format: Format): string => `ask_${format}`;

const NAMES: FieldNames = {
  handle: { field: 'handle', label: 'Your name on X' },
  followers: { field: 'followers', label: 'Followers' },
  units: { field: 'ask_post', label: 'Your prices' },
  consent: { field: 'consent', label: 'Consent' },
  ...Object.fromEntries(FORMATS.map((format) => [askOf(format), { field: askOf(format), label: ASKS[format].label }])),
};

type Typed = Readonly<Record<string, string>>;

const FIELDS = ['handle', 'followers', ...FORMATS.map(askOf), 'consent'] as const;

const typedIn = (form: Form): Typed => Object.fromEntries(FIELDS.map((name) => [name, form.one(name).trim()]));

const DOLLARS = /^\$?\d{1,3}(?:,?\d{3})*(?:\.\d{2})?$/;

/** An ask in cents, from dollars as people type them; another text as it is, which the operation refuses. */
const centsOf = (text: string): number | string =>
  DOLLARS.test(text) ? Math.round(Number(text.replace(/[$,]/g, '')) * 100) : text;

const asked = (typed: Typed): Format[] => FORMATS.filter((format) => (typed[askOf(format)] ?? '') !== '');

const named = (error: ErrorBody, typed: Typed): ErrorBody => {
  const problems = (error.details?.['problems'] ?? []) as Problem[];
  const atField = (problem: Problem): Problem => {
    if (problem.field === 'consent') return { ...problem, message: 'agree to the text to apply' };
    if (problem.field === 'units') return { ...problem, message: 'state your price for at least one of the three' };
    const format = asked(typed)[Number(/^units\[(\d+)\]/.exec(problem.field)?.[1] ?? -1)];
    return format === undefined
      ? problem
      : { field: askOf(format), message: 'must be an amount in dollars, from 1 to 1,000,000' };
  };
  return problems.length === 0 ? error : { ...error, details: { ...error.details, problems: problems.map(atField) } };
};

const bodyOf = (typed: Typed): Record<string, unknown> => ({
  handle: typed['handle'],
  ...(typed['followers'] === '' ? {} : { followers: countOf(typed['followers'] ?? '') }),
  units: asked(typed).map((format) => ({ format, ask_cents: centsOf(typed[askOf(format)] ?? '') })),
  ...(typed['consent'] === 'yes' ? { consent: true } : {}),
});

const joinModel = (typed: Typed, shown: Shown) => ({
  ...shown,
  handle: {
    name: 'handle',
    label: NAMES['handle']?.label,
    prefix: '@',
    autocomplete: 'username',
    required: true,
    value: typed['handle'],
    error: errorAt(shown.problems, 'handle'),
  },
  followers: {
    name: 'followers',
    label: NAMES['followers']?.label,
    short: true,
    inputmode: 'numeric',
    required: true,
    value: typed['followers'],
    error: errorAt(shown.problems, 'followers'),
  },
  asks: FORMATS.map((format) => ({
    ...ASKS[format],
    name: askOf(format),
    prefix: '$',
    short: true,
    inputmode: 'decimal',
    value: typed[askOf(format)],
    error: errorAt(shown.problems, askOf(format)),
  })),
  consent: {
    name: 'consent',
    legend: 'Consent',
    options: [{ value: 'yes', label: 'I agree', help: APPLY_CONSENT.text, checked: typed['consent'] === 'yes' }],
    error: errorAt(shown.problems, 'consent'),
  },
});

const joinPage = (visit: PublicVisit, typed: Typed, shown: Shown, status = 200): Answer =>
  page(
    'join',
    { title: 'Join as a creator', indexed: true, token: visit.token(PATH), ...joinModel(typed, shown) },
    { status },
  );

const afterPage = (): Answer =>
  page('people/after', {
    title: 'We have your application',
    text: 'Our team looks at every account. Once yours is approved, proposals come to you as messages with a link.',
    aside: 'Each proposal says who asks, for what, and what you are paid. You decide on each one.',
    action: { href: '/', label: 'Back to the home page' },
  });

/** Creators apply to join, answered alike for every handle (docs/domain/pages.md#creator-applications). */
export const joinRoutes: readonly Route[] = [
  { path: PATH, method: 'GET', target: publicPage(async (visit) => joinPage(visit, {}, NOTHING_WRONG)) },
  {
    path: PATH,
    method: 'POST',
    target: publicForm(async (visit, form, key) => {
      const typed = typedIn(form);
      const done = await visit.call('creator_apply', { body: bodyOf(typed), key });
      if (done.ok) return seeOther(`${PATH}/sent`);
      return joinPage(visit, typed, shownOf(named(done.error, typed), NAMES), done.status);
    }),
  },
  { path: `${PATH}/sent`, method: 'GET', target: publicPage(async () => afterPage()) },
];
