import type { Candidate } from '@cds/contracts';
import { HELD_POSTS } from '../domain/constants.js';
import { isBuyable } from '../domain/creator/bookable.js';
import type { insideOf } from '../domain/geography/region-members.js';
import { topicText } from '../domain/matching/match-reasons.js';
import { type Audience, matchLabel } from '../domain/matching/score.js';
import { statusReason } from '../domain/vetting/vetting.js';
import { avatarUrl } from './avatar.js';
import type { RowFacts } from './creator.js';

export type CandidateContext = { audience: Audience; inside: ReturnType<typeof insideOf>; appUrl: string };

type CandidateRow = { creator: RowFacts; day: string; weights: ReadonlyMap<string, number> };

export const presentCandidate = (
  { creator, day, weights }: CandidateRow,
  score: number | null,
  { audience, inside, appUrl }: CandidateContext,
): Candidate => ({
  creator_id: creator._id,
  name: creator.name,
  avatar_url: avatarUrl(creator, appUrl),
  followers: creator.followers,
  reach_band: creator.reach_band,
  country: creator.country,
  posts_per_week: creator.posts_per_week,
  views_source: creator.views_source,
  vetting: statusReason(creator.status, creator.vetting),
  engagement_rate: creator.engagement_rate_30d,
  match_score: score,
  match_label: score === null ? null : matchLabel(score),
  match_topic: topicText({ audience, weights: creator.weights, postsHeld: creator.posts_held ?? HELD_POSTS }),
  in_regions: inside(creator.country),
  weights: audience.map(({ id }) => weights.get(id) ?? 0),
  units: creator.units.flatMap((unit) => {
    const views = creator.expected_views?.[unit.format];
    if (views === undefined || unit.price === null || !isBuyable(creator, unit, day)) return [];
    return [
      {
        unit_id: unit.unit_id,
        format: unit.format,
        deliverable: unit.deliverable,
        price_cents: unit.price.price_cents,
        expected_views: views.mid,
        views_low: views.low,
        views_high: views.high,
      },
    ];
  }),
});
