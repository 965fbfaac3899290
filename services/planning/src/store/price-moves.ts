import { type Collection, type NetworkTime, type Store, stepping, upserted } from '@cds/service';
import { PRICE_LOOKS_MS } from '../domain/constants.js';

/**
 * Units whose prices moved lately, of a creator, or as the sandbox `ws` sees them; plans that hold them are looked for at
 * `next`, and at `last` for the last time.
 */
export type PriceMove = { _id: string; ws: string | null; unit_ids: string[]; next: Date; last: Date };

/**
 * Price moves that are still to be looked after: a plan that was being built or edited when its creator's price moved was
 * decided on the former one, and stands only once its writer has committed (domain 2-plans 5.3, ADR 0016).
 */
export class PriceMoves {
  readonly rows: Collection<PriceMove>;

  constructor(store: Store) {
    this.rows = store.collection<PriceMove>({
      name: 'price_moves',
      indexes: [{ key: { next: 1 } }, { key: { unit_ids: 1 } }],
    });
  }

  /** Keeps a move that everybody sees, told at `at`; a further one of the creator begins the looks anew, for the units of both. */
  note(creatorId: string, unitIds: readonly string[], at: Date): Promise<void> {
    return this.keep(creatorId, null, unitIds, at);
  }

  /** The same of a unit that moved for one sandbox alone. */
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

  /** Whether one of these units moved lately. */
  async among(unitIds: readonly string[]): Promise<boolean> {
    return (await this.rows.findOne({ unit_ids: { $in: [...unitIds] } }, { projection: { _id: 1 } })) !== null;
  }

  /** The moves whose next look has come by the network's time, without those named. */
  due(now: NetworkTime, most: number, without: readonly string[] = []): Promise<PriceMove[]> {
    return this.rows
      .find({ ...stepping(without), next: { $lte: now } })
      .limit(most)
      .toArray();
  }

  /** Ends a look, or the move with its last one, unless a further move began the looks anew. */
  async looked({ _id, next, last }: PriceMove): Promise<void> {
    if (next < last) await this.rows.updateOne({ _id, next }, { $set: { next: last } });
    else await this.rows.deleteOne({ _id, next });
  }
}
