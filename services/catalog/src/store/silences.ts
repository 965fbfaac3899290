import { type Collection, type Store, upserted } from '@cds/service';

/** An offer that a creator left unanswered; `_id` is its line and attempt. */
export type Silence = { _id: string; creator_id: string; at: Date };

const DAY_S = 86_400;
const COUNTED_DAYS = 60;

export class Silences {
  private readonly rows: Collection<Silence>;

  constructor(store: Store) {
    this.rows = store.collection<Silence>({
      name: 'silences',
      indexes: [{ key: { creator_id: 1, at: 1 } }, { key: { at: 1 }, expireAfterSeconds: (COUNTED_DAYS + 30) * DAY_S }],
    });
  }

  async note(silences: readonly Silence[]): Promise<void> {
    const writes = silences.map(({ _id, creator_id, at }) => ({
      updateOne: { filter: { _id }, update: { $setOnInsert: { creator_id, at } }, upsert: true },
    }));
    await upserted(() => this.rows.bulkWrite(writes, { ordered: false }));
  }

  async countUpTo({ creator_id, at }: Silence): Promise<number> {
    const since = new Date(at.getTime() - COUNTED_DAYS * DAY_S * 1_000);
    return this.rows.countDocuments({ creator_id, at: { $gt: since, $lte: at } });
  }
}
