import { randomUUID } from 'node:crypto';
import { planEdit } from '../changes/plan-edit.js';
import { swapLine } from '../domain/edits/edits.js';
import { lineNamed, unitNamed } from '../load/campaigns.js';

/** Raises not_found, unprocessable, mandate_refused, conflict. Source: docs/specification.md#swap-a-creator. */
export const planSwapCreator = planEdit('plan_swap_creator', {
  target: ({ before, input }) => ({ removed: lineNamed(before.plan, input.line_id), lineId: randomUUID() }),
  gate: 'lines',
  price: ({ input }) => [input.unit_id],
  decide: ({ facts, input, target }) =>
    swapLine(facts, target.removed, unitNamed(facts.units, input.unit_id), target.lineId),
  buys: true,
  details: ({ input, target }) => ({
    line_id: target.lineId,
    removed_line_id: target.removed.id,
    unit_id: input.unit_id,
  }),
  present: ({ target, quote }) => ({ line_id: target.lineId, removed_line_id: target.removed.id, plan: quote }),
});
