import { type Collection, isDuplicate, LostRace, type Store, type Tx } from '@cds/service';

/** Moves from requested to priced or closed (docs/domain/network.md#price-requests). */
export type PriceAsk = {
  _id: string;
  ws: string;
  creator_id: string;
  campaign_id: string | null;
  status: 'requested' | 'priced' | 'closed';
  requested_at: Date;
  answered_at: Date | null;
};

export class PriceAsks {
  private readonly rows: Collection<PriceAsk>;

  constructor(store: Store) {
    this.rows = store.collection<PriceAsk>({
      name: 'price_asks',
      indexes: [
        { key: { ws: 1, creator_id: 1 }, unique: true, partialFilterExpression: { status: 'requested' } },
        { key: { ws: 1, creator_id: 1, requested_at: -1 } },
        { key: { creator_id: 1, status: 1 } },
        { key: { requested_at: 1, _id: 1 } },
        { key: { status: 1, requested_at: 1, _id: 1 } },
      ],
    });
  }

  latestOf(workspace: string, creatorId: string): Promise<PriceAsk | null> {
    return this.rows.findOne({ ws: workspace, creator_id: creatorId }, { sort: { requested_at: -1 } });
  }

  /** Raises LostRace if another ask was opened meanwhile. */
  async open(tx: Tx, ask: Pick<PriceAsk, '_id' | 'ws' | 'creator_id' | 'campaign_id' | 'requested_at'>): Promise<void> {
    try {
      await this.rows.insertOne({ ...ask, status: 'requested', answered_at: null }, tx.options());
    } catch (error) {
      if (isDuplicate(error)) throw new LostRace('price ask');
      throw error;
    }
  }

  byId(id: string): Promise<PriceAsk | null> {
    return this.rows.findOne({ _id: id.toLowerCase() });
  }

  page(status: PriceAsk['status'] | null, skip: number, limit: number): Promise<PriceAsk[]> {
    return this.rows
      .find(status === null ? {} : { status }, { sort: { requested_at: 1, _id: 1 }, skip, limit })
      .toArray();
  }

  /** Raises LostRace if it was answered already. */
  async close(tx: Tx, ask: PriceAsk, at: Date): Promise<void> {
    const done = await this.rows.updateOne(
      { _id: ask._id, ws: ask.ws, status: 'requested' },
      { $set: { status: 'closed', answered_at: at } },
      tx.options(),
    );
    if (done.matchedCount === 0) throw new LostRace('price ask');
  }

  /** Ends every open ask for a creator: priced by an operator, or closed because it left the network. */
  async endAll(tx: Tx, creatorId: string, status: 'priced' | 'closed', at: Date): Promise<void> {
    await this.rows.updateMany(
      { creator_id: creatorId, status: 'requested' },
      { $set: { status, answered_at: at } },
      tx.options(),
    );
  }
}
