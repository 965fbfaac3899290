/** The input of the vetting checks (docs/domain/network.md#vetting). */
import { WINDOW_DAYS } from '../constants.js';
import type { Creator, Figures, PastSync } from '../creator/creator.js';
import { windowOf } from '../creator/figures.js';
import { isToBeRead, paidPercentOf, undisclosedAmong } from '../vetting/content-checks.js';
import { followerJump } from '../vetting/follower-jump.js';
import { ageInDays, type VettingFacts } from '../vetting/vetting.js';
import type { ImportSource } from './import-source.js';
import type { ImportedCreator } from './imported-creator.js';

/** This import's posts, else what was found in earlier ones; null where no posts were ever stated. */
export const vettingFacts = (
  facts: ImportedCreator,
  posts: boolean,
  held: Creator | null,
  figures: Figures,
  source: ImportSource,
): VettingFacts => {
  const inWindow = windowOf(facts.posts, source.asOf);
  const newest = posts ? inWindow[0]?.created_at : held?.posts[0]?.published_at;
  return {
    accountAgeDays: ageInDays(facts.account_created_at, source.asOf),
    followers: facts.followers,
    isPublic: !(facts.protected || facts.parody || facts.withheld),
    postsIn30Days: posts ? inWindow.length : postsHeldIn30Days(held),
    lastPostAgeDays: ageInDays(newest ?? null, source.asOf),
    medianViews: figures.median_views_30d,
    engagementRate: figures.engagement_rate_30d,
    followerJumpPercent: followerJump(pastSyncsOf(held), syncOf(facts, figures, source)),
    paidPostsPercent: posts ? paidPercentOf(inWindow) : figureFound(held, 'paid_posts_percent'),
    undisclosedPaidPosts: posts ? undisclosedAmong(inWindow) : figureFound(held, 'undisclosed_paid_posts'),
    unsafe:
      isToBeRead([facts.bio ?? '', ...inWindow.map(({ text }) => text)]) || (!posts && wasToBeRead(held))
        ? 'to_be_read'
        : 'none',
  };
};

const postsHeldIn30Days = (held: Creator | null): number | null =>
  held?.posts_per_week == null ? null : Math.round((held.posts_per_week * WINDOW_DAYS) / 7);

/** The earlier syncs, as far as they are stored. */
export const pastSyncsOf = (held: Creator | null): readonly PastSync[] =>
  held?.past_syncs ??
  (held?.synced_at == null
    ? []
    : [{ at: held.synced_at, followers: held.followers, median_views: held.median_views_30d }]);

export const syncOf = (facts: ImportedCreator, figures: Figures, { asOf }: ImportSource): PastSync => ({
  at: asOf,
  followers: facts.followers,
  median_views: figures.median_views_30d,
});

const figureFound = (held: Creator | null, name: string): number | null => {
  const figure = held?.sync_review?.checks.find(({ check }) => check === name)?.figure;
  return typeof figure === 'number' ? figure : null;
};

const wasToBeRead = (held: Creator | null): boolean =>
  held?.sync_review?.checks.find(({ check }) => check === 'unsafe_content')?.figure === 'to_be_read';
