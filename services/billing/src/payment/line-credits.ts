import type { EventPayload } from '@cds/contracts';
import type { Audit, Audited, Outbox, Tx } from '@cds/service';
import { type Credit, creditsOfLine, withOwed } from '../domain/credit.js';
import type { Order } from '../domain/order.js';
import { roomForCredits } from '../domain/refund.js';
import type { Books } from '../present/books.js';
import type { Credits } from '../store/credits.js';
import type { Ledger } from '../store/ledger.js';
import type { Orders } from '../store/orders.js';
import type { Refunds } from '../store/refunds.js';
import { type Booking, bookingOf, saveBooking } from './booking.js';

type Deps = { orders: Orders; ledger: Ledger; credits: Credits; refunds: Refunds; outbox: Outbox; audit: Audit };
type LineChanged = EventPayload<'line.changed'>;

/** Source: docs/domain/orders.md#credits, docs/domain/orders.md#payment-states. */
export class LineCredits {
  constructor(private readonly deps: Deps) {}

  /** A newer event names everything that an older one did. */
  async follow(tx: Tx, line: LineChanged, at: Date): Promise<void> {
    const owed = line.credits ?? [];
    const ends = hasEnded(line);
    const { orders, ledger, credits, refunds, outbox, audit } = this.deps;
    const order = await orders.byId(line.workspace, line.order_id, tx);
    const signed = order?.lines.find(({ line_id }) => line_id === line.line_id);
    if (order === null || signed === undefined) return;

    const entries = await ledger.of(order.ws, order._id, tx);
    const existing = await credits.of(order.ws, order._id, tx);
    const openRefunds = await refunds.openOf(order.ws, order._id, tx);
    const room = roomForCredits(entries, existing, openRefunds);
    const made = creditsOfLine(
      { ws: order.ws, order_id: order._id, line: signed, lines: order.lines },
      owed,
      existing,
      room,
    );
    const ended = ends ? withEnded(order, line.line_id) : order;
    const noted = withOwed(
      ended,
      owed.map(({ cause, amount_cents, at }) => ({ line_id: line.line_id, cause, amount_cents, at: new Date(at) })),
    );
    if (made.length === 0 && noted === order) return;

    const books = { order, entries, credits: existing };
    const booking = bookingAfter(books, noted, [...existing, ...made], endOf(noted, line));
    await saveBooking(tx, { orders, ledger }, booking);
    await credits.add(tx, made);
    await outbox.add(tx, booking.events, at);
    await audit.add(tx, [...booking.audit, ...made.map(creditMade)], at);
  }
}

export const creditMade = ({ _id, ws, order_id, line_id, cause, amount_cents }: Credit): Audited => ({
  ws,
  actor: 'system',
  action: 'credit.make',
  object: order_id,
  payload: { credit_id: _id, line_id, cause, amount_cents },
});

const hasEnded = (line: LineChanged): boolean => line.cancelled && line.cancel_cause != null;

export const changesOrder = (line: LineChanged): boolean => (line.credits ?? []).length > 0 || hasEnded(line);

/** A proposal may have moved long before, so it counts only if later. */
const endOf = ({ owed = [] }: Order, { proposal }: LineChanged): Date =>
  new Date(Math.max(Date.parse(proposal.updated_at), ...owed.map(({ at }) => at.getTime())));

const withEnded = (order: Order, lineId: string): Order => {
  const ended = order.ended_lines ?? [];
  return ended.includes(lineId) ? order : { ...order, ended_lines: [...ended, lineId] };
};

const bookingAfter = (before: Books, order: Order, credits: readonly Credit[], at: Date): Booking => {
  const paid = order.payment_state === 'paid' || order.payment_state === 'partially_refunded';
  const over = paid && order.lines.every(({ line_id }) => order.ended_lines?.includes(line_id) === true);
  const cancel = { kind: 'cancel' as const, amount_cents: 0, rail_ref: order._id, cause: 'lines' };
  return bookingOf(
    before,
    { entries: over ? [cancel] : [], credits, order },
    { actor: 'system', rail: order.rail, at },
  );
};
