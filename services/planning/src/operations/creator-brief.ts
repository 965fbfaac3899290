import type { ReadHandler } from '@cds/service';
import { campaignNamed } from '../load/named.js';
import type { Campaigns } from '../store/campaigns.js';

/** Raises not_found. Source: docs/domain/pages.md#creator-links, docs/domain/plans.md#creator-guidelines. */
export const creatorBrief: ReadHandler<'creator_brief', { campaigns: Campaigns }> = async (ctx, input, deps) => {
  const { company, product, guidelines, launch_post_url = null } = await campaignNamed(deps.campaigns, ctx, input.id);

  return { company, product, guidelines, launch_post_url };
};
