import type { Invoice, InvoiceDetails } from '@cds/contracts';
import { z } from 'zod';
import type { RailEvent } from '../../domain/payment-event.js';

/** Money for an invoice that was paid already; `payment` is its name in the ledger. */
export type LaterTransfer = { payment: string; bank_reference: string; amount_cents: number; paid_at: Date };

export type InvoiceRow = {
  _id: string;
  ws: string;
  order_id: string;
  sandbox: boolean;
  amount_cents: number;
  currency: string;
  state: Invoice['state'];
  details: InvoiceDetails;
  /** Set once sent: the number in the team's books and the due day. */
  number: string | null;
  due_on: string | null;
  sent_at: Date | null;
  paid_at: Date | null;
  bank_reference: string | null;
  later_transfers?: LaterTransfer[];
  withdrawn_reason: string | null;
  /** The team's transfers back, by refund id; `payment` if it repays a later transfer. */
  refunds: { key: string; amount_cents: number; bank_reference: string; payment?: string; came_back?: true }[];
  moved_at: Date;
  /** Counts every change, so that a correction and a move never overwrite each other. */
  rev: number;
};

export type InvoiceMove =
  | { kind: 'send'; number: string; due_on: string }
  | { kind: 'withdraw'; reason: string }
  | { kind: 'pay' | 'pay_late'; bank_reference: string };

const MOVES = {
  send: { from: ['requested'], to: 'sent', type: 'invoice.sent' },
  withdraw: { from: ['requested', 'sent'], to: 'withdrawn', type: 'invoice.withdrawn' },
  // The payer may pay twice.
  pay: { from: ['requested', 'sent', 'paid'], to: 'paid', type: 'invoice.paid' },
  // A transfer may be on its way when its invoice is withdrawn.
  pay_late: { from: ['withdrawn'], to: 'paid', type: 'invoice.paid' },
} as const satisfies Record<
  InvoiceMove['kind'],
  { from: InvoiceRow['state'][]; to: InvoiceRow['state']; type: string }
>;

const InvoiceEvent = z.object({
  id: z.string().min(1).max(200),
  type: z.string(),
  created: z.iso.datetime(),
  data: z.object({
    invoice: z.string(),
    order: z.string(),
    workspace: z.string(),
    sandbox: z.boolean(),
    amount_cents: z.int(),
    currency: z.string(),
    payment: z.string().optional(),
  }),
});
export type InvoiceEvent = z.infer<typeof InvoiceEvent>;

export const invoicePaymentOf = (railKey: string): string => `invoice_${railKey}`;

const laterPaymentOf = (railKey: string, nth: number): string => `${invoicePaymentOf(railKey)}+${nth}`;

export const railKeyOfPayment = (payment: string): string =>
  payment.slice(invoicePaymentOf('').length).replace(/\+\d+$/, '');

/** Spelling differences do not count: people type references and paste them from statements. */
const spellingOf = (reference: string): string =>
  reference
    .normalize('NFKC')
    .replace(/[\p{C}\p{Z}\s]/gu, '')
    .toLowerCase();

export const bookedTransfer = (
  { bank_reference: first, later_transfers: later = [] }: InvoiceRow,
  reference: string,
): string | null => {
  const known = [...(first === null ? [] : [first]), ...later.map(({ bank_reference }) => bank_reference)];
  return known.find((one) => spellingOf(one) === spellingOf(reference)) ?? null;
};

export const moveInvoice = (
  invoice: InvoiceRow,
  move: InvoiceMove,
  at: Date,
): { invoice: InvoiceRow; event: InvoiceEvent } | null => {
  const { from, to } = MOVES[move.kind];
  if (!(from as readonly string[]).includes(invoice.state)) return null;
  if (move.kind === 'pay' && invoice.state === 'paid') return paidAgain(invoice, move.bank_reference, at);
  const moved: InvoiceRow = {
    ...invoice,
    rev: invoice.rev + 1,
    state: to,
    moved_at: at,
    ...(move.kind === 'send' && { number: move.number, due_on: move.due_on, sent_at: at }),
    ...(move.kind === 'withdraw' && { withdrawn_reason: move.reason }),
    ...((move.kind === 'pay' || move.kind === 'pay_late') && { bank_reference: move.bank_reference, paid_at: at }),
  };
  return { invoice: moved, event: eventOf(moved, MOVES[move.kind].type) };
};

/** Null for a transfer booked already. */
const paidAgain = (
  invoice: InvoiceRow,
  reference: string,
  at: Date,
): { invoice: InvoiceRow; event: InvoiceEvent } | null => {
  if (bookedTransfer(invoice, reference) !== null) return null;
  const { later_transfers: before = [], amount_cents } = invoice;
  const payment = laterPaymentOf(invoice._id, before.length + 2);
  const later = { payment, bank_reference: reference, amount_cents, paid_at: at };
  const { id, data, ...event } = eventOf({ ...invoice, moved_at: at }, 'invoice.paid');
  return {
    invoice: { ...invoice, rev: invoice.rev + 1, later_transfers: [...before, later] },
    event: { ...event, id: `evt_${payment}`, data: { ...data, payment } },
  };
};

export const eventOfInvoice = (invoice: InvoiceRow): InvoiceEvent | null =>
  invoice.state === 'requested' ? null : eventOf(invoice, `invoice.${invoice.state}`);

const eventOf = (invoice: InvoiceRow, type: string): InvoiceEvent => ({
  id: `evt_${invoice._id}_${type}`,
  type,
  created: invoice.moved_at.toISOString(),
  data: {
    invoice: invoice._id,
    order: invoice.order_id,
    workspace: invoice.ws,
    sandbox: invoice.sandbox,
    amount_cents: invoice.amount_cents,
    currency: invoice.currency,
  },
});

const KIND_OF_TYPE: ReadonlyMap<string, RailEvent['kind']> = new Map([
  ['invoice.sent', 'pending'],
  ['invoice.withdrawn', 'failed'],
  ['invoice.paid', 'charge'],
]);

export const readInvoiceEvent = (raw: string): RailEvent | null => {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    return null;
  }
  const parsed = InvoiceEvent.safeParse(value);
  if (!parsed.success) return null;
  const { id, type, created, data } = parsed.data;
  return {
    event_id: id,
    kind: KIND_OF_TYPE.get(type) ?? 'none',
    order_id: data.order,
    workspace: data.workspace,
    sandbox: data.sandbox,
    amount_cents: data.amount_cents,
    currency: data.currency,
    rail_ref: data.payment ?? invoicePaymentOf(data.invoice),
    rail_key: data.invoice,
    cause: type,
    occurred_at: new Date(created),
  };
};
