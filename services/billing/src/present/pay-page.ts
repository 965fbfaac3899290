import { CANCEL_CAUSES, type PayPage, type Seller } from '@cds/contracts';
import { dayOf } from '@cds/service/calendar';
import { type Offer, PAYMENT_OPTIONS } from '../domain/offer.js';
import { type Order, orderNumberOf } from '../domain/order.js';
import { type LedgerEntry, refundedOf } from '../domain/order-state.js';
import { presentInvoice } from './books.js';

type Shown = {
  order: Order;
  entries: readonly LedgerEntry[];
  invoice: Parameters<typeof presentInvoice>[0] | null;
};

/** Never shows a creator (docs/domain/orders.md#payment-link). */
export const presentPayPage = (
  { order, entries, invoice }: Shown,
  of: { offer: Offer; seller: Seller; now: Date; formToken: string },
): PayPage => ({
  order_id: order._id,
  order_number: orderNumberOf(order._id),
  workspace: order.ws,
  key_id: order.key_id,
  sandbox: order.sandbox,
  seller: of.seller,
  company: order.campaign.company,
  campaign: order.campaign.campaign,
  posts: order.lines.length,
  formats: formatsOf(order),
  launch_window_start: order.campaign.launch_window_start,
  launch_window_end: order.campaign.launch_window_end,
  terms_version: order.terms_version,
  total_cents: order.total_cents,
  refunded_cents: refundedOf(entries),
  currency: order.currency,
  payment_state: order.payment_state,
  signed_at: order.signed_at.toISOString(),
  paid_at: order.paid_at?.toISOString() ?? null,
  refunded_at: order.refunded_at?.toISOString() ?? null,
  cancelled_at: order.cancelled_at?.toISOString() ?? null,
  cancel_cause: cancelCauseOf(entries),
  rail: order.rail,
  options: order.payment_state === 'unpaid' ? optionsOf(order, invoice, of.offer) : [],
  ...(order.payment_state === 'unpaid' && cardsOf(of.offer)),
  pay_by: dayOf(order.pay_expires_at),
  expired: order.payment_state === 'unpaid' && of.now >= order.pay_expires_at,
  form_token: of.formToken,
  session:
    order.session === null || order.session.state === 'closed'
      ? null
      : { generation: order.session.generation, state: order.session.state },
  invoice: invoice === null ? null : presentInvoice(invoice),
});

const cardsOf = ({
  cardsEndAt,
  cardsBeginAt,
}: Offer): Pick<PayPage, 'cards_end_at_cents' | 'cards_begin_at_cents'> => ({
  ...(cardsEndAt !== null && { cards_end_at_cents: cardsEndAt }),
  ...(cardsBeginAt !== null && { cards_begin_at_cents: cardsBeginAt }),
});

/** A requested invoice continues, and can be corrected, even if invoices are no longer offered. */
const optionsOf = ({ rail }: Order, invoice: Shown['invoice'], { options }: Offer): PayPage['options'] => {
  const isAsked = rail === 'invoice' && invoice?.state === 'requested';
  return isAsked && !options.some((option) => option.rail === 'invoice')
    ? [...options, PAYMENT_OPTIONS.invoice]
    : options;
};

const formatsOf = ({ lines }: Order): PayPage['formats'] => {
  const posts = new Map<string | null, number>();
  for (const { format } of lines) posts.set(format, (posts.get(format) ?? 0) + 1);
  return [...posts]
    .map(([format, count]) => ({ format, posts: count }))
    .sort((one, other) => other.posts - one.posts || String(one.format).localeCompare(String(other.format)));
};

const cancelCauseOf = (entries: readonly LedgerEntry[]): PayPage['cancel_cause'] => {
  const cause = entries.find(({ kind }) => kind === 'cancel')?.cause;
  return CANCEL_CAUSES.find((known) => known === cause) ?? null;
};
