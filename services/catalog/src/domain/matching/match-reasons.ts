/** Why a creator fits an audience, in words (docs/domain/network.md#match-reasons, match_reasons). */
import type { MatchReason } from '@cds/contracts';
import { labelInText, labelsInText } from '../audience/audience-fit.js';
import { labelOf } from '../audience/segments.js';
import { FULL_WEIGHT, REASON_FROM, REASONS_MAX } from '../constants.js';
import type { SegmentWeight } from '../creator/creator.js';
import { roundHalfUp } from '../statistics.js';
import type { Audience } from './score.js';

export type ReasonFacts = {
  audience: Audience;
  weights: readonly SegmentWeight[];
  postsHeld: number;
  topic: number;
  reach: number | null;
  engagement: number | null;
  medianViews: number | null;
  engagementRate: number | null;
  launches: { count: number; partnerships: number; segments: readonly string[] };
};

const percentOf = (share: number): number => Math.min(99, roundHalfUp(share * 100));

const mainTopic = ({ audience, weights }: ReasonFacts): SegmentWeight | null =>
  audience
    .flatMap(({ id, weight }) => {
      const own = weights.find((one) => one.id === id);
      return own === undefined || own.posts === 0 ? [] : [{ own, part: weight * Math.min(1, own.w / FULL_WEIGHT) }];
    })
    .sort((one, other) => other.part - one.part || other.own.posts - one.own.posts)[0]?.own ?? null;

const postsOn = ({ id, posts }: SegmentWeight, postsHeld: number): string => {
  const last = postsHeld === 1 ? 'the last post' : `the last ${postsHeld} posts`;
  return `posts on ${labelInText(labelOf(id))} in ${posts} of ${last}`;
};

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The creator's own strongest segment within the audience, outside of it only where it has none inside. */
export const topicText = ({
  audience,
  weights,
  postsHeld,
}: Pick<ReasonFacts, 'audience' | 'weights' | 'postsHeld'>): string | null => {
  const inside = audience.flatMap(({ id, weight }) => {
    const own = weights.find((one) => one.id === id);
    return own === undefined || own.w === 0 ? [] : [{ own, part: weight * Math.min(1, own.w / FULL_WEIGHT) }];
  });
  const strongest = (inside.length > 0 ? inside : weights.map((own) => ({ own, part: own.w }))).sort(
    (one, other) => other.part - one.part || other.own.w - one.own.w,
  )[0]?.own;
  if (strongest === undefined || strongest.w === 0) return null;
  return strongest.posts > 0 ? postsOn(strongest, postsHeld) : `${labelInText(labelOf(strongest.id))} in the bio`;
};

const topicReason = (facts: ReasonFacts): MatchReason | null => {
  const main = facts.topic >= REASON_FROM.topic ? mainTopic(facts) : null;
  if (main === null) return null;
  return { kind: 'topic', text: `${capitalised(postsOn(main, facts.postsHeld))}.` };
};

const reachReason = ({ reach, medianViews }: ReasonFacts): MatchReason | null =>
  reach === null || medianViews === null || reach < REASON_FROM.reach
    ? null
    : {
        kind: 'reach',
        text: `Median of ${medianViews.toLocaleString('en-US')} views a post over 30 days, above ${percentOf(reach)}% of approved creators.`,
      };

const launchReason = ({ audience, launches }: ReasonFacts): MatchReason | null => {
  if (launches.count === 0) return null;
  const named = audience.filter(({ id }) => launches.segments.includes(id)).map(({ id }) => labelOf(id));
  const counted = (count: number, one: string, more: string): string[] =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : more}`];
  const took = [
    ...counted(launches.count - launches.partnerships, 'launch', 'launches'),
    ...counted(launches.partnerships, 'paid partnership', 'paid partnerships'),
  ].join(' and ');
  return { kind: 'past_launches', text: `Took part in ${took} for ${labelsInText(named)} in the last 12 months.` };
};

const engagementReason = ({ engagement, engagementRate }: ReasonFacts): MatchReason | null =>
  engagement === null || engagementRate === null || engagement < REASON_FROM.engagement
    ? null
    : {
        kind: 'engagement',
        text: `Engagement of ${engagementRate.toFixed(2)}% by views, above ${percentOf(engagement)}% of its reach band.`,
      };

/** At most three reasons, in the order topic, reach, past launches, engagement. Never a price. */
export const matchReasons = (facts: ReasonFacts): MatchReason[] =>
  [topicReason(facts), reachReason(facts), launchReason(facts), engagementReason(facts)]
    .flatMap((reason) => reason ?? [])
    .slice(0, REASONS_MAX);
