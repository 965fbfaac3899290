/** The distributions of the generated network, all assumptions of docs/domain/network.md#generated-network. */
import type { CreatorStatus } from '@cds/contracts';

export const FOLLOWERS = { median: 28_000, spread: 1.45, most: 150_000_000 } as const;
export const VIEWS_PER_FOLLOWER = { median: 0.13, slope: -0.12, spread: 0.7 } as const;
/** The spread of one creator's views, and the share of posts that go viral. */
export const VIEWS = { spreadFrom: 0.5, spreadTo: 1, runaway: 0.03, runawayTimes: 10 } as const;
export const ENGAGEMENT = { median: 1.6, spread: 0.55, slope: -0.1 } as const;
export const MIX = { likes: 0.7, reposts: 0.12, replies: 0.1, bookmarks: 0.06, quotes: 0.02 } as const;
export const POSTS_A_WEEK = { median: 7, spread: 0.8, mostInWindow: 300 } as const;
export const CPM = { medianUsd: 22, spread: 0.55, slope: -0.08 } as const;
export const PRICE = { floorUsd: 30, stepUsd: 5, quote: 0.6, thread: 1.5 } as const;
export const PRICED = 0.7;
export const PRICE_AGE_DAYS = 45;
export const TEAM_SET = 0.05;
export const SELLS = { quote: 0.8, thread: 0.5 } as const;
export const STATUSES: readonly (readonly [CreatorStatus, number])[] = [
  ['approved', 62],
  ['not_reviewed', 20],
  ['declined', 10],
  ['borderline', 8],
];
export const PAUSED = 0.03;
export const FLAGGED = 0.03;
export const EXCLUDED = 0.01;
export const KNOWN_COUNTRY = 0.45;
export const KNOWN_LANGUAGE = 0.9;
export const SEGMENTS_OF_CREATOR_MAX = 4;
export const OFF_TOPIC_POSTS = 0.2;
export const NO_BIO = 0.04;
export const COLLABORATES = 0.3;
export const PAID_POSTS = 0.04;
export const VERIFIED = 0.55;
export const PORTRAYED = 0.3;
export const REFRESH_FAILED = 0.04;
export const ACCOUNT_AGE_DAYS = { from: 200, to: 5_000 } as const;
/** Kinds of posts: post, quote, thread. */
export const KINDS = [70, 18, 12] as const;
