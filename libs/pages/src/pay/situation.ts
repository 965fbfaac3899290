import type { PayPage } from '@cds/contracts';
import { day, money, stateLabel } from '../foundation/format.js';

export type SituationName =
  | 'open'
  | 'session'
  | 'invoice_wanted'
  | 'invoice_requested'
  | 'invoice_withdrawn'
  | 'closed'
  | 'not_for_cards'
  | 'expired'
  | 'processing'
  | 'invoice_sent'
  | 'paid'
  | 'partially_refunded'
  | 'refunded'
  | 'cancelled';

/** What happened to an order, in a title, and what comes next, in sentences. */
export type Situation = {
  name: SituationName;
  label: string;
  kind: 'info' | 'good' | 'warn';
  title: string;
  texts: string[];
};

const unpaidName = (shown: PayPage): SituationName => {
  const { expired, options, invoice, rail, session } = shown;
  if (expired) return 'expired';
  const isForCards = cardsRefuse(shown) === null;
  if (options.length === 0) return isForCards ? 'closed' : 'not_for_cards';
  // An invoice that its payer gave up for another way to pay was never sent.
  if (invoice?.state === 'withdrawn' && invoice.sent_at !== null) return 'invoice_withdrawn';
  if (rail === 'checkout') return session === null || !isForCards ? 'open' : 'session';
  if (invoice?.state === 'requested') return 'invoice_requested';
  return options.some((option) => option.rail === 'invoice') ? 'invoice_wanted' : 'open';
};

/** The state of an order (docs/domain/orders.md#payment-states), split by what its payer does next. */
export const situationName = (shown: PayPage): SituationName => {
  switch (shown.payment_state) {
    case 'unpaid':
      return unpaidName(shown);
    case 'processing':
      return shown.invoice?.state === 'sent' ? 'invoice_sent' : 'processing';
    case 'paid':
    case 'partially_refunded':
    case 'refunded':
    case 'cancelled':
      return shown.payment_state;
    default:
      return 'closed';
  }
};

/** "Card payments end at $999,999.99", for an order above it, "begin at" for one below; null for any other. */
export const cardsRefuse = ({
  cards_end_at_cents: end,
  cards_begin_at_cents: begin,
  currency,
}: PayPage): string | null => {
  if (end !== undefined) return `Card payments end at ${money(end, currency)}`;
  return begin === undefined ? null : `Card payments begin at ${money(begin, currency)}`;
};

const whomToAsk = ({ seller, order_number: number }: PayPage): string =>
  seller.email === ''
    ? 'Ask whoever sent you this link; they can reach our team.'
    : `Write to ${seller.email} and name order ${number}.`;

type Words = Pick<Situation, 'kind' | 'title' | 'texts'>;

const on = (at: string | null): string => (at === null ? '' : ` on ${day(at)}`);

/** "Invoice 2026-0042", or "The invoice" before it has a number. */
const invoiceName = ({ invoice }: PayPage): string =>
  invoice?.number == null ? 'The invoice' : `Invoice ${invoice.number}`;

/** How a paid order ended, if not with its last post. */
const ENDED_AFTER_PAYMENT: ReadonlyMap<PayPage['cancel_cause'], string> = new Map([
  ['team', 'Our team cancelled it'],
  ['refunded', 'It was refunded, and your bank sent money of that back to us'],
]);

const cancelledWords = (shown: PayPage): Words => {
  const when = on(shown.cancelled_at);
  const again = 'The same posts can be bought with a new campaign.';
  if (shown.paid_at !== null) {
    const ended = ENDED_AFTER_PAYMENT.get(shown.cancel_cause) ?? 'The last of its posts was cancelled';
    const back = money(shown.refunded_cents, shown.currency);
    const refunded = shown.refunded_cents === 0 ? 'No refund was made yet.' : `${back} went back so far.`;
    return {
      kind: 'warn',
      title: 'This order was cancelled after it was paid',
      texts: [`${ended}${when}. ${refunded}`, 'What is credited to you goes back the way the money came.'],
    };
  }
  switch (shown.cancel_cause) {
    case 'unpaid':
      return {
        kind: 'info',
        title: 'This order was cancelled because it was not paid in time',
        texts: [`The last day to pay was ${day(shown.pay_by)}. Nothing was charged, and nothing is due.`, again],
      };
    case 'brand':
      return {
        kind: 'info',
        title: 'Your company cancelled this order',
        texts: [`It was cancelled${when}, before any payment. Nothing was charged, and nothing is due.`, again],
      };
    case 'team':
    case 'refunded':
    case null:
      return {
        kind: 'info',
        title: shown.cancel_cause === 'team' ? 'Our team cancelled this order' : 'This order was cancelled',
        texts: [`It was cancelled${when}, before any payment. Nothing was charged, and nothing is due.`, again],
      };
  }
};

const WORDS: Readonly<Record<SituationName, (shown: PayPage) => Words>> = {
  open: (shown) => ({
    kind: 'info',
    title: `Please pay by ${day(shown.pay_by)}`,
    texts: [
      'Once it is paid, the posts are offered to their creators. An order that is not paid in time is cancelled at no cost.',
    ],
  }),
  session: (shown) => ({
    kind: 'info',
    title: 'A card payment was started',
    texts: [
      'If you have just paid, it shows here within a minute: open this page again. You are never charged twice.',
      `Otherwise continue where you left off, until ${day(shown.pay_by)}.`,
    ],
  }),
  invoice_wanted: (shown) => ({
    kind: 'info',
    title: `Please pay by ${day(shown.pay_by)}`,
    texts: ['To pay by bank transfer, say whom the invoice is made out to. We then send it with our bank details.'],
  }),
  invoice_requested: () => ({
    kind: 'info',
    title: 'We are making out your invoice',
    texts: [
      'We have your details and will send the invoice. It then shows here too, with its number, due day and bank details.',
      'Nothing is due before that. Until then you can correct the details below.',
    ],
  }),
  invoice_withdrawn: (shown) => ({
    kind: 'warn',
    title: `${invoiceName(shown)} was withdrawn`,
    texts: [
      ...(shown.invoice?.withdrawn_reason == null ? [] : [`Our team says: ${shown.invoice.withdrawn_reason}`]),
      `Please do not pay it any more. Choose below how to pay, until ${day(shown.pay_by)}.`,
    ],
  }),
  closed: (shown) => ({
    kind: 'warn',
    title: 'Payments are closed at the moment',
    texts: [`Your order stays as it is. Please come back later; it can be paid until ${day(shown.pay_by)}.`],
  }),
  not_for_cards: (shown) => ({
    kind: 'warn',
    title: `This order is too ${shown.cards_end_at_cents === undefined ? 'small' : 'large'} for a card`,
    texts: [
      `${cardsRefuse(shown) ?? ''}, and bank transfer is not offered at the moment. ${whomToAsk(shown)}`,
      `Your order stays as it is; it can be paid until ${day(shown.pay_by)}.`,
    ],
  }),
  expired: (shown) => ({
    kind: 'warn',
    // It ends at the hour of the signing, so on the day that was named.
    title: 'The time to pay is over',
    texts: [
      `It ended on ${day(shown.pay_by)}. This order can no longer be paid and will be cancelled at no cost.`,
      'The same posts can be bought with a new campaign.',
    ],
  }),
  processing: () => ({
    kind: 'info',
    title: 'Your payment is on its way',
    texts: [
      'It was accepted and has not cleared yet. There is nothing more to do; this page shows when it has arrived.',
    ],
  }),
  invoice_sent: (shown) => ({
    kind: 'info',
    title: `${invoiceName(shown)} is due${on(shown.invoice?.due_on ?? null)}`,
    texts: [
      `Please transfer ${money(shown.total_cents, shown.currency)} and name the invoice. Once the money has arrived, the order is paid and the posts are offered to their creators.`,
    ],
  }),
  paid: (shown) => ({
    kind: 'good',
    title: `Paid${on(shown.paid_at)}`,
    texts: ['Thank you. The posts are offered to their creators now, and nothing more is due.'],
  }),
  partially_refunded: (shown) => ({
    kind: 'good',
    title: `${money(shown.refunded_cents, shown.currency)} of your payment went back`,
    texts: [
      `You paid ${money(shown.total_cents, shown.currency)}${on(shown.paid_at)}.`,
      `After what went back, ${money(shown.total_cents - shown.refunded_cents, shown.currency)} of it is left.`,
    ],
  }),
  refunded: (shown) => ({
    kind: 'good',
    title: `Refunded${on(shown.refunded_at)}`,
    texts: [
      `You paid ${money(shown.total_cents, shown.currency)}${on(shown.paid_at)}, and all of it went back the way it came. Your bank may take some days to show it.`,
    ],
  }),
  cancelled: cancelledWords,
};

/** What the page says at its top (docs/domain/orders.md#payment-link). */
export const situationOf = (shown: PayPage): Situation => {
  const name = situationName(shown);
  return { name, label: stateLabel(shown.payment_state), ...WORDS[name](shown) };
};
