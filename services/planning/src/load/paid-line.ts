import { notFound } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import type { Campaign, Line, PlanWithCampaign } from '../domain/plan.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Plans } from '../store/plans.js';
import { campaignNamed, lineNamed } from './named.js';

/** A line of a signed plan with its campaign. Raises not_found. */
export const paidLine = async (
  ctx: Ctx,
  of: { campaign_id: string; line_id: string },
  { plans, campaigns }: { plans: Plans; campaigns: Campaigns },
): Promise<{ campaign: Campaign; plan: PlanWithCampaign['plan']; line: Line }> => {
  const [campaign, plan] = await Promise.all([
    campaignNamed(campaigns, ctx, of.campaign_id),
    plans.byCampaign(ctx.principal.workspace, of.campaign_id),
  ]);
  if (plan === null || plan.status !== 'approved') throw notFound('line');
  return { campaign, plan, line: lineNamed(plan, of.line_id) };
};

/** The creators whom a plan was signed with. */
export const signedCreators = ({ lines }: { lines: readonly Line[] }): string[] =>
  lines.map((line) => line.creator_id).filter((id) => id !== null);
