import type { Settle, WriteHandler } from '@cds/service';

/**
 * Advances a sandbox's clock, runs what became due and returns the progress. Source: reliability 3.1; domain 4-doors 7.
 */
export const catalogClockSet: WriteHandler<'catalog_clock_set', { settle: Settle }> = async (ctx, input, { settle }) =>
  settle(input.workspace, input.offset_ms, ctx.deadline);
