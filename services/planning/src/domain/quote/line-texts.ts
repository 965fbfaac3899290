// The texts of a line beside its slot (docs/domain/plans.md#line-texts): what is delivered, and why it is there.
import type { Goal, UnitFacts } from '@cds/contracts';
import type { Line, UnitMap } from '../plan.js';

/** In a launch, the post that a quote points to is the launch post. */
export const deliverableOf = (unit: Pick<UnitFacts, 'format' | 'deliverable'>, goal: Goal | null): string =>
  goal === 'launch' && unit.format === 'quote'
    ? unit.deliverable.replace('of the post you name', 'of your launch post')
    : unit.deliverable;

/**
 * What lines deliver as the network says it now: a stored text may name a creator by a handle that was taken since
 * (docs/domain/plans.md#line-texts).
 */
export const withCurrentTexts = (lines: readonly Line[], units: UnitMap, goal: Goal | null): Line[] =>
  lines.map((line) => {
    const unit = units.get(line.unit_id ?? '');
    return unit === undefined ? line : { ...line, deliverable: deliverableOf(unit, goal) };
  });

const figure = (views: number): string => views.toLocaleString('en-US');

/** Names the creator's own strongest segment of the audience, never a price. */
export const reasonOf = (
  unit: Pick<UnitFacts, 'match_label' | 'match_topic' | 'views_low' | 'views_high'>,
  addedByYou: boolean,
): string => {
  const measured = unit.views_low !== null && unit.views_high !== null;
  const views = measured
    ? `${figure(unit.views_low ?? 0)} to ${figure(unit.views_high ?? 0)} expected views.`
    : 'no views forecast yet.';
  const topic = unit.match_topic == null ? '' : `: ${unit.match_topic}`;
  const why = unit.match_label === null ? views : `${unit.match_label}${topic}; ${views}`;
  return `${addedByYou ? 'Added by you. ' : ''}${why.charAt(0).toUpperCase()}${why.slice(1)}`;
};
