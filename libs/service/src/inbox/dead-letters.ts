import { createHash } from 'node:crypto';
import type { ServiceName } from '@cds/contracts';
import type { Collection } from '../store/collection.js';
import type { Store } from '../store/store.js';

/**
 * An event that a service set aside: it failed time and again, or this version cannot read it. The message itself is
 * kept as the text it was, so that nothing in it can act on the statement that stores it.
 */
export type DeadLetter = {
  _id: string;
  /** The durable and the message's id: what the inbox knows the event by. */
  fact: string;
  producer: ServiceName;
  subject: string;
  text: string;
  reason: 'failed' | 'unknown' | 'unreadable';
  error: string;
  attempts: number;
  state: 'parked' | 'applied';
  parked_at: Date;
  tried_at: Date;
  applied_at: Date | null;
};

/** Where a page goes on: behind a letter. */
export type LetterPlace = { parkedAt: Date; id: string };

type Attempts = { _id: string; count: number; at: Date };

const DAY_S = 86_400;

/** A UUID (version 8) that the same event always makes. */
const idOf = (fact: string): string => {
  const bytes = createHash('sha256').update(fact).digest().subarray(0, 16);
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

/** The events that a service set aside, and how often each event's handler has failed so far. */
export class DeadLetters {
  private readonly rows: Collection<DeadLetter>;
  private readonly attempts: Collection<Attempts>;

  constructor(store: Store) {
    this.rows = store.collection<DeadLetter>({
      name: 'dead_letters',
      indexes: [
        { key: { state: 1, parked_at: 1, _id: 1 } },
        { key: { applied_at: 1 }, expireAfterSeconds: 30 * DAY_S, partialFilterExpression: { state: 'applied' } },
      ],
    });
    this.attempts = store.collection<Attempts>({
      name: 'event_attempts',
      indexes: [{ key: { at: 1 }, expireAfterSeconds: DAY_S }],
    });
  }

  /** Counts a failure of the handler and answers how many there were; the next try may be another process's. */
  async failed(fact: string, at: Date): Promise<number> {
    const after = await this.attempts.findOneAndUpdate(
      { _id: fact },
      { $inc: { count: 1 }, $set: { at } },
      { upsert: true, returnDocument: 'after' },
    );
    return after?.count ?? 1;
  }

  /** Sets an event aside; answers whether it was not aside already. */
  async park(
    letter: Pick<DeadLetter, 'fact' | 'producer' | 'subject' | 'text' | 'reason' | 'error' | 'attempts'>,
    at: Date,
  ): Promise<boolean> {
    const { fact, producer, subject, text, ...cause } = letter;
    const parked = await this.rows.updateOne(
      { _id: idOf(fact) },
      {
        $set: { ...cause, state: 'parked', tried_at: at, applied_at: null },
        $setOnInsert: { fact, producer, subject, text, parked_at: at },
      },
      { upsert: true },
    );
    return parked.upsertedCount === 1;
  }

  byId(id: string): Promise<DeadLetter | null> {
    return this.rows.findOne({ _id: id.toLowerCase(), fact: { $type: 'string' } });
  }

  /** A page of one state, the oldest first. */
  page(state: DeadLetter['state'], after: LetterPlace | null, limit: number): Promise<DeadLetter[]> {
    const behind =
      after === null
        ? {}
        : { $or: [{ parked_at: { $gt: after.parkedAt } }, { parked_at: after.parkedAt, _id: { $gt: after.id } }] };
    return this.rows.find({ state, ...behind }, { sort: { parked_at: 1, _id: 1 }, limit }).toArray();
  }

  parkedCount(): Promise<number> {
    return this.rows.countDocuments({ state: 'parked' });
  }

  async applied(id: string, at: Date): Promise<void> {
    await this.rows.updateOne({ _id: id }, { $set: { state: 'applied', tried_at: at, applied_at: at } });
  }

  async failedAgain(id: string, error: string, at: Date): Promise<void> {
    await this.rows.updateOne({ _id: id }, { $set: { error, tried_at: at }, $inc: { attempts: 1 } });
  }
}
