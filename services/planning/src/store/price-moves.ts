import { type Collection, type NetworkTime, type Store, stepping, upserted } from '@cds/service';
import { PRICE_LOOKS_MS } from '../domain/constants.js';

/** `ws` is null for a price of the network. Plans with the units are looked for at `next`, lastly at `last`. */
export type PriceMove = { _id: string; ws: string | null; unit_ids: string[]; next: Date; last: Date };

/** A plan decided on the old price can be found only once its writer has committed (ADR 0016). */
export class PriceMoves {
  readonly rows: Collection<PriceMove>;

  constructor(store: Store) {
    this.rows = store.collection<PriceMove>({
      name: 'price_moves',
      indexes: [{ key: { next: 1 } }, { key: { unit_ids: 1 } }],
    });
  }

  note(creatorId: string, unitIds: readonly string[], at: Date): Promise<void> {
    return this.keep(creatorId, null, unitIds, at);
  }

  noteIn(ws: string, unitId: string, at: Date): Promise<void> {
    return this.keep(`${ws}|${unitId}`, ws, [unitId], at);
  }

  private async keep(id: string, ws: string | null, unitIds: readonly string[], at: Date): Promise<void> {
    const [next, last] = PRICE_LOOKS_MS.map((after) => new Date(at.getTime() + after));
    await upserted(() =>
      this.rows.updateOne(
        { _id: id },
        [
          {
            $set: {
              unit_ids: { $setUnion: [{ $ifNull: ['$unit_ids', []] }, { $literal: [...unitIds] }] },
              ws: { $literal: ws },
              next,
              last,
            },
          },
        ],
        { upsert: true },
      ),
    );
  }

  async among(unitIds: readonly string[]): Promise<boolean> {
    return (await this.rows.findOne({ unit_ids: { $in: [...unitIds] } }, { projection: { _id: 1 } })) !== null;
  }

  due(now: NetworkTime, most: number, without: readonly string[] = []): Promise<PriceMove[]> {
    return this.rows
      .find({ ...stepping(without), next: { $lte: now } })
      .limit(most)
      .toArray();
  }

  /** Another move restarts the searches, and ends none. */
  async looked(moves: readonly PriceMove[]): Promise<void> {
    if (moves.length === 0) return;
    await this.rows.bulkWrite(
      moves.map(({ _id, next, last }) =>
        next < last
          ? { updateOne: { filter: { _id, next }, update: { $set: { next: last } } } }
          : { deleteOne: { filter: { _id, next } } },
      ),
      { ordered: false },
    );
  }
}

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
