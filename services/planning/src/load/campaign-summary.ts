import type { CampaignSummary } from '@cds/contracts';
import type { Campaign, Plan } from '../domain/plan.js';
import { campaignSummary } from '../present/campaign.js';
import type { LineFactsStore } from '../store/line-facts.js';
import type { Plans } from '../store/plans.js';
import { lineViews } from './line-views.js';

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
