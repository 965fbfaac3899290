import { notFound, type OpsCampaign } from '@cds/contracts';
import type { Campaign, Plan } from '../domain/plan.js';
import { campaignSummary } from '../present/campaign.js';
import { presentOpsCampaign } from '../present/ops-campaign.js';
import type { Campaigns } from '../store/campaigns.js';
import type { LineFactsStore } from '../store/line-facts.js';
import type { Plans } from '../store/plans.js';
import { lineViews } from './line-views.js';

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
