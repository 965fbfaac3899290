import { conflict, unprocessable } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import { amountProblem } from '../domain/line.js';
import { afterTeamRemedy } from '../domain/team-moves.js';
import type { Lines } from '../store/lines.js';
import { type OperatedPostDeps, operatedChange, operatedPost } from './operated-post.js';

/** Raises not_found, unprocessable (amount_cents), conflict (bad_state). Source: docs/domain/orders.md#remedies. */
export const opsLineGone: WriteHandler<'ops_line_gone', OperatedPostDeps & { lines: Lines }> = async (
  ctx,
  input,
  deps,
) => {
  const { before, now } = await operatedPost(input.id, deps);
  const { remedy, amount_cents = null } = input;
  if (amount_cents !== null && remedy !== 'credit')
    throw unprocessable([{ field: 'amount_cents', message: 'goes only with remedy credit' }]);
  if (amount_cents !== null) {
    const problem = amountProblem(await deps.lines.byId(before.ws, before._id), amount_cents);
    if (problem !== null) throw unprocessable([problem]);
  }

  const move = afterTeamRemedy(before, { remedy, amount_cents }, now);
  if (move === null)
    throw conflict('bad_state', 'This line is not booked, is proved already, or has its remedy.', {
      status: before.status,
    });

  const payload = { remedy, amount_cents };
  return operatedChange(ctx, { before, move, now, action: 'post.remedy', reason: input.reason, payload }, deps);
};
