import type { ReadHandler } from '@cds/service';
import { campaignNamed } from '../load/named.js';
import type { Campaigns } from '../store/campaigns.js';

/** For catalog. Raises not_found. Source: docs/domain/network.md#audience-fit, AudienceFit. */
export const campaignTexts: ReadHandler<'campaign_texts', { campaigns: Campaigns }> = async (ctx, input, deps) => {
  const { product, audience, geography } = await campaignNamed(deps.campaigns, ctx, input.id);

  return { product, audience, geography };
};
