import { AppError } from '@cds/contracts';
import { counterOf, type Store } from '@cds/service';
import type { RailEvent } from '../domain/payment-event.js';
import type { Delivery } from '../rails/rail.js';
import type { Rails } from '../rails/rails.js';
import { type PaymentEvents, paymentEventId } from '../store/payment-events.js';

const ignored = counterOf('cds_payment_events_ignored_total');

/** What means nothing to any order is not stored: it may be another product's (docs/reliability.md#payment-events). */
export class Receiver {
  constructor(
    private readonly store: Store,
    private readonly events: PaymentEvents,
    private readonly rails: Rails,
  ) {}

  /**
   * Null for an event that means nothing here. Raises bad_request for a bad signature or time, or a malformed event.
   */
  async receive(
    railName: string,
    { raw, signature }: { raw: Uint8Array; signature: string | null },
  ): Promise<string | null> {
    const now = await this.store.now();
    const railEvent = this.opened(railName, raw, signature, now);
    if (railEvent.kind === 'none') {
      ignored.add(1, { rail: railName });
      return null;
    }
    await this.events.receive(railName, railEvent, Buffer.from(raw).toString('utf8'), now);
    return paymentEventId(railName, railEvent.event_id);
  }

  open(railName: string, { raw, signature }: Delivery, now: Date): RailEvent {
    return this.opened(railName, Buffer.from(raw), signature, now);
  }

  private opened(railName: string, raw: Uint8Array, signature: string | null, now: Date): RailEvent {
    const rail = this.rails.byName(railName);
    if (rail === null || !rail.verify(raw, signature, now)) {
      throw new AppError(
        'bad_request',
        'The signature is not from this rail, or its time is more than 300 s from now. Send a freshly signed event.',
      );
    }
    const railEvent = rail.read(Buffer.from(raw).toString('utf8'));
    if (railEvent === null)
      throw new AppError('bad_request', 'The body is not an event of this rail. See the event format of the rail.');
    return railEvent;
  }
}
