import { conflict, notFound, type OpsCampaign, refused } from '@cds/contracts';
import {
  actorOf,
  type Begin,
  type Clocks,
  type Ctx,
  change,
  Deadline,
  listed,
  type Place,
  type ReadHandler,
  type WriteHandler,
} from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { campaignChange } from '../changes/campaign-change.js';
import { mustBeFresh, writtenBy } from '../changes/plan-edit.js';
import { restartedBuild } from '../domain/builder/retry.js';
import { decisionRefusal } from '../domain/campaign/screening.js';
import { teamPlan, teamPlanGate } from '../domain/edits/team-plan.js';
import { type Campaign, type Plan, unitsOf } from '../domain/plan.js';
import type { CurrentUnits } from '../load/current-units.js';
import { lineViews } from '../load/line-views.js';
import { campaignSummary } from '../present/campaign.js';
import { campaignChanged, planChanged } from '../present/events.js';
import { presentOpsCampaign } from '../present/ops-campaign.js';
import type { Campaigns } from '../store/campaigns.js';
import type { LineFactsStore } from '../store/line-facts.js';
import type { Plans } from '../store/plans.js';

export type OpsCampaignDeps = { campaigns: Campaigns; plans: Plans; lineFacts: LineFactsStore };

export const shownCampaigns = async (
  campaigns: readonly Campaign[],
  { plans, lineFacts }: OpsCampaignDeps,
): Promise<OpsCampaign[]> => {
  const found = await plans.ofCampaigns(campaigns);
  const signed = found.filter((plan) => plan.status === 'approved').map((plan) => plan._id);
  const lines = lineViews(await lineFacts.ofPlans(signed));
  const planOf = new Map(found.map((plan) => [plan.campaign_id, plan]));
  return campaigns.map((campaign) => {
    const plan = planOf.get(campaign._id) ?? null;
    return presentOpsCampaign(campaign, plan, campaignSummary({ campaign, plan, lines }).stage_id);
  });
};

export const campaignOfAnyone = async (
  id: string,
  { campaigns, plans }: Pick<OpsCampaignDeps, 'campaigns' | 'plans'>,
): Promise<{ campaign: Campaign; plan: Plan | null }> => {
  const campaign = await campaigns.ofAnyone(id);
  if (campaign === null) throw notFound('campaign');
  return { campaign, plan: await plans.byCampaign(campaign.ws, id) };
};

const READ_AT_ONCE = 200;

/**
 * Oldest first; stages are derived, so campaigns are read until the page is full. Source:
 * docs/domain/operators.md#operators.
 */
export const opsCampaignsList: ReadHandler<'ops_campaigns_list', OpsCampaignDeps> = (_ctx, input, deps) => {
  const stage = input.stage_id ?? null;
  const page = (place: Place | null, limit: number) =>
    deps.campaigns.page(input.open_change ?? null, place, stage === null ? limit : READ_AT_ONCE);

  return listed(input, {
    rows: async (place, limit) => {
      const found: OpsCampaign[] = [];
      let from = place;
      while (found.length < limit) {
        const rows = await page(from, limit);
        const shown = await shownCampaigns(rows, deps);
        found.push(...shown.filter(({ stage_id }) => stage === null || stage_id === stage));
        const last = rows.at(-1);
        if (stage === null || last === undefined || rows.length < READ_AT_ONCE) break;
        from = { at: last.created_at, id: last._id };
      }
      return found.slice(0, limit);
    },
    placeOf: ({ created_at, id }) => ({ at: new Date(created_at), id }),
    present: (campaign) => campaign,
  });
};

type Deps = OpsCampaignDeps & {
  units: CurrentUnits;
  clocks: Pick<Clocks, 'now'>;
  followPrices: (plan: Plan) => Promise<void>;
};

/** Raises not_found, unprocessable, conflict. Source: docs/domain/plans.md#plans-written-by-the-team. */
export const opsCampaignPlan: WriteHandler<'ops_campaign_plan', Deps> = async (ctx, input, deps) => {
  const { campaign, plan: before } = await campaignOfAnyone(input.id, deps);
  const gate = teamPlanGate({ campaign, plan: before }, input.base_version);
  if (gate !== null) throw refused(gate);

  const now = await deps.clocks.now(campaign.ws);
  const named = input.lines.flatMap(({ unit_id }) => unit_id ?? []);
  const pricedAt = performance.now();
  const unitIds = [...new Set([...unitsOf(before?.lines ?? []), ...named])];
  const units = await deps.units.of(inWorkspace(ctx, campaign.ws), unitIds, campaign.segments);
  const decided = teamPlan({ campaign, plan: before, units, now, today: dayOf(now) }, input.lines);
  if (decided.refusal !== null) throw refused(decided.refusal);

  const { plan } = decided;
  const set = {
    plan_id: plan._id,
    no_plan: null,
    build: null,
    open_change: false,
    change_request: null,
    change_answer: null,
  };
  const by = { ...writtenBy(ctx, 'plan.team'), at: now };
  return change(presentOpsCampaign({ ...campaign, ...set }, plan, 'plan_ready'), {
    save: async (tx) => {
      await deps.campaigns.touch(tx, campaign, set);
      if (before === null) await deps.plans.insert(tx, plan, by);
      else await deps.plans.replaceAwaiting(tx, before, plan, by);
      mustBeFresh(pricedAt);
    },
    events: [campaignChanged({ ...campaign, ...set, rev: campaign.rev + 1 }), planChanged(plan)],
    committed: () => void Deadline.detached(() => deps.followPrices(plan)),
    audit: [
      {
        ws: campaign.ws,
        actor: actorOf(ctx),
        action: 'plan.team',
        object: plan._id,
        payload: { version: plan.version, lines: plan.lines.length, terms_fingerprint: plan.terms_fingerprint },
        reason: input.reason,
      },
    ],
  });
};

const inWorkspace = (ctx: Ctx, workspace: string): Ctx => ({
  ...ctx,
  principal: { ...ctx.principal, workspace, sandbox: true },
});

/** Raises not_found, conflict (bad_state). Source: docs/domain/plans.md#states, docs/domain/operators.md#operators. */
export const opsCampaignAnswer: WriteHandler<'ops_campaign_answer', OpsCampaignDeps> = async (ctx, input, deps) => {
  const { campaign } = await campaignOfAnyone(input.id, deps);
  if (!campaign.open_change) throw conflict('bad_state', 'This campaign has no open change request.');

  const set = {
    open_change: false,
    change_request: null,
    change_answer: { text: input.text, answered_at: ctx.now },
  };
  const [shown] = await shownCampaigns([{ ...campaign, ...set }], deps);
  if (shown === undefined) throw new Error('a campaign was not shown');

  return campaignChange(shown, {
    ctx,
    campaigns: deps.campaigns,
    before: campaign,
    set,
    action: 'campaign.change_answer',
    details: { text: input.text },
    reason: input.reason,
    archive: 'either',
  });
};

/** Raises not_found, conflict (bad_state). Source: docs/domain/network.md#category-screening. */
export const opsCampaignScreening: WriteHandler<
  'ops_campaign_screening',
  { campaigns: Campaigns; beginBuilding: Begin }
> = async (ctx, input, { campaigns, beginBuilding }) => {
  const campaign = await campaigns.ofAnyone(input.id);
  if (campaign === null) throw notFound('campaign');
  const refusal = decisionRefusal(campaign, input.decision);
  if (refusal !== null) throw refused(refusal);

  const set = input.decision === 'allowed' ? restartedBuild(campaign) : { no_plan: 'category_banned' as const };
  const { no_plan } = set;

  return campaignChange(
    { id: campaign._id, workspace: campaign.ws, campaign: campaign.name, category: campaign.category, no_plan },
    {
      ctx,
      campaigns,
      before: campaign,
      set,
      action: `campaign.screening_${input.decision}`,
      details: { decision: input.decision },
      reason: input.reason,
      ...(no_plan === 'building' ? { committed: () => beginBuilding(campaign.ws) } : {}),
    },
  );
};
