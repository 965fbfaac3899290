import type { CampaignSummary, Evidence, OperationName, Results } from '@cds/contracts';
import { expect } from '@jest/globals';
import type { FeedFold } from './feed-fold.js';

/** A read of the workspace whose feed was folded. */
type Read = <T>(name: OperationName, input?: Record<string, unknown>) => Promise<T>;

/** Expects that what a reader made of the feed alone is what the reads answer (docs/domain/access.md#events). */
export const expectSame = async (fold: FeedFold, read: Read): Promise<void> => {
  const { campaigns } = await read<{ campaigns: CampaignSummary[] }>('campaigns_list', {
    include_archived: true,
  });
  expect(new Set(fold.all('campaign').map(({ id }) => id))).toEqual(new Set(campaigns.map(({ id }) => id)));
  for (const campaign of fold.all('campaign'))
    expect(await read('campaign_status', { id: campaign['id'] })).toMatchObject(fold.status(campaign));
  for (const plan of fold.all('plan'))
    expect(await read('plan_quote', { id: plan['id'] })).toMatchObject(fold.quote(plan));
  const [proof, results] = [await read<Evidence>('evidence_list'), await read<Results>('results_list')];
  expect(byId(fold.posts())).toEqual(
    byId(
      results.items.map((item) => ({
        id: item.id,
        campaign_id: item.campaign_id,
        published_at: item.published_at,
        proved_at: proof.items.find(({ id }) => id === item.id)?.still_up?.checked_at ?? null,
        snapshots: item.snapshots,
        as_of: item.latest?.as_of ?? null,
        views: item.latest?.views ?? null,
        clicks: item.latest?.clicks ?? null,
        likes: item.latest?.likes ?? null,
        comments: item.latest?.comments ?? null,
        shares: item.latest?.shares ?? null,
        before: item.previous?.captured_at ?? null,
      })),
    ),
  );
};

const byId = (items: Record<string, unknown>[]) =>
  [...items].sort((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1));
