import type { EventPayload, Invoice, InvoiceDetails, OpsCredit, OpsOrder } from '@cds/contracts';
import { dayOf } from '@cds/service/calendar';
import type { Credit } from '../domain/credit.js';
import { type Order, orderNumberOf } from '../domain/order.js';
import { moneyOf } from '../domain/order-money.js';
import type { LedgerEntry } from '../domain/order-state.js';
import type { Refund } from '../domain/refund.js';

export type Books = { order: Order; entries: readonly LedgerEntry[]; credits: readonly Credit[] };

type KeptInvoice = Pick<Invoice, 'state' | 'number' | 'due_on' | 'withdrawn_reason'> & {
  details: InvoiceDetails;
  sent_at: Date | null;
  paid_at: Date | null;
};

type OpsKeptInvoice = KeptInvoice & {
  bank_reference: string | null;
  later_transfers?: { payment: string; bank_reference: string; amount_cents: number; paid_at: Date }[];
};

const presentAccount = ({ order, entries, credits }: Books): NonNullable<EventPayload<'order.changed'>['books']> => {
  const money = moneyOf(order, entries, credits);
  const moneyOfLine = new Map(money.lines.map((line) => [line.line_id, line]));
  return {
    order_number: orderNumberOf(order._id),
    receipt_id: order.receipt_id ?? null,
    received_cents: money.received,
    refunds: money.refunds.map(({ _id, kept_cents: cents, line_id, at }) => ({
      id: _id,
      amount_cents: cents,
      line_id,
      at: at.toISOString(),
    })),
    credits: credits.toSorted(oldestFirst).map(presentCredit),
    committed_cents: money.committed,
    unused_cents: money.unused,
    stray_cents: money.stray,
    lines: order.lines.map(({ line_id, number, price_cents }) => {
      const { committed, money: doing } = moneyOfLine.get(line_id) ?? { committed: 0, money: 'committed' as const };
      return { line_id, number, price_cents, committed_cents: committed, money: doing };
    }),
  };
};

const oldestFirst = (one: Credit, other: Credit): number =>
  one.at.getTime() - other.at.getTime() || (one._id < other._id ? -1 : 1);

export const presentBooks = (books: Books) => {
  const { order } = books;
  return {
    id: order._id,
    plan_id: order.plan_id,
    campaign_id: order.campaign.campaign_id,
    campaign: order.campaign.campaign,
    refunded_at: order.refunded_at?.toISOString() ?? null,
    cancelled_at: order.cancelled_at?.toISOString() ?? null,
    ...presentAccount(books),
  };
};

export const presentOrderChanged = (books: Books): EventPayload<'order.changed'> => {
  const { order } = books;
  return {
    aggregate: order._id,
    version: order.version,
    workspace: order.ws,
    sandbox: order.sandbox,
    order_id: order._id,
    plan_id: order.plan_id,
    key_id: order.key_id,
    payment_state: order.payment_state,
    total_cents: order.total_cents,
    currency: order.currency,
    signed_at: order.signed_at.toISOString(),
    paid_at: order.paid_at?.toISOString() ?? null,
    refunded_at: order.refunded_at?.toISOString() ?? null,
    cancelled_at: order.cancelled_at?.toISOString() ?? null,
    campaign: order.campaign,
    lines: order.lines,
    books: presentAccount(books),
    ...(order.ended_lines !== undefined && { ended_lines: order.ended_lines }),
  };
};

const presentCredit = ({ _id, line_id, cause, amount_cents, state }: Credit) => ({
  id: _id,
  line_id,
  cause,
  amount_cents,
  state,
});

export const presentOpsCredit = (credit: Credit): OpsCredit => ({
  ...presentCredit(credit),
  order_id: credit.order_id,
  workspace: credit.ws,
  note: credit.note,
  at: credit.at.toISOString(),
});

export const presentInvoice = (invoice: KeptInvoice): Invoice => ({
  state: invoice.state,
  details: invoice.details,
  number: invoice.number,
  due_on: invoice.due_on,
  sent_at: invoice.sent_at?.toISOString() ?? null,
  paid_at: invoice.paid_at?.toISOString() ?? null,
  withdrawn_reason: invoice.withdrawn_reason,
});

const presentOpsInvoice = (invoice: OpsKeptInvoice): NonNullable<OpsOrder['invoice']> => ({
  ...presentInvoice(invoice),
  bank_reference: invoice.bank_reference,
  later_transfers: (invoice.later_transfers ?? []).map(({ payment, bank_reference, amount_cents, paid_at }) => ({
    rail_ref: payment,
    bank_reference,
    amount_cents,
    paid_at: paid_at.toISOString(),
  })),
});

export const presentOpsOrder = (
  books: Books & { invoice: OpsKeptInvoice | null; openRefunds: readonly Refund[] },
): OpsOrder => {
  const { order, entries, invoice, openRefunds } = books;
  return {
    payment_state: order.payment_state,
    total_cents: order.total_cents,
    currency: order.currency,
    signed_at: order.signed_at.toISOString(),
    paid_at: order.paid_at?.toISOString() ?? null,
    ...presentBooks(books),
    workspace: order.ws,
    sandbox: order.sandbox,
    company: order.campaign.company,
    rail: order.rail,
    pay_by: dayOf(order.pay_expires_at),
    invoice: invoice === null ? null : presentOpsInvoice(invoice),
    pending_refunds: openRefunds.map((refund) => ({
      id: refund._id,
      amount_cents: refund.amount_cents,
      line_id: refund.line_id,
      requested_at: refund.at.toISOString(),
    })),
    ledger: entries.map(({ _id, seq, kind, amount_cents, rail, rail_ref, line_id, cause, actor, at }) => ({
      id: _id,
      seq,
      kind,
      amount_cents,
      rail,
      rail_ref,
      line_id,
      cause,
      actor,
      at: at.toISOString(),
    })),
  };
};
