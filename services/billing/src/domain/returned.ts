// What money that went back unasked, or came back, does to credits (docs/domain/orders.md#refunds).
import { namedUuid } from '@cds/service/named-uuid';
import { type Credit, repaidBy, uncredited } from './credit.js';
import type { Order } from './order.js';
import type { LedgerEntry } from './order-state.js';
import { asBooked, EXCESS, type NewEntry } from './payment-event.js';
import {
  creditsPaidBy,
  excessOf,
  isNamedAlike,
  keptRefunds,
  nextRefOf,
  type Refund,
  refundNameOf,
  refundRefOf,
  refundRefOfReturn,
  repayableOf,
  returnOf,
  roomForCredits,
  unpaidCredits,
} from './refund.js';

type Of = {
  order: Pick<Order, '_id' | 'ws' | 'lines' | 'payment_state'>;
  entries: readonly LedgerEntry[];
  credits: readonly Credit[];
  openRefunds: readonly Refund[];
};

export type Followed = { entries: readonly NewEntry[]; credits: readonly Credit[] };

/**
 * What went back pays due credits; what came back first settles what went back twice, and the rest is owed again. A
 * fully refunded order has no lines any more, so it becomes cancelled once money comes back, and owes all of it.
 */
export const followed = (
  of: Of,
  made: readonly NewEntry[],
  by: Pick<LedgerEntry, 'rail' | 'actor' | 'at'>,
): Followed => {
  const after = [...of.entries, ...made.map((one) => asBooked(of.order, one, by))];
  const entries = [...made, ...settledExcess(after)];
  let credits = of.credits;
  for (const entry of entries) {
    if (entry.kind === 'refund') credits = paidBy(credits, of.openRefunds, -entry.amount_cents, entry.rail_ref);
    if (entry.kind === 'refund_returned') credits = owedAgain({ ...of, credits }, entry, by);
  }
  const cameBack = entries.reduce(
    (sum, { kind, amount_cents: cents }) => (kind === 'refund' || kind === 'refund_returned' ? sum + cents : sum),
    0,
  );
  if (cameBack <= 0 || of.order.payment_state !== 'refunded') return { entries, credits };
  const cancel: NewEntry = { kind: 'cancel', amount_cents: 0, rail_ref: of.order._id, cause: 'refunded' };
  const isCancelled = of.entries.some(({ kind }) => kind === 'cancel');
  return { entries: isCancelled ? entries : [...entries, cancel], credits };
};

/** Once money came back there is room for what went back twice, which becomes a refund of the order. */
const settledExcess = (entries: readonly LedgerEntry[]): NewEntry[] => {
  const made: NewEntry[] = [];
  for (const { payment, stray, left } of repayableOf(entries, [])) {
    let room = stray ? 0 : left;
    for (const one of excessOf(entries, payment)) {
      const cents = Math.min(room, one.kept_cents);
      if (cents <= 0) break;
      room -= cents;
      const { rail, actor, rail_ref: ref } = one;
      const of = { rail, actor, cause: EXCESS };
      const rail_ref = nextRefOf([...entries, ...made], refundNameOf(ref));
      made.push({ ...returnOf(one, cents, EXCESS, entries), ...of });
      made.push({ kind: 'refund', amount_cents: -cents, rail_ref, ...of });
    }
  }
  return made;
};

const paidBy = (
  credits: readonly Credit[],
  openRefunds: readonly Refund[],
  cents: number,
  ref: string,
): readonly Credit[] => {
  const { ids, credits: split } = taken(credits, unpaidCredits(credits, openRefunds), cents, ref);
  return split.map((one) => (ids.includes(one._id) ? { ...one, state: 'refunded', repaid_by: ref } : one));
};

/** What the payment has no room for was returned at the rail; each refund pays at most its own amount. */
export const withinRoom = (
  entries: readonly LedgerEntry[],
  credits: readonly Credit[],
  openRefunds: readonly Refund[],
): readonly Credit[] => {
  let excess = -roomForCredits(entries, credits, openRefunds);
  let paid = credits;
  for (const { kind, actor, rail_ref: ref, kept_cents: cents } of keptRefunds(entries).toReversed()) {
    if (kind !== 'refund' || !actor.startsWith('rail:')) continue;
    const own = Math.min(excess, cents - sumOfCredits(paid.filter(({ repaid_by }) => repaid_by === ref)));
    if (own <= 0) continue;
    excess -= own;
    paid = paidBy(paid, openRefunds, own, ref);
  }
  return paid;
};

/**
 * A repayment of ours that was made. The team's transfers are made before they are booked, so the same money may have
 * been returned at the rail meanwhile: what there was no room for is a stray refund, and those refunds pay the credits.
 */
export const madeAsAsked = (
  { order, entries, credits, openRefunds }: Of,
  refund: Refund,
  by: Pick<LedgerEntry, 'rail' | 'actor' | 'at'>,
): Followed & { paid: readonly string[] } => {
  const { amount_cents: cents, stray, line_id, cause } = refund;
  const of = { rail_ref: refundRefOf(refund), cause, line_id };
  const left = repayableOf(entries, []).find((one) => one.payment === refund.payment && one.stray === stray)?.left ?? 0;
  const own = stray ? 0 : Math.max(0, Math.min(cents, left));
  const made: NewEntry[] = [
    { kind: 'refund' as const, amount_cents: -own, ...of },
    { kind: 'stray_refund' as const, amount_cents: own - cents, ...of },
  ].filter(({ amount_cents }) => amount_cents < 0);
  const wanted = credits.filter(({ _id }) => creditsPaidBy(refund).includes(_id));
  const { ids, credits: split } = taken(credits, wanted, own, of.rail_ref);
  const after = [...entries, ...made.map((one) => asBooked(order, one, by))];
  return { entries: made, credits: withinRoom(after, repaidBy(split, ids, of.rail_ref), openRefunds), paid: ids };
};

/** `cents` of some credits, oldest first; the last one is split if it is larger. */
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
      // A credit may be split again under the same reference when what paid it comes back.
      const _id = namedUuid('credit', one._id, ref, String(all.length));
      const rest = { ...one, _id, amount_cents: one.amount_cents - open };
      all = [...all.map((each) => (each._id === one._id ? { ...each, amount_cents: open } : each)), rest];
    }
    open -= one.amount_cents;
  }
  return { ids, credits: all };
};

/** Last lines first, as the refund took it. A won dispute leaves the money with a live order. */
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

/** Credits of older releases do not name the refund that paid them. */
export const withRepaidBy = (credits: readonly Credit[], asked: readonly Refund[]): readonly Credit[] =>
  credits.map((credit) => {
    if (credit.state !== 'refunded' || credit.repaid_by !== undefined) return credit;
    const refund = asked.find((one) => one.state === 'done' && creditsPaidBy(one).includes(credit._id));
    return refund === undefined ? credit : { ...credit, repaid_by: refundRefOf(refund) };
  });

export const cameBackIn = (made: readonly NewEntry[], done: readonly Refund[]): Refund[] =>
  done.filter((refund) =>
    made.some(
      ({ kind, rail_ref }) =>
        (kind === 'refund_returned' || kind === 'stray_refund_returned') &&
        isNamedAlike(refundRefOfReturn(rail_ref), refundRefOf(refund)),
    ),
  );
