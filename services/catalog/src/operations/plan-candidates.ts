import type { Candidate } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { resolveAudience } from '../domain/audience.js';
import { isBuyable, isInAutomaticPlans } from '../domain/bookable.js';
import { CANDIDATE_SYNC_DAYS, CANDIDATES_MAX, DAY_MS } from '../domain/constants.js';
import { insideOf } from '../domain/region-members.js';
import { regionsOf } from '../domain/regions.js';
import { type Audience, matchLabel } from '../domain/score.js';
import { statusReason } from '../domain/vetting.js';
import { avatarUrl } from '../present/avatar.js';
import type { NetworkMemory } from '../snapshot/memory.js';
import type { Network } from '../snapshot/network.js';
import type { Row } from '../snapshot/rows.js';

/**
 * The creators that a plan may be built of, sorted by id: bookable, in automatic plans, measured, synced lately and
 * reaching the audience; everyone when the text resolves to none. At most 2,000, the best by expected views per dollar.
 * Source: domain 2-plans 3.1.
 */
export const planCandidates: ReadHandler<'plan_candidates', { appUrl: string; memory: NetworkMemory }> = async (
  ctx,
  input,
  { appUrl, memory },
) => {
  const network = memory.at(ctx.networkNow);
  const { segments, unresolved } = resolveAudience(input.audience ?? '');

  const oldest = ctx.networkNow.getTime() - CANDIDATE_SYNC_DAYS * DAY_MS;
  const inside = insideOf(regionsOf(input.geography ?? null, input.audience));
  const candidates = candidatesOf(network, segments, oldest, { inside, appUrl });

  return {
    segments,
    unresolved,
    candidates: best(candidates).sort((one, other) => (one.creator_id < other.creator_id ? -1 : 1)),
  };
};

/** What a candidate is told with beside its row. */
type Telling = { inside: ReturnType<typeof insideOf>; appUrl: string };

const candidatesOf = (network: Network, audience: Audience, oldest: number, telling: Telling): Candidate[] => {
  const view = audience.length === 0 ? null : network.view(audience);
  return network.rows.flatMap((row, index) => {
    const { creator } = row;
    const isCandidate =
      isInAutomaticPlans(creator, network.day) &&
      creator.expected_views !== null &&
      (creator.synced_at?.getTime() ?? 0) >= oldest &&
      (view === null || view.reached[index] === 1);
    return isCandidate ? [presentCandidate(row, audience, view?.scores[index] ?? null, telling)] : [];
  });
};

const presentCandidate = (
  { creator, day, weights }: Row,
  audience: Audience,
  score: number | null,
  { inside, appUrl }: Telling,
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

const viewsPerCent = ({ units }: Candidate): number =>
  Math.max(0, ...units.map((unit) => unit.expected_views / unit.price_cents));

/** The best by expected views per dollar, so that the answer stays under the size of a message. */
const best = (candidates: Candidate[]): Candidate[] =>
  candidates.length <= CANDIDATES_MAX
    ? candidates
    : candidates
        .sort((one, other) => viewsPerCent(other) - viewsPerCent(one) || (one.creator_id < other.creator_id ? -1 : 1))
        .slice(0, CANDIDATES_MAX);
