import { type Collection, type Store, upserted } from '@cds/service';

type PaidOrderDoc = { _id: string; ws: string; creator_ids: string[]; version: number };

export type PaidOrder = { id: string; workspace: string; creatorIds: readonly string[]; version: number };

/** The right to see handles, never revoked (docs/reliability.md#handles). */
export class PaidOrders {
  private readonly rows: Collection<PaidOrderDoc>;

  constructor(store: Store) {
    this.rows = store.collection<PaidOrderDoc>({ name: 'paid_orders', indexes: [{ key: { ws: 1 } }] });
  }

  /** A foreign, unpaid or unknown order has none. */
  async holding(workspace: string, orderIds: readonly string[], creatorIds: readonly string[]): Promise<string[]> {
    const orders = await this.rows.find({ _id: { $in: [...orderIds] }, ws: workspace }).toArray();
    const held = new Set(orders.flatMap((order) => order.creator_ids));
    return [...new Set(creatorIds)].filter((id) => held.has(id));
  }

  async add(order: PaidOrder): Promise<void> {
    await this.addAll([order]);
  }

  async addAll(orders: readonly PaidOrder[]): Promise<void> {
    const writes = orders.map(({ id, workspace, creatorIds, version }) => ({
      updateOne: {
        filter: { _id: id, ws: workspace },
        update: { $addToSet: { creator_ids: { $each: [...creatorIds] } }, $max: { version } },
        upsert: true,
      },
    }));
    await upserted(() => this.rows.bulkWrite(writes, { ordered: false }));
  }
}
