import type { Collection, Store, Tx } from '@cds/service';
import type { mongo } from 'mongoose';
import { LISTED_FILTER } from '../domain/creator/bookable.js';
import type { Creator, SaleStatus } from '../domain/creator/creator.js';
import type { OffRows, RowFacts } from '../present/creator.js';

/** The indexes of creators. The import transaction writes the same collection through the identity user. */
export const CREATORS = {
  name: 'creators',
  indexes: [
    { key: { network_id: 1 }, unique: true },
    { key: { 'units.unit_id': 1 } },
    { key: { network_version: 1 } },
    { key: { status: 1, active: 1 } },
    { key: { 'collabs.launch_id': 1 } },
    { key: { merged_into: 1 }, partialFilterExpression: { merged_into: { $exists: true } } },
    { key: { 'chore.kind': 1 }, partialFilterExpression: { 'chore.kind': { $exists: true } } },
    { key: { 'generated.seed': 1, 'generated.index': 1 } },
  ],
} as const;

export type Sale = SaleStatus & Pick<Creator, '_id' | 'units' | 'network_version'>;

export const SALE = {
  status: 1,
  active: 1,
  flag_inactive: 1,
  excluded: 1,
  manual_only: 1,
  units: 1,
  network_version: 1,
} as const satisfies Record<Exclude<keyof Sale, '_id'>, 1>;

const ROW_FACTS = {
  posts: 0,
  posts_summary: 0,
  account: 0,
  sync_review: 0,
  past_syncs: 0,
  pinned: 0,
  notes: 0,
  exclusion_reason: 0,
  own_pause: 0,
  decided_at: 0,
} as const satisfies Record<OffRows, 0>;

/** Creators contain no identity text (docs/reliability.md#handles). */
export class Creators {
  readonly rows: Collection<Creator>;

  constructor(store: Store) {
    this.rows = store.collection<Creator>(CREATORS);
  }

  byId(id: string): Promise<Creator | null> {
    return this.rows.findOne({ _id: id });
  }

  byIds(ids: readonly string[]): Promise<Creator[]> {
    return this.rows.find({ _id: { $in: [...ids] } }).toArray();
  }

  byNetworkIds(networkIds: readonly string[]): Promise<Creator[]> {
    return this.rows.find({ network_id: { $in: [...networkIds] } }).toArray();
  }

  async leavingAmong(networkIds: readonly string[]): Promise<ReadonlyMap<string, Creator>> {
    const rows = await this.rows
      .find({ 'chore.kind': 'erase', 'chore.network_id': { $in: [...networkIds] } } as mongo.Filter<Creator>)
      .toArray();
    return new Map(rows.flatMap((row) => (row.chore?.kind === 'erase' ? [[row.chore.network_id ?? '', row]] : [])));
  }

  salesOf(unitIds: readonly string[]): Promise<Sale[]> {
    return this.rows.find<Sale>({ 'units.unit_id': { $in: [...unitIds] } }, { projection: SALE }).toArray();
  }

  rowsOf(ids: readonly string[]): Promise<RowFacts[]> {
    return this.rows.find({ _id: { $in: [...ids] } }, { projection: ROW_FACTS }).toArray();
  }

  listed(): AsyncIterable<RowFacts> {
    return this.rows.find(LISTED_FILTER, { projection: ROW_FACTS, batchSize: 500 });
  }

  changedSince(version: number): AsyncIterable<RowFacts> {
    return this.rows.find({ network_version: { $gt: version } }, { projection: ROW_FACTS, batchSize: 500 });
  }

  onNetworkAfter(after: string | null, limit: number): Promise<{ _id: string; network_id: string }[]> {
    return this.rows
      .find(
        {
          generated: null,
          network_id: { $regex: /^\d{1,19}$/ },
          status: { $ne: 'declined' },
          ...(after === null ? {} : { _id: { $gt: after } }),
        },
        { projection: { network_id: 1 }, sort: { _id: 1 }, limit },
      )
      .toArray();
  }

  async refreshFailed(tx: Tx, ids: readonly string[], at: Date, version: number): Promise<void> {
    await this.rows.updateMany(
      { _id: { $in: [...ids] }, erased_at: { $exists: false } },
      { $set: { refresh_failed_at: at, network_version: version } },
      tx.options(),
    );
  }

  async mergedAmong(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.rows
      .find({ _id: { $in: [...ids] }, merged_into: { $exists: true } }, { projection: { merged_into: 1 } })
      .toArray();
    return new Map(rows.map(({ _id, merged_into: into = _id }) => [_id, into]));
  }

  async generatedAmong(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.rows
      .find({ _id: { $in: [...ids] }, generated: { $ne: null } }, { projection: { _id: 1 } })
      .toArray();
    return new Set(rows.map((row) => row._id));
  }

  async *tookPart(launchId: string): AsyncGenerator<string> {
    const found = this.rows.find({ 'collabs.launch_id': launchId }, { projection: { _id: 1 }, batchSize: 1_000 });
    for await (const { _id } of found) yield _id;
  }

  countGenerated(network: { seed: number; creators: number }): Promise<number> {
    return this.rows.countDocuments({ 'generated.seed': network.seed, 'generated.index': { $lt: network.creators } });
  }

  async pauseOtherGenerated(network: { seed: number; creators: number }, version: number): Promise<void> {
    await this.rows.updateMany(
      {
        generated: { $ne: null },
        active: true,
        $or: [{ 'generated.seed': { $ne: network.seed } }, { 'generated.index': { $gte: network.creators } }],
      },
      { $set: { active: false, network_version: version } },
    );
  }
}
