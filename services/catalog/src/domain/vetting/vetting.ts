import type { CreatorStatus } from '@cds/contracts';
import { dayInWords } from '@cds/service/calendar';
import { DAY_MS } from '../constants.js';
import type { CheckResult, SyncReview, Vetting } from '../creator/creator.js';

export type VettingFacts = {
  accountAgeDays: number | null;
  followers: number | null;
  isPublic: boolean;
  postsIn30Days: number | null;
  lastPostAgeDays: number | null;
  medianViews: number | null;
  engagementRate: number | null;
  followerJumpPercent: number | null;
  paidPostsPercent: number | null;
  undisclosedPaidPosts: number | null;
  unsafe: 'none' | 'to_be_read' | 'yes';
};

type Result = 'pass' | 'warn' | 'fail';

const atLeast = (value: number | null, pass: number, warn: number): Result =>
  value === null ? 'warn' : value >= pass ? 'pass' : value >= warn ? 'warn' : 'fail';

const atMostOf = (value: number | null, pass: number, warn: number): Result =>
  value === null ? 'warn' : value <= pass ? 'pass' : value <= warn ? 'warn' : 'fail';

const between = (value: number | null, pass: readonly [number, number], warn: readonly [number, number]): Result =>
  value === null
    ? 'warn'
    : value >= pass[0] && value <= pass[1]
      ? 'pass'
      : value >= warn[0] && value <= warn[1]
        ? 'warn'
        : 'fail';

type Figure = CheckResult['figure'];
type Check = {
  name: string;
  words: string;
  figure: (facts: VettingFacts) => Figure;
  result: (facts: VettingFacts) => Result;
  concern: string;
  activity?: true;
};

const viewsPerFollower = ({ medianViews, followers }: VettingFacts): number | null =>
  medianViews === null || followers === null || followers === 0 ? null : (100 * medianViews) / followers;

const CHECKS: readonly Check[] = [
  {
    name: 'account_age_days',
    words: 'account age',
    figure: (f) => f.accountAgeDays,
    result: (f) => atLeast(f.accountAgeDays, 365, 180),
    concern: 'account younger than 180 days',
  },
  {
    name: 'followers',
    words: 'followers',
    figure: (f) => f.followers,
    result: (f) => atLeast(f.followers, 1_000, 1_000),
    concern: 'fewer than 1,000 followers',
  },
  {
    name: 'public_account',
    words: 'public account',
    figure: (f) => f.isPublic,
    result: (f) => (f.isPublic ? 'pass' : 'fail'),
    concern: 'account is protected, a parody or withheld',
  },
  {
    name: 'posts_in_30_days',
    words: 'posts in 30 days',
    figure: (f) => f.postsIn30Days,
    result: (f) => atLeast(f.postsIn30Days, 8, 3),
    concern: 'fewer than 3 posts in 30 days',
    activity: true,
  },
  {
    name: 'last_post_age_days',
    words: 'age of the last post',
    figure: (f) => f.lastPostAgeDays,
    result: (f) => atMostOf(f.lastPostAgeDays, 7, 21),
    concern: 'no post for more than 21 days',
    activity: true,
  },
  {
    name: 'median_views_per_follower_percent',
    words: 'views per follower',
    figure: viewsPerFollower,
    result: (f) => between(viewsPerFollower(f), [1, 300], [0.3, Number.POSITIVE_INFINITY]),
    concern: 'views per follower fell under 0.3%',
  },
  {
    name: 'engagement_rate_percent',
    words: 'engagement rate',
    figure: (f) => f.engagementRate,
    result: (f) => between(f.engagementRate, [0.2, 10], [0.1, 20]),
    concern: 'engagement rate outside 0.1 to 20%',
  },
  {
    name: 'follower_jump_percent',
    words: 'follower jump',
    figure: (f) => f.followerJumpPercent,
    result: (f) => atMostOf(f.followerJumpPercent, 10, 25),
    concern: 'followers jumped by more than 25% in 7 days',
  },
  {
    name: 'paid_posts_percent',
    words: 'share of paid posts',
    figure: (f) => f.paidPostsPercent,
    result: (f) => atMostOf(f.paidPostsPercent, 20, 35),
    concern: 'more than 35% paid posts',
  },
  {
    name: 'undisclosed_paid_posts',
    words: 'undisclosed paid posts',
    figure: (f) => f.undisclosedPaidPosts,
    result: (f) => atMostOf(f.undisclosedPaidPosts, 0, 1),
    concern: 'undisclosed paid posts',
  },
  {
    name: 'unsafe_content',
    words: 'unsafe content',
    figure: (f) => f.unsafe,
    result: (f) => (f.unsafe === 'none' ? 'pass' : f.unsafe === 'yes' ? 'fail' : 'warn'),
    concern: 'unsafe content',
  },
];

/** Follows the words of a check in `unpassed` whose figure is unknown. */
const UNKNOWN = ' (unknown)';

export const vet = (facts: VettingFacts, on: string): Vetting => {
  const results = CHECKS.map((check) => ({ check, result: check.result(facts) }));
  const failed = results.filter(({ result }) => result === 'fail');
  return {
    passed: results.filter(({ result }) => result === 'pass').length,
    of: CHECKS.length,
    on,
    inactive: failed.some(({ check }) => check.activity === true),
    concern: failed.find(({ check }) => check.activity !== true)?.check.concern ?? null,
    unpassed: results
      .filter(({ result }) => result !== 'pass')
      .map(({ check }) => (check.figure(facts) === null ? `${check.words}${UNKNOWN}` : check.words)),
  };
};

/** Two or more warnings propose a borderline status. */
const BORDERLINE_FROM = 2;

export const reviewOf = (facts: VettingFacts, on: string): SyncReview => {
  const found = vet(facts, on);
  const checks = CHECKS.map((check) => ({
    check: check.name,
    result: check.result(facts),
    figure: check.figure(facts),
  }));
  const warned = checks.filter(({ result }) => result === 'warn').length;
  const proposal = found.concern !== null ? 'declined' : warned >= BORDERLINE_FROM ? 'borderline' : 'approved';
  return { ...found, checks, proposal };
};

export const vettingOf = ({ passed, of, on, inactive, concern, unpassed = [] }: SyncReview): Vetting => ({
  passed,
  of,
  on,
  inactive,
  concern,
  unpassed,
});

export const ageInDays = (since: Date | null, at: Date): number | null =>
  since === null ? null : Math.floor((at.getTime() - since.getTime()) / DAY_MS);

export const statusLabel = (status: CreatorStatus): 'Not reviewed' | 'Under review' | 'Reviewed' =>
  status === 'not_reviewed' ? 'Not reviewed' : status === 'borderline' ? 'Under review' : 'Reviewed';

export const statusReason = (status: CreatorStatus, vetting: Vetting | null): string => {
  const because = vetting?.concern ?? null;
  switch (status) {
    case 'not_reviewed':
      return 'Not reviewed yet.';
    case 'borderline':
      return because === null ? 'Under review.' : `Under review: ${because}.`;
    case 'declined':
      return because === null ? 'Not accepted.' : `Not accepted: ${because}.`;
    case 'approved':
      return vetting === null
        ? 'Reviewed.'
        : `Reviewed ${dayInWords(vetting.on)}: ${vetting.passed} of ${vetting.of} checks passed${unpassedIn(vetting)}.`;
  }
};

const unpassedIn = ({ unpassed = [] }: Vetting): string => {
  const known = unpassed.filter((words) => !words.endsWith(UNKNOWN));
  const unknown = unpassed.filter((words) => words.endsWith(UNKNOWN)).map((words) => words.slice(0, -UNKNOWN.length));
  return [
    known.length === 0 ? '' : `; not passed: ${known.join(', ')}`,
    unknown.length === 0 ? '' : `; ${listed(unknown)} could not be checked`,
  ].join('');
};

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
