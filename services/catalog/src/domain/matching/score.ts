import {
  FULL_WEIGHT,
  OFF_TOPIC_SCORE_MAX,
  OFF_TOPIC_UNDER,
  REACHES_FROM,
  SCORE_PARTS,
  UNKNOWN_ENGAGEMENT,
  UNMEASURED_REACH,
} from '../constants.js';
import { roundHalfUp } from '../statistics.js';

export type Audience = readonly { readonly id: string; readonly weight: number }[];

/** A creator's weight on a segment, 0 if it never mentions it. */
export type WeightOn = (segment: string) => number;

export const topicOf = (audience: Audience, weightOn: WeightOn): number =>
  audience.reduce((sum, { id, weight }) => sum + weight * Math.min(1, weightOn(id) / FULL_WEIGHT), 0);

/** Whether a creator reaches one of an audience's segments. Source: docs/domain/network.md#creator-weights. */
export const reaches = (audience: Audience, weightOn: WeightOn): boolean =>
  audience.some(({ id }) => weightOn(id) >= REACHES_FROM);

export type ScoreParts = { topic: number; reach: number | null; engagement: number | null; launches: number };

/** The match score, 0 to 100; at most 30 for an off-topic creator. */
export const matchScore = ({ topic, reach, engagement, launches }: ScoreParts): number => {
  const score = roundHalfUp(
    100 *
      (SCORE_PARTS.topic * topic +
        SCORE_PARTS.reach * (reach ?? UNMEASURED_REACH) +
        SCORE_PARTS.engagement * (engagement ?? UNKNOWN_ENGAGEMENT) +
        SCORE_PARTS.launches * launches),
  );
  return topic < OFF_TOPIC_UNDER ? Math.min(score, OFF_TOPIC_SCORE_MAX) : score;
};

export const matchLabel = (score: number, audience: string | null = null): string => {
  const label = score > 70 ? 'Strong match' : score > 50 ? 'Good match' : score > 30 ? 'Partial match' : 'Weak match';
  return audience === null ? label : `${label} for ${audience}`;
};
