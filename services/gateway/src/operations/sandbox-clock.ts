import type { ReadHandler } from '@cds/service';
import { type DueServices, pendingFacts, presentClock } from '../sandbox/clock-facts.js';

/** Answers a sandbox's clock and what is due next. Source: domain 4-doors 7. */
export const sandboxClock: ReadHandler<'sandbox_clock', { due: DueServices }> = async (ctx, _input, { due }) =>
  presentClock(ctx.networkNow, ctx.now.getTime() - ctx.networkNow.getTime(), await pendingFacts(ctx, due));
