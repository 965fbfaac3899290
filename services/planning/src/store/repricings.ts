import { type Collection, type Store, stepping } from '@cds/service';

/** A plan that is to be taken to current prices; `n` counts the facts that asked for it. `_id` is the plan. */
export type Repricing = { _id: string; ws: string; n: number };

/** The plans that wait to be repriced, beside the plans: no fact disturbs what their compare-and-set guards. */
export class Repricings {
  readonly rows: Collection<Repricing>;

  constructor(store: Store) {
    this.rows = store.collection<Repricing>({ name: 'repricings' });
  }

  /** Asks for these plans; asked twice, a plan is repriced once more, which changes nothing. */
  async ask(plans: readonly { _id: string; ws: string }[]): Promise<void> {
    if (plans.length === 0) return;
    await this.rows.bulkWrite(
      plans.map(({ _id, ws }) => ({
        updateOne: { filter: { _id }, update: { $set: { ws }, $inc: { n: 1 } }, upsert: true },
      })),
      { ordered: false },
    );
  }

  /** Those that wait, of one workspace where one is named, without the plans named. */
  waiting(only: string | null, most: number, without: readonly string[]): Promise<Repricing[]> {
    return this.rows
      .find({ ...stepping(without), ...(only !== null && { ws: only }) })
      .limit(most)
      .toArray();
  }

  /** Ends a wait, unless another fact asked meanwhile. */
  async done({ _id, n }: Repricing): Promise<void> {
    await this.rows.deleteOne({ _id, n });
  }
}
