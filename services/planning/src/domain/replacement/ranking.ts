// Who may take a paid line over, and in which order (docs/domain/orders.md#replacement-search).
import type { Candidate, Goal, Replacement } from '@cds/contracts';
import { type CreatorAnswers, qualifiedViews } from '../builder/value.js';
import { REPLACEMENT_VIEWS_SHARE } from '../constants.js';
import type { Line } from '../plan.js';
import { deliverableOf } from '../quote/line-texts.js';

export type LostLine = Pick<Line, 'channel' | 'format' | 'price_cents' | 'expected_views'>;

const NETWORK_CHANNEL = 'x_creators';

type Offered = { candidate: Candidate; unit: Candidate['units'][number]; value: number };

export const rankedUnits = (
  candidates: readonly Candidate[],
  of: { goal: Goal | null; answers: CreatorAnswers },
): Offered[] =>
  candidates
    .flatMap((candidate) => {
      const worth = { goal: of.goal ?? 'program', offers: of.answers.offersOf(candidate.creator_id) };
      return candidate.units.map((unit) => ({ candidate, unit, value: qualifiedViews(candidate, unit, worth) }));
    })
    .sort((one, other) => other.value - one.value || (one.candidate.creator_id < other.candidate.creator_id ? -1 : 1));

/** At or under the line's paid price; units with at least 60 % of its expected views come first. */
export const replacementsOf = (
  line: LostLine,
  ranked: readonly Offered[],
  exclude: ReadonlySet<string>,
  most: number,
  goal: Goal | null,
): Replacement[] => {
  if (line.channel !== NETWORK_CHANNEL) return [];
  const enough = (line.expected_views ?? 0) * REPLACEMENT_VIEWS_SHARE;
  const strong: Offered[] = [];
  const weak: Offered[] = [];
  for (const one of ranked) {
    if (one.unit.format !== line.format || one.unit.price_cents > line.price_cents) continue;
    if (exclude.has(one.candidate.creator_id)) continue;
    (one.unit.expected_views >= enough ? strong : weak).push(one);
    if (strong.length === most) break;
  }
  return [...strong, ...weak].slice(0, most).map((one) => presented(one, goal));
};

const presented = ({ candidate, unit }: Offered, goal: Goal | null): Replacement => ({
  unit_id: unit.unit_id,
  creator_id: candidate.creator_id,
  name: candidate.name,
  channel: NETWORK_CHANNEL,
  format: unit.format,
  deliverable: deliverableOf(unit, goal),
  price_cents: unit.price_cents,
  expected_views: unit.expected_views,
  views_low: unit.views_low,
  views_high: unit.views_high,
  engagement_rate: candidate.engagement_rate,
  match_score: candidate.match_score,
});
