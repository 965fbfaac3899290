import type { PayPage, Rail } from '@cds/contracts';
import { day, moment, money, plural, stateLabel } from '../foundation/format.js';
import { NOTHING_WRONG, type Shown } from '../foundation/problems.js';
import { type InvoiceTyped, invoiceForm, typedBefore } from './invoice-form.js';
import { cardsRefuse, type Situation, type SituationName, situationOf } from './situation.js';

/** The key that signed an order; null when it is not known here. `own` is the key of people who sign in. */
type Signer = { name: string; own: boolean } | null;

export const signerWords = (signer: Signer): string => {
  if (signer === null) return 'an API key';
  return signer.own ? 'a person who signed in' : `the API key “${signer.name}”`;
};

/** A map, because a format is text from elsewhere, and objects have built-in names. */
const FORMATS: ReadonlyMap<string, readonly [one: string, many: string]> = new Map([
  ['post', ['single post', 'single posts']],
  ['quote', ['quote post', 'quote posts']],
  ['thread', ['thread', 'threads']],
]);

/** "8 single posts", "1 thread", "2 other posts". A format that is not known here keeps its own name. */
export const formatWords = ({ format, posts }: PayPage['formats'][number]): string => {
  if (format === null) return plural(posts, 'other post');
  const [one, many] = FORMATS.get(format) ?? [format, format];
  return plural(posts, one, many);
};

/** "1 to 14 March 2027" in full words: both days, or one when they are the same. */
export const launchWindow = ({ launch_window_start: start, launch_window_end: end }: PayPage): string =>
  start === end ? day(start) : `${day(start)} to ${day(end)}`;

export const commonFields = (token: string, shown: PayPage) => ({
  token,
  formToken: shown.form_token,
  company: shown.company,
  campaign: shown.campaign,
  total: money(shown.total_cents, shown.currency),
  state: stateLabel(shown.payment_state),
  sandbox: shown.sandbox,
});

const RAIL_WORDS: Readonly<Record<Rail, string>> = { checkout: 'Pay by card', invoice: 'Pay by bank transfer' };

const MAY_PAY: ReadonlySet<SituationName> = new Set([
  'open',
  'session',
  'invoice_wanted',
  'invoice_requested',
  'invoice_withdrawn',
]);

/** A separate text as part of a sentence. */
const withoutCapital = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** The ways to pay; the chosen one first. Choosing another one opens it on this page. */
const methodsOf = (shown: PayPage, situation: Situation) => {
  if (!MAY_PAY.has(situation.name)) return [];
  return [...shown.options]
    .sort((a, b) => Number(b.rail === shown.rail) - Number(a.rail === shown.rail))
    .map(({ rail, clears }) => ({
      rail,
      title: RAIL_WORDS[rail],
      clears: `Clears ${withoutCapital(clears)}.`,
      chosen: rail === shown.rail,
      label: situation.name === 'session' && rail === 'checkout' ? 'Continue to the card payment' : RAIL_WORDS[rail],
    }));
};

/** Where the printed documents of an order are; null while there are none. */
const documentLinks = (token: string, shown: PayPage) => ({
  invoice: hasInvoice(shown) ? `/pay/${token}/invoice` : null,
  receipt: hasReceipt(shown) ? `/pay/${token}/receipt` : null,
});

export const hasInvoice = ({ invoice }: PayPage): boolean => invoice?.state === 'sent' || invoice?.state === 'paid';

export const hasReceipt = ({ paid_at }: PayPage): boolean => paid_at !== null;

export type Beside = { notice?: string | null; shown?: Shown; typed?: InvoiceTyped };

/** The pay page (docs/domain/orders.md#payment-link). */
export const payModel = (token: string, shown: PayPage, signer: Signer, beside: Beside = {}) => {
  const situation = situationOf(shown);
  const { notice = null, shown: wrong = NOTHING_WRONG, typed = typedBefore(shown.invoice) } = beside;
  const { seller } = shown;
  return {
    ...commonFields(token, shown),
    ...wrong,
    title: `${shown.company ?? shown.campaign}: ${stateLabel(shown.payment_state)}`,
    heading: shown.company ?? 'Your order',
    secretUrl: true,
    rail: notice,
    situation,
    canReload: situation.name === 'session' || situation.name === 'processing',
    methods: methodsOf(shown, situation),
    cardsRefuse: cardsRefuse(shown),
    form: invoiceForm(typed, wrong, situation.name === 'invoice_requested'),
    bank: situation.name === 'invoice_sent' ? { lines: seller.bank, reference: shown.invoice?.number ?? null } : null,
    documents: documentLinks(token, shown),
    orderNumber: shown.order_number,
    seller,
    posts: plural(shown.posts, 'post'),
    formats: shown.formats.map(formatWords),
    launch: launchWindow(shown),
    payBy: shown.payment_state === 'unpaid' ? day(shown.pay_by) : null,
    signedBy: signerWords(signer),
    signedAt: moment(shown.signed_at),
    termsVersion: shown.terms_version,
    refunds: refundRules(shown),
  };
};

/** The refund rules in sentences (docs/domain/orders.md#credits). */
const refundRules = ({ paid_at }: PayPage): string[] => [
  ...(paid_at === null ? ['Before payment, this order can be cancelled at no cost.'] : []),
  'After payment, our team cancels posts on request: a post cancelled at least 48 hours before its day is credited in full, a booked post later than that by half, and a post that is live not at all.',
  'A post that never appears, is removed within 7 days or lacks its disclosure is credited in full, unless it is put right. Refunds go back the way the money came.',
];
