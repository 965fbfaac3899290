import type { Order } from './order.js';
import { type LedgerEntry, type LedgerKind, stateOf } from './order-state.js';
import { isOfPayment } from './refund.js';

// What a rail's event does to an order (docs/domain/orders.md#rail-events, docs/domain/orders.md#payment-states,
// docs/reliability.md#payment-events). Any number of deliveries in any order lead to the same ledger: an event is
// judged by the existing entries, never by its arrival time.

/**
 * A rail's event as the rail's adapter reads it. `amount_cents` of a refund is the cumulative amount
 * returned, and of a lost dispute its own. `task` is for a person: the state stays.
 */
export type RailEvent = {
  event_id: string;
  kind: 'charge' | 'pending' | 'failed' | 'closed' | 'refund' | 'dispute_lost' | 'task' | 'none';
  /** Empty where the rail names the payment alone. */
  order_id: string;
  workspace: string;
  /** Whether its rail moves no real money. */
  sandbox: boolean;
  amount_cents: number;
  currency: string;
  /** The payment at the rail; one payment is booked once. */
  rail_ref: string;
  /** The session that the event ends, when it ends one. */
  rail_key: string | null;
  /** The dispute, of an event about one. */
  dispute?: string;
  cause: string;
  occurred_at: Date;
};

export type NewEntry = Pick<LedgerEntry, 'kind' | 'amount_cents' | 'rail_ref' | 'cause'> & { line_id?: string | null };

export type EventDecision =
  | { kind: 'quarantine'; reason: string }
  | { kind: 'park' }
  | { kind: 'apply'; entries: NewEntry[]; closesSession: boolean; opensTask?: true };

/** Events about the whole sum; the others name an amount of their own, or none. */
const OF_THE_TOTAL: readonly RailEvent['kind'][] = ['charge', 'pending', 'failed', 'closed'];

const NOTHING: EventDecision = { kind: 'apply', entries: [], closesSession: false };

/**
 * Decides one event on an order and its ledger, oldest entry first: quarantine when the rail or the money is not the
 * order's, park a refund whose payment has not arrived, else the entries to book, which are none for a repeated event.
 */
export const decideEvent = (order: Order, entries: readonly LedgerEntry[], event: RailEvent): EventDecision => {
  if (event.sandbox !== order.sandbox) return { kind: 'quarantine', reason: 'rail' };
  if (event.kind !== 'none' && event.currency !== order.currency) return { kind: 'quarantine', reason: 'currency' };
  if (OF_THE_TOTAL.includes(event.kind) && event.amount_cents !== order.total_cents)
    return { kind: 'quarantine', reason: 'amount' };

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

  switch (event.kind) {
    case 'none':
      return NOTHING;
    case 'charge': {
      if (of('charge', 'stray_charge')) return NOTHING;
      const kind = state === 'unpaid' || state === 'processing' ? 'charge' : 'stray_charge';
      return { kind: 'apply', entries: [entry(kind, event.amount_cents)], closesSession };
    }
    case 'pending':
      if (stale || state !== 'unpaid' || of('pending', 'failed', 'charge', 'stray_charge')) return NOTHING;
      return { kind: 'apply', entries: [entry('pending', 0)], closesSession: false };
    case 'failed':
      if (stale || of('failed', 'charge', 'stray_charge')) return NOTHING;
      return { kind: 'apply', entries: [entry('failed', 0)], closesSession };
    case 'closed':
      return { kind: 'apply', entries: [], closesSession };
    case 'refund':
      // A repayment of ours is at its rail; its own entry comes first, and the event then adds what is beyond it.
      return (order.refunding ?? null) === null ? refundOf(entries, event) : { kind: 'park' };
    case 'dispute_lost':
      return (order.refunding ?? null) === null ? disputeOf(entries, event) : { kind: 'park' };
    case 'task':
      return { ...NOTHING, opensTask: true };
  }
};

/** Rails report refunds cumulatively: the increase is booked under its own reference. */
const refundOf = (entries: readonly LedgerEntry[], event: RailEvent): EventDecision => {
  const charge = entries.find(
    (entry) => entry.rail_ref === event.rail_ref && (entry.kind === 'charge' || entry.kind === 'stray_charge'),
  );
  if (charge === undefined) return { kind: 'park' };
  if (event.amount_cents > charge.amount_cents) return { kind: 'quarantine', reason: 'amount' };

  const kind = charge.kind === 'charge' ? 'refund' : 'stray_refund';
  const ofPayment = entries.filter((entry) => entry.amount_cents < 0 && isOfPayment(entry, event.rail_ref));
  const sum = (some: readonly LedgerEntry[]): number => some.reduce((cents, entry) => cents - entry.amount_cents, 0);
  const returned = sum(ofPayment.filter((entry) => !isOfDispute(entry, event.rail_ref)));
  // The rail does not count what a dispute took back; together they never exceed the payment.
  const room = charge.amount_cents - sum(ofPayment);
  const increase = Math.min(event.amount_cents - returned, room);
  if (increase <= 0) return NOTHING;
  const refund: NewEntry = {
    kind,
    amount_cents: -increase,
    rail_ref: `${event.rail_ref}#${event.amount_cents}`,
    cause: event.cause,
  };
  return { kind: 'apply', entries: [refund], closesSession: false };
};

const disputeRefOf = (payment: string, dispute: string): string => `${payment}#dispute:${dispute}`;
const isOfDispute = ({ rail_ref }: Pick<LedgerEntry, 'rail_ref'>, payment: string): boolean =>
  rail_ref.startsWith(disputeRefOf(payment, ''));

/** The money that a lost dispute took back, once per dispute; a rail does not count it as refunded. */
const disputeOf = (entries: readonly LedgerEntry[], event: RailEvent): EventDecision => {
  const charge = entries.find(
    (entry) => entry.rail_ref === event.rail_ref && (entry.kind === 'charge' || entry.kind === 'stray_charge'),
  );
  if (charge === undefined) return { kind: 'park' };
  const ref = disputeRefOf(event.rail_ref, event.dispute ?? event.event_id);
  if (entries.some(({ rail_ref }) => rail_ref === ref)) return NOTHING;
  const returned = entries.reduce(
    (sum, entry) => (entry.amount_cents < 0 && isOfPayment(entry, event.rail_ref) ? sum - entry.amount_cents : sum),
    0,
  );
  if (event.amount_cents > charge.amount_cents) return { kind: 'quarantine', reason: 'amount' };
  // A dispute is about the whole payment even after a refund; it takes what is left.
  const lost = Math.min(event.amount_cents, charge.amount_cents - returned);
  if (lost <= 0) return NOTHING;
  const kind = charge.kind === 'charge' ? 'refund' : 'stray_refund';
  const entry: NewEntry = { kind, amount_cents: -lost, rail_ref: ref, cause: 'dispute' };
  return { kind: 'apply', entries: [entry], closesSession: false };
};
