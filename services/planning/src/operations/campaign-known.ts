import type { ReadHandler } from '@cds/service';
import { campaignNamed } from '../load/named.js';
import type { Campaigns } from '../store/campaigns.js';

/** Raises not_found. */
export const campaignKnown: ReadHandler<'campaign_known', { campaigns: Campaigns }> = async (ctx, input, deps) => {
  const campaign = await campaignNamed(deps.campaigns, ctx, input.id);

  return { campaign_id: campaign._id };
};
