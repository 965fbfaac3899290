import type { Key, Output } from '@cds/contracts';
import { day } from '../foundation/format.js';
import { need } from '../foundation/need.js';
import { page, seeOther } from '../foundation/page.js';
import { type SessionVisit, sessionForm, sessionPage } from '../foundation/session.js';
import type { Section } from '../foundation/shell.js';
import type { Answer, Route } from '../port.js';

const PATH = '/developers/terms';

export const UNREAD = 'Tick the box once you have read the terms.';

type Terms = NonNullable<Output<'terms_get'>['current']>;

export const publishedTerms = async (visit: SessionVisit): Promise<Terms | null> =>
  need(await visit.call('terms_get')).current;

/** What differs between accepting for a key and for oneself. `situation` replaces the form. */
type TermsPage = {
  section: Section;
  crumb: { href: string; label: string } | null;
  meaning: string;
  /** Keys that sign, whose terms are accepted on pages of their own. */
  keys?: readonly { href: string; name: string }[];
  situation: { kind: string; text: string } | null;
  agree: string;
  back: string;
  problem: string | null;
};

/** The text of the terms, and the button that accepts them. The form is sent to the page's own path. */
export const termsPage = (
  visit: SessionVisit,
  terms: Terms,
  { section, ...texts }: TermsPage,
  status: number,
): Answer =>
  page(
    'developers/terms',
    {
      ...visit.frame('Brand terms', section),
      ...texts,
      width: 'narrow',
      version: terms.version,
      published: day(terms.published_at),
      text: terms.text,
      sha: terms.text_sha256,
      action: visit.request.path,
      token: visit.token(visit.request.path),
    },
    { status },
  );

/** The roles that accept terms (docs/domain/access.md#roles). */
const ACCEPTING: ReadonlySet<string> = new Set(['admin', 'owner']);

/** What the page says in place of its form: accepted already, or not to be accepted by this person. */
const personSituation = ({ mandate, me }: SessionVisit, current: string) => {
  if (mandate?.terms_version === current)
    return { kind: 'good', text: `You accepted this version on ${day(mandate.terms_accepted_at ?? '')}.` };
  if (!ACCEPTING.has(me.role))
    return { kind: 'info', text: `Admins and owners sign plans and accept the terms. Your role here is ${me.role}.` };
  if (mandate?.may_approve === true) return null;
  return { kind: 'info', text: 'The mandate of the key “app” does not let people sign. Allow signing there first.' };
};

/** Keys that may sign once somebody accepts this version for them. */
const isToAccept =
  (version: string) =>
  ({ public_id, revoked_at, mandate }: Key): boolean =>
    public_id !== null && revoked_at === null && mandate?.may_approve === true && mandate.terms_version !== version;

const personPage = async (visit: SessionVisit, problem: string | null = null, status = 200): Promise<Answer> => {
  const [terms, listed] = await Promise.all([publishedTerms(visit), visit.call('keys_list')]);
  if (terms === null) return page('developers/terms-none', visit.frame('Brand terms', PATH));
  const signing = listed.ok ? listed.value.keys.filter(isToAccept(terms.version)) : [];
  return termsPage(
    visit,
    terms,
    {
      section: PATH,
      crumb: null,
      meaning: 'What you accept here counts for what you sign yourself, and for no key.',
      keys: signing.map(({ id, name }) => ({ href: `/developers/keys/${id}/terms`, name })),
      situation: personSituation(visit, terms.version),
      agree: 'I have read these terms and accept them for what I sign myself',
      back: '/developers',
      problem,
    },
    status,
  );
};

/** The brand terms as a person accepts them for what they sign in the app (docs/domain/orders.md#brand-terms). */
export const termsRoutes: readonly Route[] = [
  { path: PATH, method: 'GET', target: sessionPage((visit) => personPage(visit)) },
  {
    path: PATH,
    method: 'POST',
    target: sessionForm(async (visit, form, key) => {
      if (form.one('read') !== 'yes') return personPage(visit, UNREAD, 422);
      const done = await visit.call('terms_accept', { body: { version: form.one('version') }, key });
      return done.ok ? seeOther(PATH) : personPage(visit, done.error.message, done.status);
    }),
  },
];
