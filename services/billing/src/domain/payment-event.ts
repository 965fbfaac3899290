// Events are judged by the existing entries, never by arrival (docs/domain/orders.md#rail-events).
import type { Order } from './order.js';
import { type LedgerEntry, type LedgerKind, stateOf, sumOf } from './order-state.js';
import {
  isNamedAlike,
  isOfPayment,
  type KeptRefund,
  keptRefunds,
  nextRefOf,
  refundRefOf,
  repayableOf,
  returnOf,
  TRANSFER,
} from './refund.js';

/** A refund's amount is cumulative; a returned refund's and a dispute's is its own. `task` changes no state. */
export type RailEvent = {
  event_id: string;
  kind:
    | 'charge'
    | 'pending'
    | 'failed'
    | 'closed'
    | 'refund'
    | 'returned'
    | 'dispute_lost'
    | 'dispute_won'
    | 'task'
    | 'none';
  order_id: string;
  workspace: string;
  sandbox: boolean;
  amount_cents: number;
  currency: string;
  rail_ref: string;
  rail_key: string | null;
  dispute?: string;
  /** What a lost dispute took from the rail's balance; absent if the rail does not say. */
  taken_cents?: number;
  /** The id of our repayment that came back; absent for a refund made at the rail itself. */
  repayment?: string;
  cause: string;
  occurred_at: Date;
};

export type NewEntry = Pick<LedgerEntry, 'kind' | 'amount_cents' | 'rail_ref' | 'cause'> &
  Partial<Pick<LedgerEntry, 'line_id' | 'rail' | 'actor'>>;

/** Entries that move no money: what went back twice becomes a refund. */
export const EXCESS = 'excess';

export type EventDecision =
  | { kind: 'quarantine'; reason: string }
  | { kind: 'park' }
  | { kind: 'apply'; entries: NewEntry[]; closesSession: boolean; opensTask?: true };

const OF_A_PAYMENT: readonly RailEvent['kind'][] = ['refund', 'returned', 'dispute_lost', 'dispute_won', 'task'];

const NOTHING: EventDecision = { kind: 'apply', entries: [], closesSession: false };

/**
 * Decides one event on an order and its ledger, oldest entry first: quarantine when rail or money are not the order's,
 * park a refund whose payment has not arrived, else the entries to book, none for a repeated event. `returnedNow` is
 * what the rail says it has returned of the payment; null if it does not say.
 */
export const decideEvent = (
  order: Order,
  entries: readonly LedgerEntry[],
  event: RailEvent,
  returnedNow: ReturnedNow | null = null,
): EventDecision => {
  if (event.sandbox !== order.sandbox) return { kind: 'quarantine', reason: 'rail' };

  const of = (...kinds: LedgerKind[]) =>
    entries.some((entry) => entry.rail_ref === event.rail_ref && kinds.includes(entry.kind));
  const entry = (kind: LedgerKind, amountCents: number): NewEntry => ({
    kind,
    amount_cents: amountCents,
    rail_ref: event.rail_ref,
    cause: event.cause,
  });
  const closesSession = order.session !== null && order.session.rail_key === event.rail_key;
  // An event of an earlier session says nothing about the current one; only its money counts.
  const stale = event.rail_key !== null && order.session?.rail_key !== event.rail_key;
  const state = stateOf(entries);
  // The ledger has one currency. A person returns such a payment at the rail; nothing that happens to it there concerns
  // the ledger.
  if (event.kind !== 'none' && event.currency !== order.currency) {
    if (event.kind === 'charge') return { kind: 'apply', entries: [], closesSession, opensTask: true };
    const isElsewhere = OF_A_PAYMENT.includes(event.kind) && chargedOf(entries, event.rail_ref) === 0;
    return isElsewhere ? NOTHING : { kind: 'quarantine', reason: 'currency' };
  }
  const isTheTotal = event.amount_cents === order.total_cents;

  switch (event.kind) {
    case 'none':
      return NOTHING;
    case 'charge': {
      if (of('charge', 'stray_charge')) return NOTHING;
      const isAwaited = isTheTotal && (state === 'unpaid' || state === 'processing');
      const kind = isAwaited ? 'charge' : 'stray_charge';
      return { kind: 'apply', entries: [entry(kind, event.amount_cents)], closesSession };
    }
    case 'pending':
      if (!isTheTotal || stale || state !== 'unpaid' || of('pending', 'failed', 'charge', 'stray_charge'))
        return NOTHING;
      return { kind: 'apply', entries: [entry('pending', 0)], closesSession: false };
    case 'failed':
      if (stale || of('failed', 'charge', 'stray_charge')) return NOTHING;
      return { kind: 'apply', entries: [entry('failed', 0)], closesSession };
    case 'closed':
      return { kind: 'apply', entries: [], closesSession };
    case 'refund':
    case 'returned':
      // While a repayment of ours is at its rail, its entry comes first; the event then adds what is beyond it.
      return (order.refunding ?? null) === null ? repaymentsOf(entries, event, returnedNow) : { kind: 'park' };
    case 'dispute_lost':
    case 'dispute_won':
      return (order.refunding ?? null) === null ? disputeOf(order, entries, event, returnedNow) : { kind: 'park' };
    case 'task': {
      const ref = disputeRefOf(event.rail_ref, event.dispute ?? event.event_id);
      const isKnown = entries.some(({ rail_ref }) => rail_ref === ref);
      const disputed: NewEntry = { kind: 'disputed', amount_cents: 0, rail_ref: ref, cause: event.cause };
      return { kind: 'apply', entries: isKnown ? [] : [disputed], closesSession: false, opensTask: true };
    }
  }
};

export type ReturnedNow = { cents: number; cameBack: readonly string[] };

/** A counter-entry for each repayment that came back, and what somebody did at the rail itself. */
const repaymentsOf = (entries: readonly LedgerEntry[], event: RailEvent, now: ReturnedNow | null): EventDecision => {
  const { rail_ref: payment } = event;
  const charged = chargedOf(entries, payment);
  if (charged === 0) return { kind: 'park' };
  const said = event.kind === 'refund' ? event.amount_cents : null;
  if (Math.max(said ?? 0, now?.cents ?? 0) > charged) return { kind: 'quarantine', reason: 'amount' };

  const atRail = keptRefunds(entries).filter(
    (one) => isOfPayment(one, payment) && one.rail !== TRANSFER && !isOfDispute(one, payment),
  );
  const lost = now?.cameBack ?? (event.repayment === undefined ? [] : [event.repayment]);
  const ours = atRail.filter(({ rail_ref }) =>
    lost.some((id) => isNamedAlike(rail_ref, refundRefOf({ payment, _id: id }))),
  );
  const made = ours.map((one) => returnOf(one, one.kept_cents, event.cause, entries));
  const returned = now?.cents ?? said;
  if (returned === null) return applied(made);

  const kept = atRail.filter((one) => !ours.includes(one));
  const more = returned - kept.reduce((sum, one) => sum + one.kept_cents, 0);
  if (more > 0) return applied([...made, ...madeByHand(entries, event, returned, more)]);
  // Only the rail itself can say that less is returned than is booked.
  const less = now === null ? 0 : -more;
  return applied([...made, ...returnedByHand(entries, event, kept, less)]);
};

const applied = (entries: NewEntry[]): EventDecision => ({ kind: 'apply', entries, closesSession: false });

/** Unexpected money first. What the team's transfers left no room for is a stray refund. */
const madeByHand = (entries: readonly LedgerEntry[], event: RailEvent, total: number, cents: number): NewEntry[] => {
  const made: NewEntry[] = [];
  // The rail does not count what a dispute took; including that, it never returns more than was paid.
  const most = leftAtRail(entries, event.rail_ref);
  let open = Math.min(cents, most);
  const payments = repayableOf(entries, []).filter(({ payment }) => payment === event.rail_ref);
  // The same total may be returned again once some of it came back.
  const ref = nextRefOf(entries, `${event.rail_ref}#${total}`);
  for (const { stray, left } of payments.toSorted((one, other) => Number(other.stray) - Number(one.stray))) {
    const taken = Math.min(open, left);
    if (taken <= 0) continue;
    open -= taken;
    made.push({ kind: stray ? 'stray_refund' : 'refund', amount_cents: -taken, rail_ref: ref, cause: event.cause });
  }
  return withExcess(made, open, { rail_ref: ref, cause: event.cause });
};

/** The team's own transfers take nothing from the rail. */
const leftAtRail = (entries: readonly LedgerEntry[], payment: string): number =>
  chargedOf(entries, payment) -
  keptRefunds(entries)
    .filter((one) => isOfPayment(one, payment) && one.rail !== TRANSFER)
    .reduce((sum, one) => sum + one.kept_cents, 0);

const chargedOf = (entries: readonly LedgerEntry[], payment: string): number =>
  sumOf(
    entries.filter(({ rail_ref }) => rail_ref === payment),
    'charge',
    'stray_charge',
    'stray_accepted',
  );

const withExcess = (made: NewEntry[], cents: number, of: Pick<NewEntry, 'rail_ref' | 'cause'>): NewEntry[] => {
  if (cents <= 0) return made;
  const [stray] = made.filter(({ kind }) => kind === 'stray_refund');
  const others = made.filter((one) => one !== stray);
  return [...others, { kind: 'stray_refund', amount_cents: (stray?.amount_cents ?? 0) - cents, ...of }];
};

const returnedByHand = (
  entries: readonly LedgerEntry[],
  event: RailEvent,
  atRail: readonly KeptRefund[],
  cents: number,
): NewEntry[] => {
  const made: NewEntry[] = [];
  let open = cents;
  for (const one of atRail.filter(({ rail_ref }) => /#\d+(\.\d+)?$/.test(rail_ref)).toReversed()) {
    const back = Math.min(open, one.kept_cents);
    if (back <= 0) continue;
    open -= back;
    made.push(returnOf(one, back, event.cause, entries));
  }
  return made;
};

const disputeRefOf = (payment: string, dispute: string): string => `${payment}#dispute:${dispute}`;
const isOfDispute = ({ rail_ref }: Pick<LedgerEntry, 'rail_ref'>, payment: string): boolean =>
  rail_ref.startsWith(disputeRefOf(payment, ''));

/** A loss takes what is left, so refunds are booked before it; a win brings it back, so they come after it. */
const disputeOf = (
  order: Order,
  entries: readonly LedgerEntry[],
  event: RailEvent,
  now: ReturnedNow | null,
): EventDecision => {
  const returned = (of: readonly LedgerEntry[]) => repaymentsOf(of, event, now);
  const ended = (of: readonly LedgerEntry[]) => disputeEnded(of, event);
  const [first, second] = event.kind === 'dispute_won' ? [ended, returned] : [returned, ended];
  const before = first(entries);
  if (before.kind !== 'apply') return before;
  const by = { rail: order.rail, actor: '', at: event.occurred_at };
  const after = second([...entries, ...before.entries.map((one) => asBooked(order, one, by))]);
  return after.kind === 'apply' ? applied([...before.entries, ...after.entries]) : after;
};

export const asBooked = (
  { _id, ws }: Pick<Order, '_id' | 'ws'>,
  entry: NewEntry,
  by: Pick<LedgerEntry, 'rail' | 'actor' | 'at'>,
): LedgerEntry => ({ _id: '', ws, order_id: _id, seq: 0, line_id: null, ...by, ...entry });

/** Once per dispute; a rail does not count it as refunded. A lost dispute may still be won. */
const disputeEnded = (entries: readonly LedgerEntry[], event: RailEvent): EventDecision => {
  const ref = disputeRefOf(event.rail_ref, event.dispute ?? event.event_id);
  if (event.kind === 'dispute_won') {
    if (entries.some(({ kind, rail_ref }) => kind === 'dispute_won' && rail_ref === ref)) return NOTHING;
    const lost = keptRefunds(entries).filter(({ rail_ref }) => isNamedAlike(rail_ref, ref));
    const won: NewEntry = { kind: 'dispute_won', amount_cents: 0, rail_ref: ref, cause: event.cause };
    return applied([...lost.map((one) => returnOf(one, one.kept_cents, 'dispute', entries)), won]);
  }
  if (entries.some(({ kind, rail_ref }) => kind !== 'disputed' && rail_ref === ref)) return NOTHING;
  const { amount_cents: disputed, taken_cents: taken } = event;
  if (Math.max(disputed, taken ?? 0) > chargedOf(entries, event.rail_ref))
    return { kind: 'quarantine', reason: 'amount' };
  // A dispute may be about the whole payment even after a refund, but takes only what the rail has left. What was left
  // then may differ from what is left now, so the rail's own word comes first.
  let open = taken ?? Math.min(disputed, leftAtRail(entries, event.rail_ref));
  const paid = repayableOf(entries, []).filter(({ payment }) => payment === event.rail_ref);
  const made: NewEntry[] = [];
  for (const { stray, left } of paid) {
    const lost = Math.min(open, left);
    if (lost <= 0) continue;
    open -= lost;
    made.push({ kind: stray ? 'stray_refund' : 'refund', amount_cents: -lost, rail_ref: ref, cause: 'dispute' });
  }
  return applied(withExcess(made, open, { rail_ref: ref, cause: 'dispute' }));
};
