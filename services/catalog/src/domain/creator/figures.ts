/** A creator's figures from profile and posts, as of the sync (docs/domain/network.md#posts-and-figures). */
import type { ReachBand } from '@cds/contracts';
import {
  BAND_FLOORS,
  DAY_MS,
  EXCERPT_MAX,
  HELD_POSTS,
  LEAST_MEASURED,
  LEAST_VIEWS_FOR_RATE,
  MATURE_AGE_MS,
  POSITIONING_MAX,
  POST_TEXT_MAX,
  WINDOW_DAYS,
} from '../constants.js';
import type { ImportedPost } from '../import/imported-creator.js';
import { median, roundHalfUp } from '../statistics.js';
import { atMost, positioningOf } from './cleaning.js';
import { countsOf, type Figures, type HeldPost, type KeptSummary } from './creator.js';
import { expectedViews } from './expected-views.js';
import { recurringIn } from './recurring.js';
import { weightsOf } from './weights.js';

export const bandOf = (followers: number | null): ReachBand =>
  BAND_FLOORS.find(([floor]) => (followers ?? 0) >= floor)?.[1] ?? 'nano';

type Viewed = ImportedPost & { views: number };
const isViewed = (post: ImportedPost): post is Viewed => post.views !== null;

export const windowOf = <P extends Pick<ImportedPost, 'id' | 'created_at'>>(posts: readonly P[], syncedAt: Date): P[] =>
  posts
    .filter(({ created_at }) => {
      const age = syncedAt.getTime() - created_at.getTime();
      return age >= 0 && age <= WINDOW_DAYS * DAY_MS;
    })
    .sort((one, other) => other.created_at.getTime() - one.created_at.getTime() || (one.id < other.id ? 1 : -1));

const rateOf = (post: Viewed): number =>
  (100 * ((post.likes ?? 0) + (post.replies ?? 0) + (post.reposts ?? 0) + (post.quotes ?? 0) + (post.bookmarks ?? 0))) /
  post.views;

const rounded = (value: number | null, decimals: number): number | null =>
  value === null ? null : roundHalfUp(value, decimals);

const medianOfEnough = (values: readonly number[]): number | null =>
  values.length < LEAST_MEASURED ? null : median(values);

const asHeld = (post: ImportedPost, clean: (text: string) => string): HeldPost => ({
  kind: post.kind,
  published_at: post.created_at,
  text: atMost(clean(post.text), POST_TEXT_MAX),
  ...countsOf((name) => post[name]),
});

const seriesOf = (held: readonly HeldPost[]): number[] => {
  const views = held.flatMap((post) => (post.views === null ? [] : [post.views])).reverse();
  const highest = Math.max(0, ...views);
  return views.map((one) => (highest === 0 ? 0 : roundHalfUp((100 * one) / highest)));
};

const summaryOf = (
  inWindow: number,
  held: readonly HeldPost[],
  clean: (text: string) => string,
): KeptSummary | null => {
  const newest = held[0];
  if (inWindow < LEAST_MEASURED || newest === undefined) return null;
  const views = held.flatMap((post) => (post.views === null ? [] : [post.views]));
  const highest = Math.max(...views);
  const top = held.find((post) => post.views === highest);
  return {
    posts: held.length,
    capped: held.length === HELD_POSTS,
    sample_median_views: rounded(median(views), 0),
    top_post: top === undefined ? null : { views: highest, excerpt: atMost(top.text, EXCERPT_MAX) },
    recurring: recurringIn(held.map(({ text }) => text))
      .map(clean)
      .filter((phrase) => phrase !== ''),
    latest_at: newest.published_at,
  };
};

export type SyncFacts = {
  followers: number | null;
  bio: string | null;
  posts: readonly ImportedPost[];
  syncedAt: Date;
};

/** Posts come newest first. Source: docs/domain/network.md#posts-and-figures. */
export const figuresOf = (facts: SyncFacts, clean: (text: string) => string): Figures & { posts: HeldPost[] } => {
  const inWindow = windowOf(facts.posts, facts.syncedAt);
  const held = inWindow.slice(0, HELD_POSTS).map((post) => asHeld(post, clean));
  const mature = inWindow
    .filter(isViewed)
    .filter(({ created_at }) => facts.syncedAt.getTime() - created_at.getTime() >= MATURE_AGE_MS);
  const band = bandOf(facts.followers);
  const views = mature.map((post) => post.views);

  return {
    reach_band: band,
    median_views_30d: rounded(medianOfEnough(views), 0),
    engagement_rate_30d: rounded(
      medianOfEnough(mature.filter((post) => post.views >= LEAST_VIEWS_FOR_RATE).map(rateOf)),
      2,
    ),
    posts_per_week: roundHalfUp((inWindow.length * 7) / WINDOW_DAYS, 1),
    posts_measured: mature.length,
    posts_held: held.length,
    expected_views: expectedViews(views, facts.followers, band),
    views_series: seriesOf(held),
    posts_summary: summaryOf(inWindow.length, held, clean),
    positioning: positioningOf(facts.bio, POSITIONING_MAX),
    weights: weightsOf(
      held.map(({ text }) => text),
      facts.bio,
    ),
    posts: held,
  };
};
