import type { Order, Session } from '../domain/order.js';
import type { RailEvent, ReturnedNow } from '../domain/payment-event.js';

/** A session's state at a rail; `none` when the rail does not know its key. A payment that failed closes it. */
export type RailState = 'none' | 'open' | 'pending' | 'paid' | 'closed';

/** An event as a rail delivers it: the raw body and its signature header. */
export type Delivery = { raw: string; signature: string };

/**
 * A session of an order. `pageUrl` is where its page leads back to; it is opened only where it is needed, because the
 * key that sealed it may be gone.
 */
export type SessionWanted = { order: Order; session: Session; pageUrl: () => string };

/**
 * Money to be returned. The same `key` is always the same repayment. `reference` names the team's own transfer, where
 * the rail moves no money itself.
 */
export type RefundWanted = {
  order: Order;
  payment: string;
  amountCents: number;
  key: string;
  reference: string | null;
};

/** `refused` is final: the rail will not repay this, and says why. */
export type RefundAnswer = { state: 'done' } | { state: 'refused'; problem: string };

/**
 * A payment rail (docs/domain/orders.md#payment, docs/reliability.md#payment-events, docs/guides/rails.md). Every call
 * may be repeated, and a rail key always names the same session. What happened at the rail is reported by signed events
 * alone; a repayment that we asked for is confirmed by the answer. A rail that does not answer raises `unavailable`.
 */
export type PaymentRail = {
  readonly name: string;
  /** The largest payment that the rail can take, in US cents; null where it has no end of its own. */
  readonly mostCents: number | null;
  /** The smallest payment that the rail takes, in US cents. */
  readonly leastCents: number;
  /** Opens or finds the session and returns the URL of its page and the rail's own name of it. Raises if it closed. */
  open(wanted: SessionWanted): Promise<{ url: string; railId: string | null }>;
  /** Closes a session so that it can never be paid, and returns its state then: closed, or paid or pending. */
  close(wanted: SessionWanted): Promise<RailState>;
  /** A session's state and the event that reports it, for a caller that may have missed it. */
  look(wanted: SessionWanted): Promise<{ state: RailState; delivery: Delivery | null }>;
  /** Returns money of a payment to the payer. */
  refund(wanted: RefundWanted): Promise<RefundAnswer>;
  /**
   * What of a payment is returned now, and which of our repayments came back; null where events alone say so. An event
   * about a refund may be older than that refund's failure.
   */
  returned(payment: string): Promise<ReturnedNow | null>;
  /** The order that a payment is for, by the metadata that we gave it; null for a payment of somebody else. */
  ownerOf(payment: string): Promise<{ workspace: string; order_id: string } | null>;
  /** Whether these very bytes were signed by the rail within 300 s of database time. */
  verify(raw: Uint8Array, signature: string | null, now: Date): boolean;
  /** Reads a verified body; null when it is not an event of this rail. */
  read(raw: string): RailEvent | null;
};
