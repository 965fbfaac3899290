import { type Collection, type Store, stepping } from '@cds/service';

export type Repricing = { _id: string; ws: string; n: number };

/** Kept outside the plans, so that no event disturbs their compare-and-set. */
export class Repricings {
  readonly rows: Collection<Repricing>;

  constructor(store: Store) {
    this.rows = store.collection<Repricing>({ name: 'repricings', indexes: [{ key: { ws: 1 } }] });
  }

  async ask(plans: readonly { _id: string; ws: string }[]): Promise<void> {
    if (plans.length === 0) return;
    await this.rows.bulkWrite(
      plans.map(({ _id, ws }) => ({
        updateOne: { filter: { _id }, update: { $set: { ws }, $inc: { n: 1 } }, upsert: true },
      })),
      { ordered: false },
    );
  }

  waiting(only: string | null, most: number, without: readonly string[]): Promise<Repricing[]> {
    return this.rows
      .find({ ...stepping(without), ...(only !== null && { ws: only }) })
      .limit(most)
      .toArray();
  }

  async done({ _id, n }: Repricing): Promise<void> {
    await this.rows.deleteOne({ _id, n });
  }
}
