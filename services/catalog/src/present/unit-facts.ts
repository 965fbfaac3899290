import type { UnitFacts } from '@cds/contracts';
import { HELD_POSTS } from '../domain/constants.js';
import { isBuyable, isFresh, isListed, isSellable } from '../domain/creator/bookable.js';
import type { CurrentPrice, Unit } from '../domain/creator/creator.js';
import { topicText } from '../domain/matching/match-reasons.js';
import { type Audience, matchLabel } from '../domain/matching/score.js';
import { statusReason } from '../domain/vetting/vetting.js';
import { avatarUrl } from './avatar.js';
import type { RowFacts } from './creator.js';

export const presentUnitFacts = (
  creator: RowFacts,
  unit: Unit & { price: CurrentPrice },
  { day, appUrl, score, audience }: { day: string; appUrl: string; score: number | null; audience: Audience },
): UnitFacts => {
  const views = creator.expected_views?.[unit.format] ?? null;
  return {
    unit_id: unit.unit_id,
    creator_id: creator._id,
    channel: 'x_creators',
    format: unit.format,
    deliverable: unit.deliverable,
    price_cents: unit.price.price_cents,
    buyable: isBuyable(creator, unit, day),
    stale: isSellable(creator) && !isFresh(unit.price, day),
    listed: isListed(creator),
    name: creator.name,
    avatar_url: avatarUrl(creator, appUrl),
    followers: creator.followers,
    reach_band: creator.reach_band,
    vetting: statusReason(creator.status, creator.vetting),
    expected_views: views?.mid ?? null,
    views_low: views?.low ?? null,
    views_high: views?.high ?? null,
    engagement_rate: creator.engagement_rate_30d,
    match_score: score,
    match_label: score === null ? null : matchLabel(score),
    match_topic: topicText({ audience, weights: creator.weights, postsHeld: creator.posts_held ?? HELD_POSTS }),
  };
};
