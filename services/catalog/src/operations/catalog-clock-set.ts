import type { Settle, WriteHandler } from '@cds/service';

/** Moves a sandbox clock forward and answers how many due facts were handled. Source: domain 4-doors 7. */
export const catalogClockSet: WriteHandler<'catalog_clock_set', { settle: Settle }> = async (
  ctx,
  input,
  { settle },
) => ({ handled: await settle(input.workspace, input.offset_ms, ctx.deadline) });
