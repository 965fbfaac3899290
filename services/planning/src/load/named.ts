import { notFound, type UnitFacts } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import type { Campaign, Line, Plan, PlanWithCampaign, UnitMap } from '../domain/plan.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Plans } from '../store/plans.js';

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
