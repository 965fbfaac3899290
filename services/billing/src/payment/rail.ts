import type { Order } from '../domain/order.js';
import type { RailEvent } from '../domain/payment-event.js';

/** A session's state at a rail; `none` when the rail does not know its key. */
export type RailState = 'none' | 'open' | 'pending' | 'paid' | 'closed';

/** An event as a rail delivers it: the raw body and its signature header. */
export type Delivery = { raw: string; signature: string };

/** A session to be opened; the same rail key always opens the same session. */
export type SessionWanted = { order: Order; railKey: string; pageUrl: string };

/**
 * A payment rail (docs/domain/orders.md#payment, docs/reliability.md#payment-events). Every call may be repeated: a
 * rail key always names the same session, and only signed events report what happened at the rail.
 */
export type PaymentRail = {
  readonly name: string;
  /** Opens or finds the session of this key and returns the URL of its page. Raises when it is closed. */
  open(wanted: SessionWanted): Promise<{ url: string }>;
  /** Closes a session so that it can never be paid, and returns its state then: closed, or paid or pending. */
  close(order: Order, railKey: string): Promise<RailState>;
  /** A session's state and the event that reports it, for a caller that may have missed it. */
  look(order: Order, railKey: string): Promise<{ state: RailState; delivery: Delivery | null }>;
  /** Whether these very bytes were signed by the rail within 300 s of database time. */
  verify(raw: Uint8Array, signature: string | null, now: Date): boolean;
  /** Reads a verified body; null when it is not an event of this rail. */
  read(raw: string): RailEvent | null;
};
