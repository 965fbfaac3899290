import type { Client, Ctx } from '@cds/service';
import type { Published } from '../present/items.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Lines } from '../store/lines.js';
import type { Posts } from '../store/posts.js';

export type PublishedDeps = { posts: Posts; lines: Lines; campaigns: Campaigns; calls: Client<'campaign_known'> };

/**
 * The posts that evidence and results list: all of one campaign, or the newest 500, with their lines and names.
 * Raises not_found for a campaign that the workspace does not have.
 */
export const loadPublished = async (
  ctx: Ctx,
  campaignId: string | undefined,
  { posts, lines, campaigns, calls }: PublishedDeps,
): Promise<Published[]> => {
  const ws = ctx.principal.workspace;
  const found = await posts.published(ws, campaignId ?? null);
  if (campaignId !== undefined && found.length === 0 && !(await lines.hasCampaign(ws, campaignId))) {
    await calls.campaign_known(ctx, { id: campaignId });
  }

  const lineIds = found.map((post) => post._id);
  const campaignIds = [...new Set(found.map((post) => post.campaign_id))];
  const [byId, names] = await Promise.all([lines.byIds(ws, lineIds), campaigns.names(ws, campaignIds)]);
  return found.flatMap((post): Published[] => {
    const line = byId.get(post._id);
    if (line?.signed == null || post.published_at === null) return [];
    const campaign = names.get(post.campaign_id) ?? line.signed.campaign;
    return [{ post, publishedAt: post.published_at, line, signed: line.signed, campaign }];
  });
};
