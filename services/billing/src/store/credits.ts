import { isDeepStrictEqual } from 'node:util';
import type { CreditState } from '@cds/contracts';
import { after, type Collection, inOrder, LostRace, type Place, type Store, type Tx } from '@cds/service';
import type { Credit } from '../domain/credit.js';

const OLDEST = 'oldest first';

/** Credits of one order change only together with the order, which keeps two writers apart. */
export class Credits {
  private readonly rows: Collection<Credit>;

  constructor(store: Store) {
    this.rows = store.collection<Credit>({
      name: 'credits',
      indexes: [{ key: { ws: 1, order_id: 1 } }, { key: { at: 1, _id: 1 } }, { key: { state: 1, at: 1, _id: 1 } }],
    });
  }

  async byId(id: string): Promise<Credit | null> {
    return this.rows.findOne({ _id: id });
  }

  async of(ws: string, orderId: string, tx?: Tx): Promise<Credit[]> {
    return this.rows.find({ ws, order_id: orderId }, { sort: { at: 1, _id: 1 }, ...tx?.options() }).toArray();
  }

  async page(state: CreditState | undefined, place: Place | null, limit: number): Promise<Credit[]> {
    return this.rows
      .find(
        { ...(state === undefined ? {} : { state }), ...after('at', place, OLDEST) },
        { sort: inOrder('at', OLDEST), limit },
      )
      .toArray();
  }

  async add(tx: Tx, credits: readonly Credit[]): Promise<void> {
    if (credits.length > 0) await this.rows.insertMany([...credits], tx.options());
  }

  /** Raises LostRace when one changed meanwhile. */
  async change(tx: Tx, before: readonly Credit[], after: readonly Credit[]): Promise<void> {
    const known = new Map(before.map((one) => [one._id, one]));
    await this.add(
      tx,
      after.filter(({ _id }) => !known.has(_id)),
    );
    for (const credit of after) {
      const was = known.get(credit._id);
      if (was === undefined || isDeepStrictEqual(was, credit)) continue;
      const { _id, state, amount_cents } = was;
      const saved = await this.rows.replaceOne({ _id, state, amount_cents }, credit, tx.options());
      if (saved.matchedCount !== 1) throw new LostRace('credit');
    }
  }

  /** Raises LostRace when it is no longer due. */
  async end(tx: Tx, id: string, state: 'refunded' | 'waived'): Promise<void> {
    const ended = await this.rows.updateOne({ _id: id, state: 'due' }, { $set: { state } }, tx.options());
    if (ended.matchedCount !== 1) throw new LostRace('credit');
  }
}
