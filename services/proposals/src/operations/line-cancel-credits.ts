import type { ReadHandler } from '@cds/service';
import { owedWhenCancelled } from '../domain/moves.js';
import type { Offers } from '../store/offers.js';

/**
 * What each line of an order owes if its order is cancelled now, in US cents; lines that the team places are left out.
 * Source: docs/domain/orders.md#credits.
 */
export const lineCancelCredits: ReadHandler<'line_cancel_credits', { offers: Offers }> = async (
  ctx,
  { order_id },
  { offers },
) => {
  const lines = await offers.linesOf(ctx.principal.workspace, order_id);

  return { lines: lines.map((line) => ({ line_id: line._id, amount_cents: owedWhenCancelled(line, ctx.now) })) };
};
