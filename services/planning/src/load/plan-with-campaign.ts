import { notFound } from '@cds/contracts';
import type { PlanWithCampaign } from '../domain/plan.js';
import type { Plans } from '../store/plans.js';

/** A plan of the workspace with its campaign; raises not_found, alike for absent and foreign ids. */
export const planWithCampaign = async (
  { plans }: { plans: Plans },
  ws: string,
  planId: string,
): Promise<PlanWithCampaign> => {
  const pair = await plans.withCampaign(ws, planId);
  if (pair === null) throw notFound('plan');
  return pair;
};
