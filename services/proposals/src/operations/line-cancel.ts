import { conflict, unprocessable } from '@cds/contracts';
import { actorOf, change, type ReadHandler, type WriteHandler } from '@cds/service';
import { cancelLine, owedWhenCancelled, uncredited } from '../domain/moves.js';
import { lineChanged } from '../present/line-changed.js';
import { presentPaidLine } from '../present/paid-line.js';
import type { Offers } from '../store/offers.js';
import { type LineClock, paidChain } from './paid-line.js';

/** In US cents, without lines that the team places. Source: docs/domain/orders.md#credits. */
export const lineCancelCredits: ReadHandler<'line_cancel_credits', { offers: Offers }> = async (
  ctx,
  { order_id },
  { offers },
) => {
  const lines = await offers.linesOf(ctx.principal.workspace, order_id);

  return { lines: lines.map((line) => ({ line_id: line._id, amount_cents: owedWhenCancelled(line, ctx.now) })) };
};

/** Raises not_found, unprocessable (amount_cents), conflict (bad_state). Source: docs/domain/orders.md#credits. */
export const opsLineCancel: WriteHandler<'ops_line_cancel', LineClock & { offers: Offers }> = async (
  ctx,
  { id, amount_cents, reason },
  deps,
) => {
  const before = await paidChain(deps.offers, id, null);
  const now = await deps.clocks.now(before.line.ws);
  const { line } = before;
  if (line.cancelled) throw conflict('bad_state', 'This line was cancelled already.', { state: before.proposal.state });
  if (line.post?.status === 'completed')
    throw conflict('bad_state', 'The post of this line is proved, so it cannot be cancelled.', { status: 'completed' });
  const most = uncredited(line);
  if (amount_cents !== undefined && amount_cents > most)
    throw unprocessable([
      { field: 'amount_cents', message: `must be at most ${most}, what is left of the line's price` },
    ]);

  const move = cancelLine(before, now, 'cancelled', amount_cents ?? owedWhenCancelled(line, now));
  return change(presentPaidLine(move.chain), {
    save: (tx) => deps.offers.save(tx, before, move),
    events: [{ name: 'line.changed', payload: lineChanged(move.chain) }],
    audit: [
      {
        ws: line.ws,
        actor: actorOf(ctx),
        action: 'line.cancel',
        object: line._id,
        reason,
        payload: {
          credits: (move.chain.line.credits ?? []).map(({ cause, amount_cents: cents }) => ({ cause, cents })),
        },
      },
    ],
  });
};
