import { namedUuid } from '@cds/service/named-uuid';
import { type Credit, uncredited } from './credit.js';
import type { Order } from './order.js';
import type { LedgerEntry } from './order-state.js';
import type { NewEntry } from './payment-event.js';
import {
  creditsPaidBy,
  type Refund,
  refundRefOf,
  refundRefOfReturn,
  roomForCredits,
  standingRefunds,
  unpaidCredits,
} from './refund.js';

// What money that went back without a request of ours, or that came back, does to the credits of an order
// (docs/domain/orders.md#refunds).

type Of = {
  order: Pick<Order, '_id' | 'ws' | 'lines' | 'payment_state'>;
  entries: readonly LedgerEntry[];
  credits: readonly Credit[];
  openRefunds: readonly Refund[];
};

/** What a rail's event books, with what follows from it: the end of an order, and all credits after it. */
export type Followed = { entries: readonly NewEntry[]; credits: readonly Credit[] };

/**
 * Entries that nobody asked for here, with what follows from them. What went back pays due credits; what came back is
 * owed again. An order that was refunded in full has no lines any more, so it ends as cancelled once money of it comes
 * back, and owes all of that.
 */
export const followed = (of: Of, made: readonly NewEntry[], by: { actor: string; at: Date }): Followed => {
  let credits = of.credits;
  for (const entry of made) {
    if (entry.kind === 'refund') credits = paidBy(credits, of.openRefunds, -entry.amount_cents, entry.rail_ref);
    if (entry.kind === 'refund_returned') credits = owedAgain({ ...of, credits }, entry, by);
  }
  const cameBack = made.some(({ kind, amount_cents: cents }) => kind === 'refund_returned' && cents > 0);
  if (!cameBack || of.order.payment_state !== 'refunded') return { entries: made, credits };
  const cancel: NewEntry = { kind: 'cancel', amount_cents: 0, rail_ref: of.order._id, cause: 'refunded' };
  const isCancelled = of.entries.some(({ kind }) => kind === 'cancel');
  return { entries: isCancelled ? made : [...made, cancel], credits };
};

/** The credits with `cents` of the due ones paid out by a refund of this reference, oldest first. */
const paidBy = (
  credits: readonly Credit[],
  openRefunds: readonly Refund[],
  cents: number,
  ref: string,
): readonly Credit[] => {
  const { ids, credits: split } = taken(credits, unpaidCredits(credits, openRefunds), cents, ref);
  return split.map((one) => (ids.includes(one._id) ? { ...one, state: 'refunded', repaid_by: ref } : one));
};

/**
 * The credits once a request for a repayment was refused: what the payment has no room for any more, somebody returned
 * at the rail itself.
 */
export const withinRoom = (
  entries: readonly LedgerEntry[],
  credits: readonly Credit[],
  openRefunds: readonly Refund[],
): readonly Credit[] => {
  const excess = -roomForCredits(entries, credits, openRefunds);
  const newest = standingRefunds(entries).findLast(({ kind, actor }) => kind === 'refund' && actor.startsWith('rail:'));
  return excess <= 0 || newest === undefined ? credits : paidBy(credits, openRefunds, excess, newest.rail_ref);
};

/** So many cents of some credits, oldest first, by id: the last one is split where it is more than that. */
export const taken = (
  credits: readonly Credit[],
  of: readonly Credit[],
  cents: number,
  ref: string,
): { ids: string[]; credits: readonly Credit[] } => {
  const ids: string[] = [];
  let open = cents;
  let all = credits;
  for (const one of of) {
    if (open <= 0) break;
    ids.push(one._id);
    if (one.amount_cents > open) {
      // A credit may be split again, under the same reference, when what paid it comes back.
      const _id = namedUuid('credit', one._id, ref, String(all.length));
      const rest = { ...one, _id, amount_cents: one.amount_cents - open };
      all = [...all.map((each) => (each._id === one._id ? { ...each, amount_cents: open } : each)), rest];
    }
    open -= one.amount_cents;
  }
  return { ids, credits: all };
};

/**
 * What came back of a refund is owed again: the credits that it paid, and for the rest what the lines keep of their
 * prices, of the last lines first, as the refund took it. A dispute that was won leaves the money with a live order.
 */
const owedAgain = (of: Of, entry: NewEntry, { actor, at }: { actor: string; at: Date }): readonly Credit[] => {
  const { order, entries } = of;
  const ref = refundRefOfReturn(entry.rail_ref);
  const paid = of.credits.filter(({ state, repaid_by }) => state === 'refunded' && repaid_by === ref);
  const { ids, credits: split } = taken(of.credits, paid, entry.amount_cents, entry.rail_ref);
  const due = split.map((one): Credit => (ids.includes(one._id) ? dueAgain(one) : one));
  const isOver = order.payment_state === 'refunded' || order.payment_state === 'cancelled';
  if (entry.cause === 'dispute' && !isOver) return due;

  let open = entry.amount_cents - sumOfCredits(due.filter(({ _id }) => ids.includes(_id)));
  const made: Credit[] = [];
  for (const line of order.lines.toReversed()) {
    const cents = Math.min(open, uncredited(line, due));
    if (cents <= 0) continue;
    open -= cents;
    made.push({
      _id: namedUuid('credit', order._id, line.line_id, entry.rail_ref, String(entries.length)),
      ws: order.ws,
      order_id: order._id,
      line_id: line.line_id,
      cause: 'remedy',
      amount_cents: cents,
      state: 'due',
      note: null,
      came_back: true,
      actor,
      at,
    });
  }
  return [...due, ...made];
};

const dueAgain = ({ repaid_by: _ref, ...credit }: Credit): Credit => ({ ...credit, state: 'due', came_back: true });

export const sumOfCredits = (credits: readonly Credit[]): number =>
  credits.reduce((sum, one) => sum + one.amount_cents, 0);

/** The credits, each with the refund that paid it out; those of older releases name none. */
export const withRepaidBy = (credits: readonly Credit[], asked: readonly Refund[]): readonly Credit[] =>
  credits.map((credit) => {
    if (credit.state !== 'refunded' || credit.repaid_by !== undefined) return credit;
    const refund = asked.find((one) => one.state === 'done' && creditsPaidBy(one).includes(credit._id));
    return refund === undefined ? credit : { ...credit, repaid_by: refundRefOf(refund) };
  });

/** The repayments of ours that entries say came back. */
export const cameBackIn = (made: readonly NewEntry[], done: readonly Refund[]): Refund[] =>
  done.filter((refund) =>
    made.some(
      ({ kind, rail_ref }) =>
        (kind === 'refund_returned' || kind === 'stray_refund_returned') && rail_ref === refundRefOf(refund),
    ),
  );
