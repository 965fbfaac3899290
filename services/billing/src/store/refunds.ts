import { type Collection, LostRace, type Store, type Tx } from '@cds/service';
import type { Refund } from '../domain/refund.js';

const AT_ONCE = 200;

/** Repayments of one order are added only together with the order. */
export class Refunds {
  private readonly rows: Collection<Refund>;

  constructor(store: Store) {
    this.rows = store.collection<Refund>({
      name: 'refunds',
      indexes: [{ key: { ws: 1, order_id: 1, at: 1 } }, { key: { state: 1, at: 1 } }],
    });
  }

  async openOf(ws: string, orderId: string, tx?: Tx): Promise<Refund[]> {
    const oldestFirst = { sort: { at: 1, _id: 1 }, ...tx?.options() } as const;
    return this.rows.find({ ws, order_id: orderId, state: 'open' }, oldestFirst).toArray();
  }

  async add(tx: Tx, refund: Refund): Promise<void> {
    await this.rows.insertOne(refund, tx.options());
  }

  async of(ws: string, orderId: string): Promise<Refund[]> {
    return this.rows.find({ ws, order_id: orderId }, { sort: { at: 1, _id: 1 } }).toArray();
  }

  /** Raises LostRace when another worker has seen it. */
  async cameBack(tx: Tx, id: string): Promise<void> {
    const changed = await this.rows.updateOne(
      { _id: id, state: 'done' },
      { $set: { state: 'returned' } },
      tx.options(),
    );
    if (changed.matchedCount !== 1) throw new LostRace('refund');
  }

  /** Raises LostRace when another worker ended it. */
  async end(tx: Tx, id: string, after: Pick<Refund, 'state' | 'problem' | 'credit_ids'>): Promise<void> {
    const ended = await this.rows.updateOne({ _id: id, state: 'open' }, { $set: after }, tx.options());
    if (ended.matchedCount !== 1) throw new LostRace('refund');
  }

  async ordersWithOpen(only: string | null, without: readonly string[]): Promise<{ ws: string; order_id: string }[]> {
    return this.rows
      .aggregate<{ ws: string; order_id: string }>([
        { $match: { state: 'open', order_id: { $nin: [...without] }, ...(only !== null && { ws: only }) } },
        { $group: { _id: '$order_id', ws: { $first: '$ws' }, at: { $min: '$at' } } },
        { $sort: { at: 1 } },
        { $limit: AT_ONCE },
        { $project: { _id: 0, order_id: '$_id', ws: 1 } },
      ])
      .toArray();
  }
}
