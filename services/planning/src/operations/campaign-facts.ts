import type { ReadHandler } from '@cds/service';
import { campaignNamed } from '../load/campaigns.js';
import type { Campaigns } from '../store/campaigns.js';

/** Raises not_found. */
export const campaignKnown: ReadHandler<'campaign_known', { campaigns: Campaigns }> = async (ctx, input, deps) => {
  const campaign = await campaignNamed(deps.campaigns, ctx, input.id);

  return { campaign_id: campaign._id };
};

/** For catalog. Raises not_found. Source: docs/domain/network.md#audience-fit, AudienceFit. */
export const campaignTexts: ReadHandler<'campaign_texts', { campaigns: Campaigns }> = async (ctx, input, deps) => {
  const { product, audience, geography } = await campaignNamed(deps.campaigns, ctx, input.id);

  return { product, audience, geography };
};

/** Raises not_found. Source: docs/domain/pages.md#creator-links, docs/domain/plans.md#creator-guidelines. */
export const creatorBrief: ReadHandler<'creator_brief', { campaigns: Campaigns }> = async (ctx, input, deps) => {
  const { company, product, guidelines, launch_post_url = null } = await campaignNamed(deps.campaigns, ctx, input.id);

  return { company, product, guidelines, launch_post_url };
};
