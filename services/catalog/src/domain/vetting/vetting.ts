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
type Figure = CheckResult['figure'];
type Read<F extends Figure> = (facts: VettingFacts) => F;
type Check = {
  name: string;
  words: string;
  figure: Read<Figure>;
  result: (facts: VettingFacts) => Result;
  concern: string;
  activity?: true;
};

/** A value on a boundary gets the better result; an unknown one warns. */
const within = (value: number | null, [from, to]: Range, [warnFrom, warnTo]: Range): Result => {
  if (value === null) return 'warn';
  if (value >= from && value <= to) return 'pass';
  return value >= warnFrom && value <= warnTo ? 'warn' : 'fail';
};
type Range = readonly [from: number, to: number];
const MOST = Number.POSITIVE_INFINITY;

const check = (
  name: string,
  words: string,
  figure: Read<number | null>,
  pass: Range,
  warn: Range,
  concern: string,
): Check => ({ name, words, figure, result: (facts) => within(figure(facts), pass, warn), concern });

const viewsPerFollower = ({ medianViews, followers }: VettingFacts): number | null =>
  medianViews === null || followers === null || followers === 0 ? null : (100 * medianViews) / followers;

const CHECKS: readonly Check[] = [
  check(
    'account_age_days',
    'account age',
    (f) => f.accountAgeDays,
    [365, MOST],
    [180, MOST],
    'account younger than 180 days',
  ),
  check('followers', 'followers', (f) => f.followers, [1_000, MOST], [1_000, MOST], 'fewer than 1,000 followers'),
  {
    name: 'public_account',
    words: 'public account',
    figure: (f) => f.isPublic,
    result: (f) => (f.isPublic ? 'pass' : 'fail'),
    concern: 'account is protected, a parody or withheld',
  },
  {
    ...check(
      'posts_in_30_days',
      'posts in 30 days',
      (f) => f.postsIn30Days,
      [8, MOST],
      [3, MOST],
      'fewer than 3 posts in 30 days',
    ),
    activity: true,
  },
  {
    ...check(
      'last_post_age_days',
      'age of the last post',
      (f) => f.lastPostAgeDays,
      [-MOST, 7],
      [-MOST, 21],
      'no post for more than 21 days',
    ),
    activity: true,
  },
  check(
    'median_views_per_follower_percent',
    'views per follower',
    viewsPerFollower,
    [1, 300],
    [0.3, MOST],
    'views per follower fell under 0.3%',
  ),
  check(
    'engagement_rate_percent',
    'engagement rate',
    (f) => f.engagementRate,
    [0.2, 10],
    [0.1, 20],
    'engagement rate outside 0.1 to 20%',
  ),
  check(
    'follower_jump_percent',
    'follower jump',
    (f) => f.followerJumpPercent,
    [-MOST, 10],
    [-MOST, 25],
    'followers jumped by more than 25% in 7 days',
  ),
  check(
    'paid_posts_percent',
    'share of paid posts',
    (f) => f.paidPostsPercent,
    [-MOST, 20],
    [-MOST, 35],
    'more than 35% paid posts',
  ),
  check(
    'undisclosed_paid_posts',
    'undisclosed paid posts',
    (f) => f.undisclosedPaidPosts,
    [-MOST, 0],
    [-MOST, 1],
    'undisclosed paid posts',
  ),
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
