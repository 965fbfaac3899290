import type { UnitFacts } from '@cds/contracts';
import { type Collection, LostRace, type Store, type Tx } from '@cds/service';
import { planVersion, type WrittenBy } from '../domain/edits/plan-version.js';
import type { Campaign, Plan, PlanOrder, PlanWithCampaign, StagedPlan } from '../domain/plan.js';
import type { Shared } from '../domain/quote/notes.js';
import { CAMPAIGNS } from './campaigns.js';
import { PlanVersions } from './plan-versions.js';

type Document = Record<string, unknown>;

type SharedRows = {
  beside: { campaign_id: string; creators: (string | null)[] }[];
  beside_campaigns: { _id: string; name: string }[];
};

/** Only plans with touching windows count, and no archived campaigns or ended orders. */
const sharedStages = (ws: string): Document[] => [
  {
    $lookup: {
      from: 'plans',
      localField: 'lines.creator_id',
      foreignField: 'lines.creator_id',
      let: {
        id: '$_id',
        status: '$status',
        start: '$launch_window_start',
        end: '$launch_window_end',
        creators: '$lines.creator_id',
      },
      pipeline: [
        { $match: { ws, 'order.payment_state': { $nin: ['cancelled', 'refunded'] } } },
        {
          $match: {
            $expr: {
              $and: [
                { $eq: ['$$status', 'awaiting_approval'] },
                { $ne: ['$_id', '$$id'] },
                { $lte: ['$launch_window_start', '$$end'] },
                { $gte: ['$launch_window_end', '$$start'] },
              ],
            },
          },
        },
        {
          $project: { _id: 0, campaign_id: 1, creators: { $setIntersection: ['$lines.creator_id', '$$creators'] } },
        },
      ],
      as: 'beside',
    },
  },
  {
    $lookup: {
      from: CAMPAIGNS,
      localField: 'beside.campaign_id',
      foreignField: '_id',
      pipeline: [{ $match: { archived_at: null } }, { $project: { name: 1 } }],
      as: 'beside_campaigns',
    },
  },
];

const sharedIn = ({ beside, beside_campaigns }: SharedRows): Shared[] => {
  const names = new Map(beside_campaigns.map(({ _id, name }) => [_id, name]));
  return beside.flatMap(({ campaign_id, creators }) => {
    const campaign = names.get(campaign_id);
    if (campaign === undefined) return [];
    return creators.flatMap((creator_id) => (creator_id === null ? [] : [{ creator_id, campaign_id, campaign }]));
  });
};

/** Plans change by compare-and-set on status and version (docs/reliability.md#plan-edits). */
export class Plans {
  readonly rows: Collection<Plan>;
  readonly versions: PlanVersions;

  constructor(store: Store) {
    this.versions = new PlanVersions(store);
    this.rows = store.collection<Plan>({
      name: 'plans',
      indexes: [
        { key: { campaign_id: 1 }, unique: true },
        { key: { ws: 1, status: 1, sent_at: -1 } },
        { key: { ws: 1, 'lines.creator_id': 1 } },
        { key: { 'lines.unit_id': 1 }, partialFilterExpression: { status: 'awaiting_approval' } },
      ],
    });
  }

  byId(ws: string, id: string): Promise<Plan | null> {
    return this.rows.findOne({ _id: id, ws });
  }

  /** What `sharedStages` finds for a plan that is not stored yet. */
  async sharedWith({ ws, _id, status, launch_window_start, launch_window_end, lines }: Plan): Promise<Shared[]> {
    const creators = lines.map(({ creator_id }) => ({ creator_id }));
    const plan = { _id, status, launch_window_start, launch_window_end, lines: creators };
    const [found] = await this.rows
      .aggregate<SharedRows>([
        { $match: { ws } },
        { $limit: 1 },
        { $replaceWith: { $literal: plan } },
        ...sharedStages(ws),
      ])
      .toArray();
    return found === undefined ? [] : sharedIn(found);
  }

  withCampaign(ws: string, id: string): Promise<PlanWithCampaign | null> {
    return this.loaded(ws, id, []);
  }

  private async loaded<More>(
    ws: string,
    id: string,
    further: readonly Document[],
  ): Promise<{ plan: Plan & More; campaign: Campaign } | null> {
    const [found] = await this.rows
      .aggregate<Plan & More & { campaigns: Campaign[] }>([
        { $match: { _id: id, ws } },
        { $lookup: { from: CAMPAIGNS, localField: 'campaign_id', foreignField: '_id', as: 'campaigns' } },
        ...further,
      ])
      .toArray();
    if (found === undefined) return null;
    const { campaigns, ...plan } = found;
    const campaign = campaigns.find((one) => one.ws === ws);
    if (campaign === undefined) throw new Error(`plan ${id} has no campaign`);
    return { plan: plan as unknown as Plan & More, campaign };
  }

  byCampaign(ws: string, campaignId: string): Promise<Plan | null> {
    return this.rows.findOne({ campaign_id: campaignId, ws });
  }

  stagedOf(ws: string, campaignIds: readonly string[]): Promise<(StagedPlan & { line_count: number })[]> {
    return this.rows
      .find<StagedPlan & { line_count: number }>(
        { campaign_id: { $in: [...campaignIds] }, ws },
        {
          projection: {
            campaign_id: 1,
            status: 1,
            'order.payment_state': 1,
            'order.refunded_at': 1,
            line_count: { $size: '$lines' },
          },
        },
      )
      .toArray();
  }

  ofCampaigns(campaigns: readonly Pick<Campaign, '_id'>[]): Promise<Plan[]> {
    return this.rows.find({ campaign_id: { $in: campaigns.map(({ _id }) => _id) } }).toArray();
  }

  async alsoIn({ ws, _id }: Pick<Plan, 'ws' | '_id'>): Promise<Shared[]> {
    const [found] = await this.rows
      .aggregate<SharedRows>([
        { $match: { _id, ws } },
        ...sharedStages(ws),
        { $project: { beside: 1, beside_campaigns: 1 } },
      ])
      .toArray();
    return found === undefined ? [] : sharedIn(found);
  }

  async withCampaignAndShared(ws: string, id: string): Promise<(PlanWithCampaign & { shared: Shared[] }) | null> {
    const found = await this.loaded<SharedRows>(ws, id, sharedStages(ws));
    if (found === null) return null;
    const { plan, campaign } = found;
    const { beside, beside_campaigns, ...rest } = plan;
    return { plan: rest, campaign, shared: sharedIn({ beside, beside_campaigns }) };
  }

  awaiting(ws: string): Promise<Plan[]> {
    return this.rows.find({ ws, status: 'awaiting_approval' }).sort({ sent_at: -1, _id: -1 }).toArray();
  }

  awaitingWithUnit(ws: string, unitId: string): Promise<Plan[]> {
    return this.rows.find({ ws, status: 'awaiting_approval', 'lines.unit_id': unitId }).toArray();
  }

  /** In all workspaces: a price is the same for all. */
  holding(unitIds: readonly string[]): Promise<Pick<Plan, '_id' | 'ws'>[]> {
    return this.rows
      .find({ status: 'awaiting_approval', 'lines.unit_id': { $in: [...unitIds] } }, { projection: { _id: 1, ws: 1 } })
      .toArray();
  }

  holdingIn(ws: string, unitIds: readonly string[]): Promise<Pick<Plan, '_id' | 'ws'>[]> {
    return this.rows
      .find(
        { ws, status: 'awaiting_approval', 'lines.unit_id': { $in: [...unitIds] } },
        { projection: { _id: 1, ws: 1 } },
      )
      .toArray();
  }

  async holdingOtherwise(
    prices: readonly Pick<UnitFacts, 'unit_id' | 'price_cents'>[],
  ): Promise<Pick<Plan, '_id' | 'ws'>[]> {
    if (prices.length === 0) return [];
    const lines = prices.map(({ unit_id, price_cents }) => ({
      lines: { $elemMatch: { unit_id, price_cents: { $ne: price_cents } } },
    }));
    return this.rows.find({ status: 'awaiting_approval', $or: lines }, { projection: { _id: 1, ws: 1 } }).toArray();
  }

  async insert(tx: Tx, plan: Plan, by: WrittenBy): Promise<void> {
    await this.rows.insertOne(plan, tx.options());
    await this.versions.add(tx, planVersion(null, plan, by));
  }

  /** Raises LostRace when `decidedOn` is no longer the current version. */
  async replaceAwaiting(tx: Tx, decidedOn: Plan, next: Plan, by: WrittenBy): Promise<void> {
    const { matchedCount } = await this.rows.replaceOne(
      { _id: decidedOn._id, ws: decidedOn.ws, status: 'awaiting_approval', version: decidedOn.version },
      next,
      tx.options(),
    );
    if (matchedCount === 0) throw new LostRace('plan');
    await this.versions.add(tx, planVersion(decidedOn, next, by));
  }

  /** Raises LostRace unless the plan is as it was decided on, terms included (I15, I16). */
  async sign(tx: Tx, decidedOn: Plan, signed: Plan): Promise<void> {
    const { matchedCount } = await this.rows.updateOne(
      {
        _id: decidedOn._id,
        ws: decidedOn.ws,
        status: 'awaiting_approval',
        version: decidedOn.version,
        terms_fingerprint: decidedOn.terms_fingerprint,
      },
      { $set: { status: signed.status, approved_at: signed.approved_at, order: signed.order } },
      tx.options(),
    );
    if (matchedCount === 0) throw new LostRace('plan');
  }

  /** An older or repeated state changes nothing, nor does another order's. */
  async moveOrder(ws: string, planId: string, order: PlanOrder): Promise<void> {
    await this.rows.updateOne(
      { _id: planId, ws, 'order.order_id': order.order_id, 'order.version': { $lt: order.version } },
      { $set: { order } },
    );
  }
}
