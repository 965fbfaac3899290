import { type Collection, type Store, stepping } from '@cds/service';

/** A plan to be taken to current prices; `n` counts the requests for it. `_id` is the plan. */
export type Repricing = { _id: string; ws: string; n: number };

/** The plans that wait to be repriced, kept outside the plans, so that no event disturbs their compare-and-set. */
export class Repricings {
  readonly rows: Collection<Repricing>;

  constructor(store: Store) {
    this.rows = store.collection<Repricing>({ name: 'repricings', indexes: [{ key: { ws: 1 } }] });
  }

  /** Asks for these plans. A plan asked for twice is repriced twice, and the second time changes nothing. */
  async ask(plans: readonly { _id: string; ws: string }[]): Promise<void> {
    if (plans.length === 0) return;
    await this.rows.bulkWrite(
      plans.map(({ _id, ws }) => ({
        updateOne: { filter: { _id }, update: { $set: { ws }, $inc: { n: 1 } }, upsert: true },
      })),
      { ordered: false },
    );
  }

  /** The plans that wait, in one workspace where `only` names it, without those named. */
  waiting(only: string | null, most: number, without: readonly string[]): Promise<Repricing[]> {
    return this.rows
      .find({ ...stepping(without), ...(only !== null && { ws: only }) })
      .limit(most)
      .toArray();
  }

  /** Ends a wait, unless it was asked for again. */
  async done({ _id, n }: Repricing): Promise<void> {
    await this.rows.deleteOne({ _id, n });
  }
}
