import { change, type WriteHandler } from '@cds/service';
import { type DueServices, pendingFacts, presentClock } from '../clock-facts.js';
import { offsetTo } from '../clock-target.js';
import { type MoveDeps, moveClock } from '../move-clock.js';

/**
 * Moves a sandbox's clock forward, by `seconds` or as a jump `to` a time does, and returns it once everything due was
 * handled. Raises conflict (nothing_due), unprocessable for an instant that is not later. Source:
 * docs/domain/sandbox.md#sandbox.
 */
export const sandboxClockAdvance: WriteHandler<'sandbox_clock_advance', { move: MoveDeps; due: DueServices }> = async (
  ctx,
  { seconds = 0, to },
  { move, due },
) => {
  const forward = (present: number): number => present + seconds * 1_000;
  const offsetMs = await moveClock(ctx, to === undefined ? forward : await offsetTo(ctx, to, move, due), move);

  const pending = await pendingFacts(ctx, due);

  return change(presentClock(ctx.networkNow, offsetMs, pending), { save: async () => undefined });
};
