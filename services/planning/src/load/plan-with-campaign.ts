import { notFound } from '@cds/contracts';
import type { PlanWithCampaign } from '../domain/plan.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Plans } from '../store/plans.js';

/** A plan of the workspace with its campaign; raises not_found, alike for absent and foreign ids. */
export const planWithCampaign = async (
  { plans, campaigns }: { plans: Plans; campaigns: Campaigns },
  ws: string,
  planId: string,
): Promise<PlanWithCampaign> => {
  const plan = await plans.byId(ws, planId);
  if (plan === null) throw notFound('plan');
  const campaign = await campaigns.byId(ws, plan.campaign_id);
  if (campaign === null) throw new Error(`plan ${plan._id} has no campaign`);
  return { plan, campaign };
};
