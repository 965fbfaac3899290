import { type Collection, type Store, upserted } from '@cds/service';

/** An offer that a creator left unanswered; `_id` is its line and attempt. */
export type Silence = { _id: string; creator_id: string; at: Date };

const DAY_S = 86_400;
/** Within this time two unanswered offers count (docs/domain/orders.md#proposals). */
const COUNTED_DAYS = 60;

/** Offers of live workspaces that creators left unanswered, while they count. */
export class Silences {
  private readonly rows: Collection<Silence>;

  constructor(store: Store) {
    this.rows = store.collection<Silence>({
      name: 'silences',
      indexes: [{ key: { creator_id: 1, at: 1 } }, { key: { at: 1 }, expireAfterSeconds: (COUNTED_DAYS + 30) * DAY_S }],
    });
  }

  /** Notes unanswered offers, each once. */
  async note(silences: readonly Silence[]): Promise<void> {
    const writes = silences.map(({ _id, creator_id, at }) => ({
      updateOne: { filter: { _id }, update: { $setOnInsert: { creator_id, at } }, upsert: true },
    }));
    await upserted(() => this.rows.bulkWrite(writes, { ordered: false }));
  }

  /** How many unanswered offers the creator has in the sixty days up to one of them. */
  async countUpTo({ creator_id, at }: Silence): Promise<number> {
    const since = new Date(at.getTime() - COUNTED_DAYS * DAY_S * 1_000);
    return this.rows.countDocuments({ creator_id, at: { $gt: since, $lte: at } });
  }
}
