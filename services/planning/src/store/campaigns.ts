import {
  after,
  type Collection,
  inOrder,
  LostRace,
  type NetworkTime,
  type Place,
  type Store,
  stepping,
  type Tx,
} from '@cds/service';
import { RETRIED } from '../domain/builder/retry.js';
import type { Campaign } from '../domain/plan.js';

export const CAMPAIGNS = 'campaigns';

type CampaignAt = Pick<Campaign, '_id' | 'ws' | 'rev'>;

export type CampaignSet = Partial<Omit<Campaign, '_id' | 'ws' | 'rev'>>;

/** Every change that must be serial raises `rev` (I57). */
export class Campaigns {
  readonly rows: Collection<Campaign>;

  constructor(store: Store) {
    this.rows = store.collection<Campaign>({
      name: CAMPAIGNS,
      indexes: [
        { key: { ws: 1, created_at: -1 } },
        { key: { created_at: 1, _id: 1 } },
        { key: { open_change: 1, created_at: 1, _id: 1 }, partialFilterExpression: { open_change: true } },
        // Every campaign with a reason; null is not greater than ''.
        { key: { no_plan: 1, created_at: 1 }, partialFilterExpression: { no_plan: { $gt: '' } } },
      ],
    });
  }

  byId(ws: string, id: string): Promise<Campaign | null> {
    return this.rows.findOne({ _id: id, ws });
  }

  byIds(ws: string, ids: readonly string[]): Promise<Campaign[]> {
    return this.rows.find({ _id: { $in: [...ids] }, ws }).toArray();
  }

  list(ws: string, { archived }: { archived: boolean }): Promise<Campaign[]> {
    return this.rows
      .find(archived ? { ws } : { ws, archived_at: null })
      .sort({ created_at: -1, _id: -1 })
      .toArray();
  }

  ofAnyone(id: string): Promise<Campaign | null> {
    return this.rows.findOne({ _id: id });
  }

  page(openChange: boolean | null, place: Place | null, limit: number): Promise<Campaign[]> {
    const filter = openChange === null ? {} : { open_change: openChange };
    return this.rows
      .find({ $and: [filter, after('created_at', place)] }, { sort: inOrder('created_at'), limit })
      .toArray();
  }

  /** Oldest first: those that wait for catalog, and those whose morning has come by the network's time. */
  waitingForPlan(
    only: string | null,
    of: { now: NetworkTime; today: string; most: number },
    without: readonly string[] = [],
  ): Promise<Campaign[]> {
    return this.rows
      .find({
        ...stepping(without),
        plan_id: null,
        archived_at: null,
        window_end: { $gte: of.today },
        $or: [{ no_plan: 'building' }, { no_plan: { $in: [...RETRIED] }, build: { $ne: null } }],
        'build.retry_at': { $not: { $gt: of.now } },
        ...(only === null ? {} : { ws: only }),
      })
      .sort({ created_at: 1 })
      .limit(of.most)
      .toArray();
  }

  async postpone(loaded: CampaignAt, retryAt: Date | null): Promise<void> {
    await this.rows.updateOne(
      { _id: loaded._id, ws: loaded.ws, rev: loaded.rev, build: { $ne: null } },
      { $set: { 'build.retry_at': retryAt } },
    );
  }

  async insert(tx: Tx, campaign: Campaign): Promise<void> {
    await this.rows.insertOne(campaign, tx.options());
  }

  /** Deletes a draft that is still as it was loaded, archived or not; raises LostRace when it is not (I34). */
  async delete(tx: Tx, loaded: CampaignAt): Promise<void> {
    const { deletedCount } = await this.rows.deleteOne(
      { _id: loaded._id, ws: loaded.ws, rev: loaded.rev, plan_id: null, sent_to_team_at: null },
      tx.options(),
    );
    if (deletedCount === 0) throw new LostRace('campaign');
  }

  /** Raises LostRace when the campaign is archived, or not as it was loaded. */
  touch(tx: Tx, loaded: CampaignAt, set: CampaignSet = {}): Promise<void> {
    return this.raise(tx, loaded, set, { archived_at: null });
  }

  touchArchivedToo(tx: Tx, loaded: CampaignAt, set: CampaignSet = {}): Promise<void> {
    return this.raise(tx, loaded, set, {});
  }

  private async raise(tx: Tx, loaded: CampaignAt, set: CampaignSet, only: { archived_at?: null }): Promise<void> {
    const { matchedCount } = await this.rows.updateOne(
      { _id: loaded._id, ws: loaded.ws, rev: loaded.rev, ...only },
      { $inc: { rev: 1 }, ...(Object.keys(set).length === 0 ? {} : { $set: set }) },
      tx.options(),
    );
    if (matchedCount === 0) throw new LostRace('campaign');
  }
}
