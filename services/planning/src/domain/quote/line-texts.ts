import type { Goal, UnitFacts } from '@cds/contracts';
import { addDays, daysBetween } from '@cds/service/calendar';

/**
 * The texts of a line (docs/domain/plans.md#line-texts): its slot, counted from the moment, and the reason it is on the
 * plan.
 */

const MOMENT_DAY = { launch: 'Launch day', funding: 'Announcement day', feature: 'Release day' } as const;

const momentDay = (goal: Goal | null): string => (goal === null || goal === 'program' ? 'Day 1' : MOMENT_DAY[goal]);

/** The slot of a post: "Launch day, quote", "Day 3, post", "Week 2, thread", "3 days before, post". */
export const slotOf = (of: {
  date: string;
  windowStart: string;
  momentOffset: number;
  goal: Goal | null;
  format: string | null;
}): string => {
  const place = placeOf(of);
  return of.format === null ? place : `${place}, ${of.format}`;
};

const placeOf = ({ date, windowStart, momentOffset, goal }: Parameters<typeof slotOf>[0]): string => {
  if (goal === 'program') return `Week ${Math.floor(daysBetween(windowStart, date) / 7) + 1}`;
  const after = daysBetween(addDays(windowStart, momentOffset), date);
  if (after === 0) return momentDay(goal);
  if (after < 0) return `${-after} ${after === -1 ? 'day' : 'days'} before`;
  return after < 7 ? `Day ${after + 1}` : `Week ${Math.floor(after / 7) + 1}`;
};

/** What a creator delivers; in a launch, the post that a quote points to is the launch post. */
export const deliverableOf = (unit: Pick<UnitFacts, 'format' | 'deliverable'>, goal: Goal | null): string =>
  goal === 'launch' && unit.format === 'quote'
    ? unit.deliverable.replace('of the post you name', 'of your launch post')
    : unit.deliverable;

const figure = (views: number): string => views.toLocaleString('en-US');

/**
 * Why a creator is on the plan: "Strong match: posts on startup founders in 14 of the last 30 posts; 9,000 to 27,000
 * expected views." It names the creator's own strongest segment within the audience, and never a price.
 */
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
