import type { CreatorQueue, CreatorStatus } from '@cds/contracts';
import { type Collection, LostRace, type Store, type Tx } from '@cds/service';
import type { mongo } from 'mongoose';
import { bookableFilter, LISTED_FILTER } from '../domain/creator/bookable.js';
import type { Creator, PriceRow, Unit } from '../domain/creator/creator.js';
import { freshSince } from '../domain/pricing/prices.js';
import { CREATORS } from './creators.js';
import type { NetworkState } from './network-state.js';
import { PRICES } from './prices.js';

export type OpsFilter = {
  status: CreatorStatus | null;
  queue: CreatorQueue | null;
  q: string | null;
  ids: readonly string[];
  after: string | null;
  limit: number;
  day: string;
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const STILL_HERE: mongo.Filter<Creator> = { erased_at: { $exists: false }, merged_into: { $exists: false } };

const queueFilter = (queue: CreatorQueue, day: string): mongo.Filter<Creator> => {
  switch (queue) {
    case 'vetting':
      return { status: { $in: ['not_reviewed', 'borderline'] } };
    case 'inactive':
      return { flag_inactive: true };
    case 'refresh_failed':
      return { refresh_failed_at: { $ne: null } };
    case 'unpriced':
      return { ...LISTED_FILTER, $nor: [bookableFilter(day) as mongo.Filter<Creator>] } as mongo.Filter<Creator>;
  }
};

/** By compare-and-set on the last change's version. */
export class OperatedCreators {
  private readonly rows: Collection<Creator>;
  private readonly prices: Collection<PriceRow>;

  constructor(
    store: Store,
    private readonly state: NetworkState,
  ) {
    this.rows = store.db.collection<Creator>(CREATORS.name);
    this.prices = store.db.collection<PriceRow>(PRICES.name);
  }

  byId(id: string): Promise<Creator | null> {
    return this.rows.findOne({ _id: id.toLowerCase() });
  }

  async automaticAmong(ids: readonly string[]): Promise<string[]> {
    const automatic = { _id: { $in: [...ids] }, manual_only: { $ne: true } };
    return (await this.rows.find(automatic, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id);
  }

  async page({ status, queue, q, ids, after, limit, day }: OpsFilter): Promise<Creator[]> {
    const wanted: mongo.Filter<Creator>[] = [];
    if (status !== null) wanted.push({ status });
    if (queue !== null) wanted.push(queueFilter(queue, day), STILL_HERE);
    if (q !== null) wanted.push({ $or: [{ name: { $regex: escaped(q), $options: 'i' } }, { _id: { $in: [...ids] } }] });
    if (after !== null) wanted.push({ _id: { $gt: after } });
    const filter: mongo.Filter<Creator> = wanted.length === 0 ? {} : { $and: wanted };
    return this.rows.find(filter, { projection: { posts: 0 }, sort: { _id: 1 }, limit }).toArray();
  }

  async pricedBetween(day: string, expiringDays: number | null, since: string | null): Promise<Creator[]> {
    const prices =
      expiringDays === null
        ? { 'units.price': { $ne: null } }
        : {
            units: {
              $elemMatch: {
                'price.method': { $ne: 'set_price' },
                'price.as_of': { $gte: freshSince(day), $lte: since ?? day },
              },
            },
          };
    return this.rows
      .find({ ...LISTED_FILTER, ...prices } as mongo.Filter<Creator>, { projection: { posts: 0 } })
      .toArray();
  }

  /** A change since it was read makes the operation start over. */
  async change(tx: Tx, held: Creator, set: Partial<Creator>): Promise<void> {
    const network_version = await this.state.next(tx);
    const done = await this.rows.updateOne(
      { _id: held._id, network_version: held.network_version },
      { $set: { ...set, network_version } },
      tx.options(),
    );
    if (done.matchedCount === 0) throw new LostRace('creator');
  }

  mergedInto(id: string): Promise<Creator[]> {
    return this.rows.find({ merged_into: id }).toArray();
  }

  async priceRow({ unit_id, price }: Unit): Promise<PriceRow | null> {
    if (price === null) return null;
    const { as_of, method, price_cents } = price;
    return this.prices.findOne({ unit_id, as_of, method, price_cents }, { sort: { recorded_at: -1 } });
  }

  async askBehind(unitId: string, priceCents: number): Promise<number | null> {
    const row = await this.prices.findOne(
      { unit_id: unitId, price_cents: priceCents },
      { sort: { as_of: -1, recorded_at: -1 } },
    );
    return row?.net_ask_cents ?? null;
  }

  async addPrice(tx: Tx, row: PriceRow): Promise<void> {
    await this.prices.insertOne(row, tx.options());
  }
}
