import { planEdit } from '../changes/plan-edit.js';
import { moveDates } from '../domain/edits/edits.js';

/**
 * Moves the window and every post date; prices do not change. Raises not_found, mandate_refused, conflict (plan_signed,
 * archived, bad_dates, same_day). Source: docs/specification.md#move-the-dates, docs/domain/plans.md#edits.
 */
export const planMoveDates = planEdit('plan_move_dates', {
  target: ({ input }) => ({ start: input.start, end: input.end }),
  gate: 'dates',
  price: () => [],
  decide: ({ facts, target }) => moveDates(facts, target),
  buys: false,
  details: ({ target }) => target,
  present: ({ to, quote }) => ({ lines_moved: to.linesMoved, plan: quote }),
});
