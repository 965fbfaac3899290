import type { CampaignSummary, Evidence, Key, LimitPools, OperationName, Results } from '@cds/contracts';
import { expect } from '@jest/globals';
import type { FeedFold } from './feed-fold.js';

/** A read of the workspace whose feed was folded, by a key or by a person of the brand. */
export type Read = <T>(name: OperationName, input?: Record<string, unknown>) => Promise<T>;

/** Expects that what a reader made of the feed alone is what the reads answer (docs/domain/access.md#events). */
export const expectSame = async (fold: FeedFold, read: Read, person: Read): Promise<void> => {
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
  const { now } = await read<{ now: string }>('sandbox_clock');
  const { keys } = await person<{ keys: Key[] }>('keys_list');
  expect(fold.mandates(now)).toEqual(
    new Map(keys.flatMap(({ mandate }) => (mandate === null ? [] : [shown(mandate)]))),
  );
};

/** A mandate without who accepted its terms, and without its retired field. */
const shown = ({ may_exceed_budget: _no, terms_accepted_email: _who, ...mandate }: NonNullable<Key['mandate']>) =>
  [mandate.key_id, mandate] as const;

/**
 * Expects that GET /limits shows a key what the feed says: the amounts of its mandate, and every limit that refused it
 * with nothing left until it comes back. `now` is business time.
 */
export const expectSameLimits = async (fold: FeedFold, key: string, now: string, read: Read): Promise<void> => {
  const { limits } = await read<LimitPools>('limits_get');
  // What came back meanwhile may have been used again.
  const at = new Date().toISOString();
  expect(
    limits
      .filter(({ name }) => name.startsWith('over_'))
      .map(({ name, scope, limit, left }) => ({ name, scope, limit, left })),
  ).toEqual(fold.mandatePools(key, now));
  for (const { key_id, reason: name, scope, limit, resets_at } of fold.all('limit'))
    if (key_id === key && String(resets_at) > at)
      expect(limits).toContainEqual(expect.objectContaining({ name, scope, limit, left: 0, resets_at }));
};

const byId = (items: Record<string, unknown>[]) =>
  [...items].sort((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1));
