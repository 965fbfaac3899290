import type { Order } from './order.js';
import { type LedgerEntry, type LedgerKind, stateOf } from './order-state.js';

// What a rail's event does to an order (domain 3-orders 6.4 and 7; reliability 3.10). Any number of deliveries in any
// order end in the same ledger: an event is judged by the entries that stand, never by when it came.

/** A rail's event as the rail's adapter reads it. `amount_cents` of a refund is the cumulative amount returned. */
export type RailFact = {
  event_id: string;
  kind: 'charge' | 'pending' | 'failed' | 'closed' | 'refund' | 'none';
  order_id: string;
  workspace: string;
  /** Whether the rail that tells it moves no real money. */
  sandbox: boolean;
  amount_cents: number;
  currency: string;
  /** The payment at the rail; one payment is booked once. */
  rail_ref: string;
  /** The session that the event ends, when it ends one. */
  rail_key: string | null;
  cause: string;
  occurred_at: Date;
};

export type NewEntry = Pick<LedgerEntry, 'kind' | 'amount_cents' | 'rail_ref' | 'cause'>;

export type EventDecision =
  | { kind: 'quarantine'; reason: string }
  | { kind: 'park' }
  | { kind: 'apply'; entries: NewEntry[]; closesSession: boolean };

const NOTHING: EventDecision = { kind: 'apply', entries: [], closesSession: false };

/**
 * Decides one event on an order and its ledger, oldest entry first: quarantine when the rail or the money is not the
 * order's, park a refund whose payment has not arrived, else the entries to book, none when they stand already.
 */
export const decideEvent = (order: Order, entries: readonly LedgerEntry[], fact: RailFact): EventDecision => {
  if (fact.sandbox !== order.sandbox) return { kind: 'quarantine', reason: 'rail' };
  if (fact.kind !== 'none' && fact.currency !== order.currency) return { kind: 'quarantine', reason: 'currency' };
  if (fact.kind !== 'refund' && fact.kind !== 'none' && fact.amount_cents !== order.total_cents)
    return { kind: 'quarantine', reason: 'amount' };

  const of = (...kinds: LedgerKind[]) =>
    entries.some((entry) => entry.rail_ref === fact.rail_ref && kinds.includes(entry.kind));
  const entry = (kind: LedgerKind, amountCents: number): NewEntry => ({
    kind,
    amount_cents: amountCents,
    rail_ref: fact.rail_ref,
    cause: fact.cause,
  });
  const closesSession = order.session !== null && order.session.rail_key === fact.rail_key;
  // What an earlier session still tells says nothing about the one that stands; only its money counts.
  const stale = fact.rail_key !== null && order.session?.rail_key !== fact.rail_key;
  const state = stateOf(entries);

  switch (fact.kind) {
    case 'none':
      return NOTHING;
    case 'charge': {
      if (of('charge', 'stray_charge')) return NOTHING;
      const kind = state === 'unpaid' || state === 'processing' ? 'charge' : 'stray_charge';
      return { kind: 'apply', entries: [entry(kind, fact.amount_cents)], closesSession };
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
      return refundOf(entries, fact);
  }
};

/** Rails tell refunds cumulatively: the increase is booked, under a reference of its own. */
const refundOf = (entries: readonly LedgerEntry[], fact: RailFact): EventDecision => {
  const charge = entries.find(
    (entry) => entry.rail_ref === fact.rail_ref && (entry.kind === 'charge' || entry.kind === 'stray_charge'),
  );
  if (charge === undefined) return { kind: 'park' };
  if (fact.amount_cents > charge.amount_cents) return { kind: 'quarantine', reason: 'amount' };

  const kind = charge.kind === 'charge' ? 'refund' : 'stray_refund';
  const returned = entries
    .filter((entry) => entry.kind === kind && entry.rail_ref.startsWith(`${fact.rail_ref}#`))
    .reduce((sum, entry) => sum - entry.amount_cents, 0);
  if (fact.amount_cents <= returned) return NOTHING;
  const refund: NewEntry = {
    kind,
    amount_cents: returned - fact.amount_cents,
    rail_ref: `${fact.rail_ref}#${fact.amount_cents}`,
    cause: fact.cause,
  };
  return { kind: 'apply', entries: [refund], closesSession: false };
};
