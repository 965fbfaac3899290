import { notFound } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import type { Line, PlanWithCampaign } from '../domain/plan.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Plans } from '../store/plans.js';
import { campaignNamed, lineNamed } from './campaigns.js';

export const paidPlan = async (
  ctx: Ctx,
  campaignId: string,
  { plans, campaigns }: { plans: Plans; campaigns: Campaigns },
): Promise<PlanWithCampaign> => {
  const [campaign, plan] = await Promise.all([
    campaignNamed(campaigns, ctx, campaignId),
    plans.byCampaign(ctx.principal.workspace, campaignId),
  ]);
  if (plan === null || plan.status !== 'approved') throw notFound('line');
  return { campaign, plan };
};

export const paidLine = async (
  ctx: Ctx,
  of: { campaign_id: string; line_id: string },
  deps: { plans: Plans; campaigns: Campaigns },
): Promise<PlanWithCampaign & { line: Line }> => {
  const found = await paidPlan(ctx, of.campaign_id, deps);
  return { ...found, line: lineNamed(found.plan, of.line_id) };
};

export const signedCreators = ({ lines }: { lines: readonly Line[] }): string[] =>
  lines.map((line) => line.creator_id).filter((id) => id !== null);
