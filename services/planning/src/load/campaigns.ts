import { type AudienceWeights, type CampaignSummary, notFound, type UnitFacts } from '@cds/contracts';
import type { Client, Ctx } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { Campaign, Line, Plan, PlanWithCampaign, UnitMap } from '../domain/plan.js';
import type { Today } from '../domain/schedule/window.js';
import { campaignSummary } from '../present/campaign.js';
import type { Campaigns } from '../store/campaigns.js';
import type { LineFactsStore } from '../store/line-facts.js';
import type { Plans } from '../store/plans.js';
import { lineViews } from './line-views.js';

/** A foreign id raises the same not_found as an absent one. */

export const planNamed = async ({ plans }: { plans: Plans }, ws: string, planId: string): Promise<PlanWithCampaign> => {
  const pair = await plans.withCampaign(ws, planId);
  if (pair === null) throw notFound('plan');
  return pair;
};

export const campaignNamed = async (campaigns: Campaigns, ctx: Ctx, id: string): Promise<Campaign> => {
  const campaign = await campaigns.byId(ctx.principal.workspace, id);
  if (campaign === null) throw notFound('campaign');
  return campaign;
};

export const lineNamed = (plan: Plan, lineId: string): Line => {
  const line = plan.lines.find((one) => one.id === lineId);
  if (line === undefined) throw notFound('line');
  return line;
};

/** A unit to buy; a creator that is not listed counts as absent. */
export const unitNamed = (units: UnitMap, unitId: string): UnitFacts => {
  const unit = units.get(unitId);
  if (unit === undefined || !unit.listed) throw notFound('unit');
  return unit;
};

export const todayOf = ({ now, principal }: Ctx): Today => ({ day: dayOf(now), sandbox: principal.sandbox });

/** Without a text it is unresolved, and catalog is not asked. */
export const audienceOf = async (
  ctx: Ctx,
  catalog: Client<'audience_resolve'>,
  text: string | null,
): Promise<{ segments: AudienceWeights; unresolved: boolean }> => {
  if (text === null) return { segments: [], unresolved: true };
  const { segments, unresolved } = await catalog.audience_resolve(ctx, { text });
  return { segments, unresolved };
};

export type SummaryDeps = { plans: Plans; lineFacts: LineFactsStore };

export const summaryOf = async (
  { plans, lineFacts }: SummaryDeps,
  campaign: Campaign,
): Promise<{ plan: Plan | null; row: (campaign: Campaign) => CampaignSummary }> => {
  const plan = await plans.byCampaign(campaign.ws, campaign._id);
  const signed = plan?.status === 'approved' ? [plan._id] : [];
  const lines = lineViews(await lineFacts.byPlans(campaign.ws, signed));
  return { plan, row: (as) => campaignSummary({ campaign: as, plan, lines }) };
};
