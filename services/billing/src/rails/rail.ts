import type { Order, Session } from '../domain/order.js';
import type { RailEvent, ReturnedNow } from '../domain/payment-event.js';

/** `none` when the rail does not know the key. A failed payment closes the session. */
export type RailState = 'none' | 'open' | 'pending' | 'paid' | 'closed';

export type Delivery = { raw: string; signature: string };

/** `pageUrl` is where the rail leads back to. It is opened only when needed: the key that sealed it may be gone. */
export type SessionWanted = { order: Order; session: Session; pageUrl: () => string };

/** The same `key` is always the same repayment. `reference` names the team's own transfer. */
export type RefundWanted = {
  order: Order;
  payment: string;
  amountCents: number;
  key: string;
  reference: string | null;
};

/** `refused` is final. */
export type RefundAnswer = { state: 'done' } | { state: 'refused'; problem: string };

/**
 * A payment rail (docs/domain/orders.md#payment, docs/reliability.md#payment-events, docs/guides/rails.md). Every call
 * may be repeated; a rail key always names the same session. Only signed events report what happened at the rail, but a
 * repayment of ours is confirmed by the answer. Raises `unavailable` when the rail does not answer.
 */
export type PaymentRail = {
  readonly name: string;
  readonly mostCents: number | null;
  readonly leastCents: number;
  /** The session's page, and the rail's own name for it. Raises if it closed. */
  open(wanted: SessionWanted): Promise<{ url: string; railId: string | null }>;
  /** Afterwards the session can never be paid. Returns its state: closed, or paid or pending. */
  close(wanted: SessionWanted): Promise<RailState>;
  look(wanted: SessionWanted): Promise<{ state: RailState; delivery: Delivery | null }>;
  refund(wanted: RefundWanted): Promise<RefundAnswer>;
  /** Null where events alone say so. An event about a refund may be older than that refund's failure. */
  returned(payment: string): Promise<ReturnedNow | null>;
  /** By the metadata that we gave it; null for somebody else's payment. */
  ownerOf(payment: string): Promise<{ workspace: string; order_id: string } | null>;
  /** Whether the rail signed these very bytes within 300 s of database time. */
  verify(raw: Uint8Array, signature: string | null, now: Date): boolean;
  /** Null when the body is not an event of this rail. */
  read(raw: string): RailEvent | null;
};
