import {
  type Collection,
  isDuplicate,
  LostRace,
  type NetworkTime,
  readingOf,
  type Store,
  stepping,
  type Tx,
} from '@cds/service';
import type { RailEvent } from '../domain/payment-event.js';

export type PaymentEventState = 'new' | 'applied' | 'quarantined' | 'parked' | 'ignored';

const WAITING = ['new', 'parked'] as const satisfies readonly PaymentEventState[];

/** `_id` is rail and event id. The body may name the payer, and is removed when the event is settled. */
export type PaymentEvent = {
  _id: string;
  rail: string;
  /** As the event says; the worker checks it against the order's. */
  ws: string;
  /** Absent in rows of older releases. */
  event?: RailEvent;
  /** While the event waits, for replicas of the version before, which read nothing else. */
  raw?: string;
  state: PaymentEventState;
  reason: string | null;
  received_at: Date;
  next_at: Date;
};

export const paymentEventId = (rail: string, eventId: string): string => `${rail}|${eventId}`;

export class PaymentEvents {
  private readonly rows: Collection<PaymentEvent>;

  constructor(store: Store) {
    this.rows = store.collection<PaymentEvent>({
      name: 'payment_events',
      indexes: [{ key: { ws: 1 } }, { key: { state: 1, next_at: 1 } }, { key: { state: 1, received_at: 1 } }],
    });
    readingOf('cds_payment_events_waiting', () => Promise.all(WAITING.map((state) => this.countOf(state))));
  }

  private async countOf(state: (typeof WAITING)[number]) {
    return { value: await this.rows.countDocuments({ state }), labels: { state } };
  }

  async byId(id: string): Promise<PaymentEvent | null> {
    return this.rows.findOne({ _id: id });
  }

  async receive(rail: string, of: RailEvent, raw: string, at: Date): Promise<void> {
    const event: PaymentEvent = { ...fresh(rail, of, at), raw, state: 'new' };
    try {
      await this.rows.insertOne(event);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }

  async applyFresh(tx: Tx, rail: string, of: RailEvent, at: Date): Promise<void> {
    const event: PaymentEvent = { ...fresh(rail, of, at), state: 'applied' };
    await this.rows.insertOne(event, tx.options()).catch((error: unknown) => {
      throw isDuplicate(error) ? new LostRace('payment event') : error;
    });
  }

  /** Raises LostRace when another worker settled it. */
  async settle(tx: Tx, id: string, state: 'applied' | 'quarantined' | 'ignored', reason: string | null): Promise<void> {
    const settled = await this.rows.updateOne(
      { _id: id, state: { $in: ['new', 'parked'] } },
      { $set: { state, reason }, $unset: { raw: '' } },
      tx.options(),
    );
    if (settled.matchedCount !== 1) throw new LostRace('payment event');
  }

  async forgetBodies(): Promise<number> {
    const settled = { raw: { $exists: true }, state: { $in: ['applied', 'quarantined'] } } as const;
    return (await this.rows.updateMany(settled, { $unset: { raw: '' } })).modifiedCount;
  }

  async park(id: string, nextAt: Date): Promise<void> {
    await this.rows.updateOne(
      { _id: id, state: { $in: ['new', 'parked'] } },
      { $set: { state: 'parked', next_at: nextAt } },
    );
  }

  async due(now: NetworkTime, only: string | null, without: readonly string[] = []): Promise<string[]> {
    const found = await this.rows
      .find(
        {
          ...stepping(without),
          ...(only !== null && { ws: only }),
          state: { $in: ['new', 'parked'] },
          next_at: { $lte: now },
        },
        { projection: { _id: 1 } },
      )
      .sort({ next_at: 1 })
      .limit(500)
      .toArray();
    return found.map((event) => event._id);
  }
}

const fresh = (rail: string, event: RailEvent, at: Date): Omit<PaymentEvent, 'state'> => ({
  _id: paymentEventId(rail, event.event_id),
  rail,
  ws: event.workspace,
  event,
  reason: null,
  received_at: at,
  next_at: at,
});
