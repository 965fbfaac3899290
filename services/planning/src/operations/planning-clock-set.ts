import type { Settle, WriteHandler } from '@cds/service';

/** Moves a sandbox's clock forward and runs what became due; answers how many facts were handled (domain 4-doors 7). */
export const planningClockSet: WriteHandler<'planning_clock_set', { settle: Settle }> = async (
  ctx,
  input,
  { settle },
) => ({ handled: await settle(input.workspace, input.offset_ms, ctx.deadline) });
