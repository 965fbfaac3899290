import type { ReadHandler } from '@cds/service';
import { type DueServices, pendingFacts, presentClock } from '../clock-facts.js';
import { awaitPropagation, type MoveDeps } from '../move-clock.js';

type Deps = { move: Pick<MoveDeps, 'clocks'>; due: DueServices };

/** A sandbox's clock and what is due next, events on their way included. Source: docs/domain/sandbox.md#sandbox. */
export const sandboxClock: ReadHandler<'sandbox_clock', Deps> = async (ctx, _input, { move, due }) => {
  await awaitPropagation(ctx, move.clocks);
  return presentClock(ctx.networkNow, ctx.now.getTime() - ctx.networkNow.getTime(), await pendingFacts(ctx, due));
};
