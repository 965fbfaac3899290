import type { Candidate, Goal, Replacement } from '@cds/contracts';
import { type CreatorAnswers, qualifiedViews } from '../builder/value.js';
import { REPLACEMENT_VIEWS_SHARE } from '../constants.js';
import type { Line } from '../plan.js';

/** Who may take a paid line over, and in which order (docs/domain/orders.md#replacement-search). */

/** The line that lost its creator. Prices are US cents. */
export type LostLine = Pick<Line, 'channel' | 'format' | 'price_cents' | 'expected_views'>;

/** The one channel of the network's creators. */
const NETWORK_CHANNEL = 'x_creators';

/**
 * The units that may take a line over, best first: same channel and format, at or under the line's paid price, of a
 * creator who is not excluded. Those with at least 60 % of the line's expected views come before the others; among
 * these the most qualified views win, then the lower creator id.
 */
export const rankedReplacements = (
  candidates: readonly Candidate[],
  line: LostLine,
  of: { goal: Goal | null; answers: CreatorAnswers; exclude: ReadonlySet<string> },
): Replacement[] => {
  if (line.channel !== NETWORK_CHANNEL) return [];
  const enough = (line.expected_views ?? 0) * REPLACEMENT_VIEWS_SHARE;
  return candidates
    .filter(({ creator_id: id }) => !of.exclude.has(id))
    .flatMap((candidate) =>
      candidate.units
        .filter(({ format, price_cents }) => format === line.format && price_cents <= line.price_cents)
        .map((unit) => ({
          candidate,
          unit,
          strong: unit.expected_views >= enough,
          value: qualifiedViews(candidate, unit, {
            goal: of.goal ?? 'program',
            offers: of.answers.offersOf(candidate.creator_id),
          }),
        })),
    )
    .sort(
      (one, other) =>
        Number(other.strong) - Number(one.strong) ||
        other.value - one.value ||
        (one.candidate.creator_id < other.candidate.creator_id ? -1 : 1),
    )
    .map(({ candidate, unit }) => ({
      unit_id: unit.unit_id,
      creator_id: candidate.creator_id,
      name: candidate.name,
      channel: NETWORK_CHANNEL,
      format: unit.format,
      deliverable: unit.deliverable,
      price_cents: unit.price_cents,
      expected_views: unit.expected_views,
      views_low: unit.views_low,
      views_high: unit.views_high,
      engagement_rate: candidate.engagement_rate,
      match_score: candidate.match_score,
    }));
};
