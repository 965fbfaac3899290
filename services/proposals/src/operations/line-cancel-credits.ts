import type { ReadHandler } from '@cds/service';
import { owedWhenCancelled } from '../domain/moves.js';
import type { Offers } from '../store/offers.js';

/** In US cents, without lines that the team places. Source: docs/domain/orders.md#credits. */
export const lineCancelCredits: ReadHandler<'line_cancel_credits', { offers: Offers }> = async (
  ctx,
  { order_id },
  { offers },
) => {
  const lines = await offers.linesOf(ctx.principal.workspace, order_id);

  return { lines: lines.map((line) => ({ line_id: line._id, amount_cents: owedWhenCancelled(line, ctx.now) })) };
};
