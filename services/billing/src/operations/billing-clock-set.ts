import type { Settle, WriteHandler } from '@cds/service';

/** Moves a sandbox clock forward and runs what became due in this service. Source: reliability 3.1; domain 4-doors 7. */
export const billingClockSet: WriteHandler<'billing_clock_set', { settle: Settle }> = async (
  ctx,
  input,
  { settle },
) => ({
  handled: await settle(input.workspace, input.offset_ms, ctx.deadline),
});
