import type { ServiceName } from '@cds/contracts';
import { namedUuid } from '../pure/named-uuid.js';
import type { Collection } from '../store/collection.js';
import type { Store } from '../store/store.js';

/** An event set aside because it kept failing or cannot be read; as text, so that nothing in it acts on a statement. */
export type DeadLetter = {
  _id: string;
  /** The event's identity in the inbox: the durable and the message's id. */
  fact: string;
  producer: ServiceName;
  subject: string;
  text: string;
  reason: 'failed' | 'unknown' | 'malformed';
  error: string;
  attempts: number;
  state: 'parked' | 'applied' | 'closed';
  parked_at: Date;
  tried_at: Date;
  applied_at: Date | null;
  closed_at?: Date | null;
};

/** The letter that the previous page ended with. */
type LetterPlace = { parkedAt: Date; id: string };

type Attempts = { _id: string; count: number; at: Date };

const DAY_S = 86_400;

export class DeadLetters {
  private readonly rows: Collection<DeadLetter>;
  private readonly attempts: Collection<Attempts>;

  constructor(store: Store) {
    this.rows = store.collection<DeadLetter>({
      name: 'dead_letters',
      indexes: [
        { key: { state: 1, parked_at: 1, _id: 1 } },
        { key: { applied_at: 1 }, expireAfterSeconds: 30 * DAY_S, partialFilterExpression: { state: 'applied' } },
        { key: { closed_at: 1 }, expireAfterSeconds: 30 * DAY_S, partialFilterExpression: { state: 'closed' } },
      ],
    });
    this.attempts = store.collection<Attempts>({
      name: 'event_attempts',
      indexes: [{ key: { at: 1 }, expireAfterSeconds: DAY_S }],
    });
  }

  /** Counts a failure of the handler and returns the total; the next try may run in another process. */
  async failed(fact: string, at: Date): Promise<number> {
    const after = await this.attempts.findOneAndUpdate(
      { _id: fact },
      { $inc: { count: 1 }, $set: { at } },
      { upsert: true, returnDocument: 'after' },
    );
    return after?.count ?? 1;
  }

  async park(
    letter: Pick<DeadLetter, 'fact' | 'producer' | 'subject' | 'text' | 'reason' | 'error' | 'attempts'>,
    at: Date,
  ): Promise<boolean> {
    const { fact, producer, subject, text, ...cause } = letter;
    const parked = await this.rows.updateOne(
      { _id: namedUuid(fact) },
      {
        $set: { ...cause, state: 'parked', tried_at: at, applied_at: null, closed_at: null },
        $setOnInsert: { fact, producer, subject, text, parked_at: at },
      },
      { upsert: true },
    );
    return parked.upsertedCount === 1;
  }

  byId(id: string): Promise<DeadLetter | null> {
    return this.rows.findOne({ _id: id.toLowerCase(), fact: { $type: 'string' } });
  }

  page(state: DeadLetter['state'], after: LetterPlace | null, limit: number): Promise<DeadLetter[]> {
    const later =
      after === null
        ? {}
        : { $or: [{ parked_at: { $gt: after.parkedAt } }, { parked_at: after.parkedAt, _id: { $gt: after.id } }] };
    return this.rows.find({ state, ...later }, { sort: { parked_at: 1, _id: 1 }, limit }).toArray();
  }

  countOf(state: DeadLetter['state']): Promise<number> {
    return this.rows.countDocuments({ state });
  }

  async applied(id: string, at: Date): Promise<void> {
    await this.rows.updateOne(
      { _id: id },
      { $set: { state: 'applied', tried_at: at, applied_at: at, closed_at: null } },
    );
  }

  async close(id: string, at: Date): Promise<void> {
    await this.rows.updateOne({ _id: id, state: 'parked' }, { $set: { state: 'closed', closed_at: at } });
  }

  async failedAgain(id: string, error: string, at: Date): Promise<void> {
    await this.rows.updateOne({ _id: id }, { $set: { error, tried_at: at }, $inc: { attempts: 1 } });
  }
}
