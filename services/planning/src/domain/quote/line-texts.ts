// The texts of a line beside its slot (docs/domain/plans.md#line-texts): what is delivered, and why it is there.
import type { Goal, UnitFacts } from '@cds/contracts';
import type { Line, UnitMap } from '../plan.js';

/** In a launch, the post that a quote points to is the launch post. */
export const deliverableOf = (unit: Pick<UnitFacts, 'format' | 'deliverable'>, goal: Goal | null): string =>
  goal === 'launch' && unit.format === 'quote'
    ? unit.deliverable.replace('of the post you name', 'of your launch post')
    : unit.deliverable;

const WORD = /[\p{L}\p{N}]+/gu;

/** Whether a text is another with words left out. */
const leavesOut = (text: string, whole: string): boolean => {
  const words: readonly string[] = whole.match(WORD) ?? [];
  let from = 0;
  for (const word of text.match(WORD) ?? []) {
    from = words.indexOf(word, from) + 1;
    if (from === 0) return false;
  }
  return true;
};

/**
 * Lines as they show before payment: a stored text may name its creator by a handle taken since, which the network
 * leaves out of its own by now. Any other change of a unit does not touch what was planned and is signed.
 */
export const beforePayment = <L extends Pick<Line, 'unit_id' | 'deliverable'>>(
  lines: readonly L[],
  units: UnitMap,
  goal: Goal | null,
): L[] =>
  lines.map((line) => {
    const unit = units.get(line.unit_id ?? '');
    const deliverable = unit === undefined ? line.deliverable : deliverableOf(unit, goal);
    return leavesOut(deliverable, line.deliverable) ? { ...line, deliverable } : line;
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
