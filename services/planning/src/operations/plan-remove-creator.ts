import { planEdit } from '../changes/plan-edit.js';
import { removeLine } from '../domain/edits/edits.js';
import { lineNamed } from '../load/campaigns.js';

/** Raises not_found, mandate_refused, conflict (last_creator). Source: docs/specification.md#remove-a-creator. */
export const planRemoveCreator = planEdit('plan_remove_creator', {
  target: ({ before, input }) => lineNamed(before.plan, input.line_id),
  gate: 'lines',
  price: () => [],
  decide: ({ facts, target }) => removeLine(facts, target),
  buys: false,
  details: ({ target }) => ({ removed_line_id: target.id }),
  present: ({ target, quote }) => ({ removed_line_id: target.id, plan: quote }),
});
