import { notFound, refused } from '@cds/contracts';
import type { Begin, WriteHandler } from '@cds/service';
import { campaignChange } from '../changes/campaign-change.js';
import { restartedBuild } from '../domain/builder/retry.js';
import { decisionRefusal } from '../domain/campaign/screening.js';
import type { Campaigns } from '../store/campaigns.js';

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
