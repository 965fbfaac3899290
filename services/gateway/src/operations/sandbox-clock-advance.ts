import { change, type WriteHandler } from '@cds/service';
import { type DueServices, pendingFacts, presentClock } from '../sandbox/clock-facts.js';
import { type MoveDeps, moveClock } from '../sandbox/move-clock.js';

/**
 * Moves a sandbox's clock forward, and returns it once everything due was handled. Source:
 * docs/domain/access.md#sandbox.
 */
export const sandboxClockAdvance: WriteHandler<'sandbox_clock_advance', { move: MoveDeps; due: DueServices }> = async (
  ctx,
  input,
  { move, due },
) => {
  const offsetMs = await moveClock(ctx, (present) => present + input.seconds * 1_000, move);

  const pending = await pendingFacts(ctx, due);

  return change(presentClock(ctx.networkNow, offsetMs, pending), { save: async () => undefined });
};
