import { AppError } from '@cds/contracts';
import type { Store } from '@cds/service';
import type { RailFact } from '../domain/payment-event.js';
import { type PaymentEvents, paymentEventId } from '../store/payment-events.js';
import type { Delivery, PaymentRail } from './rail.js';

/**
 * Takes a rail's events in (reliability 3.10): the signature is checked over the raw bytes and against database time,
 * then the event is kept once. Applying it is the worker's part.
 */
export class Receiver {
  constructor(
    private readonly store: Store,
    private readonly events: PaymentEvents,
    private readonly rails: ReadonlyMap<string, PaymentRail>,
  ) {}

  /** Keeps a delivery and answers its id. Raises bad_request for a bad signature or time, and for no event at all. */
  async receive(railName: string, { raw, signature }: { raw: Uint8Array; signature: string | null }): Promise<string> {
    const now = await this.store.now();
    const { fact, text } = this.opened(railName, raw, signature, now);
    await this.events.receive(railName, fact, text, now);
    return paymentEventId(railName, fact.event_id);
  }

  /** Reads a delivery after checking its signature; `now` is database time. */
  open(railName: string, { raw, signature }: Delivery, now: Date): RailFact {
    return this.opened(railName, Buffer.from(raw), signature, now).fact;
  }

  private opened(
    railName: string,
    raw: Uint8Array,
    signature: string | null,
    now: Date,
  ): { fact: RailFact; text: string } {
    const rail = this.rails.get(railName);
    if (rail === undefined || !rail.verify(raw, signature, now)) {
      throw new AppError('bad_request', 'The event is not signed by this rail, or its time is too far away.');
    }
    const text = Buffer.from(raw).toString('utf8');
    const fact = rail.read(text);
    if (fact === null) throw new AppError('bad_request', 'The body is no event of this rail.');
    return { fact, text };
  }
}
