import type { Order } from '../domain/order.js';
import type { RailFact } from '../domain/payment-event.js';

/** What a session at a rail stands at; `none` when the rail never heard of its key. */
export type RailState = 'none' | 'open' | 'pending' | 'paid' | 'closed';

/** An event as a rail delivers it: the raw body and its signature header. */
export type Delivery = { raw: string; signature: string };

/** A session to be opened; the same rail key always opens the same session. */
export type SessionWanted = { order: Order; railKey: string; pageUrl: string };

/**
 * A payment rail (domain 3-orders 6; reliability 3.10). Every call may be repeated: sessions are made by rail key, and
 * what happened at the rail is told by signed events alone.
 */
export type PaymentRail = {
  readonly name: string;
  /** Opens the session of this key, or finds it, and answers where its page is. Raises when it is closed. */
  open(wanted: SessionWanted): Promise<{ url: string }>;
  /** Closes a session so that it can never be paid, and answers what it stands at then: closed, or paid or pending. */
  close(order: Order, railKey: string): Promise<RailState>;
  /** What a session stands at, and the event that tells it, for a caller that may have missed it. */
  look(order: Order, railKey: string): Promise<{ state: RailState; delivery: Delivery | null }>;
  /** Whether these very bytes were signed by the rail within 300 s of database time. */
  verify(raw: Uint8Array, signature: string | null, now: Date): boolean;
  /** Reads a verified body, or null when it is no event of this rail. */
  read(raw: string): RailFact | null;
};
