import type { ReadHandler } from '@cds/service';
import { type DueServices, pendingFacts, presentClock } from '../sandbox/clock-facts.js';
import { type MoveDeps, settleNow } from '../sandbox/move-clock.js';

type Deps = { move: Pick<MoveDeps, 'clocks'>; due: DueServices };

/** Answers a sandbox's clock and what is due next, facts still on their way included. Source: domain 4-doors 7. */
export const sandboxClock: ReadHandler<'sandbox_clock', Deps> = async (ctx, _input, { move, due }) => {
  await settleNow(ctx, move.clocks);
  return presentClock(ctx.networkNow, ctx.now.getTime() - ctx.networkNow.getTime(), await pendingFacts(ctx, due));
};
