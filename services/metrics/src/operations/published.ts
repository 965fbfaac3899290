import { AppError, isServed } from '@cds/contracts';
import type { Client, Ctx, ReadHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { Post } from '../domain/post.js';
import { emptyNote, totalsOf } from '../domain/totals.js';
import { type Published, presentEvidence, presentResult } from '../present/items.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Lines } from '../store/lines.js';
import type { Posts } from '../store/posts.js';

export type PublishedDeps = {
  posts: Posts;
  lines: Lines;
  campaigns: Campaigns;
  calls: Client<'campaign_known' | 'identity_reveal'>;
};

/** All posts of one campaign, or the newest 500 of the workspace. Raises not_found for an unknown campaign. */
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
  const [byId, names, creators] = await Promise.all([
    lines.byIds(ws, lineIds),
    campaigns.names(ws, campaignIds),
    creatorsOf(ctx, calls, found),
  ]);
  return found.flatMap((post): Published[] => {
    const line = byId.get(post._id);
    if (line?.signed == null || post.published_at === null) return [];
    const campaign = names.get(post.campaign_id) ?? line.signed.campaign;
    const creator = creators.get(post.creator_id) ?? { name: null, handle: null };
    return [{ post, publishedAt: post.published_at, line, signed: line.signed, campaign, creator }];
  });
};

/** Proof and results do not depend on names and handles: without catalog they are null. */
const creatorsOf = async (
  ctx: Ctx,
  calls: Client<'identity_reveal'>,
  posts: readonly Post[],
): Promise<ReadonlyMap<string, Published['creator']>> => {
  const [first, ...others] = new Set(posts.map((post) => post.order_id));
  if (first === undefined) return new Map();
  const creatorIds = [...new Set(posts.map((post) => post.creator_id))];
  const { creators } = await calls
    .identity_reveal(ctx, { order_id: first, order_ids: others, creator_ids: creatorIds })
    .catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'unavailable') return { creators: [] };
      throw error;
    });
  return new Map(creators.map(({ creator_id, name, handle }) => [creator_id, { name: name ?? null, handle }]));
};

export const noteOf = async (
  ctx: Ctx,
  campaignId: string | undefined,
  listed: readonly Published[],
  { lines }: Pick<PublishedDeps, 'lines'>,
): Promise<{ note?: string }> =>
  listed.length > 0
    ? {}
    : { note: emptyNote(await lines.among(ctx.principal.workspace, campaignId ?? null), dayOf(ctx.now)) };

/** Raises not_found for an unknown or foreign campaign. Source: docs/specification.md#evidenceitem. */
export const evidenceList: ReadHandler<'evidence_list', PublishedDeps> = async (ctx, input, deps) => {
  const published = await loadPublished(ctx, input.campaign_id, deps);

  const options = { briefId: isServed('brief_id', ctx) };
  return {
    items: published.map((one) => presentEvidence(one, options)),
    ...(await noteOf(ctx, input.campaign_id, published, deps)),
  };
};

/** Raises not_found for an unknown or foreign campaign. Source: docs/specification.md#resultitem. */
export const resultsList: ReadHandler<'results_list', PublishedDeps> = async (ctx, input, deps) => {
  const published = await loadPublished(ctx, input.campaign_id, deps);

  const options = { briefId: isServed('brief_id', ctx) };
  return {
    items: published.map((one) => presentResult(one, options, ctx.now)),
    ...(input.campaign_id === undefined ? {} : { totals: totalsOf(published) }),
    ...(await noteOf(ctx, input.campaign_id, published, deps)),
  };
};
