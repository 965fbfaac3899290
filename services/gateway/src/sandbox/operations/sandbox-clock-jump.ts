import { change, type WriteHandler } from '@cds/service';
import { type DueServices, pendingFacts, presentClock } from '../clock-facts.js';
import { offsetTo } from '../clock-target.js';
import { type MoveDeps, moveClock } from '../move-clock.js';

type Deps = { move: MoveDeps; due: DueServices };

/**
 * Moves a sandbox's clock to a later instant, to the next due fact of a kind, or to the next month or midnight.
 * Raises conflict (nothing_due), unprocessable for an instant that is not later. Source:
 * docs/domain/sandbox.md#sandbox.
 */
export const sandboxClockJump: WriteHandler<'sandbox_clock_jump', Deps> = async (ctx, input, { move, due }) => {
  const offsetMs = await moveClock(ctx, await offsetTo(ctx, input.to, move, due), move);
  const pending = await pendingFacts(ctx, due);

  return change(presentClock(ctx.networkNow, offsetMs, pending), { save: async () => undefined });
};
