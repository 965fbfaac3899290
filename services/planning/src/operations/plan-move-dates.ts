import { planEdit } from '../changes/plan-edit.js';
import { moveDates } from '../domain/edits/edits.js';

/** Prices stay. Raises not_found, mandate_refused, conflict. Source: docs/specification.md#move-the-dates. */
export const planMoveDates = planEdit('plan_move_dates', {
  target: ({ input }) => ({ start: input.start, end: input.end }),
  gate: 'dates',
  price: () => [],
  decide: ({ facts, target }) => moveDates(facts, target),
  buys: false,
  details: ({ target }) => target,
  present: ({ to, quote }) => ({ lines_moved: to.linesMoved, plan: quote }),
});
