import type { DueFacts, Settle, WriteHandler } from '@cds/service';

/**
 * Moves a sandbox's clock forward and answers how many due facts that handled, what arrived from other services
 * meanwhile included: the gateway asks again until a whole round handled nothing. Source: reliability 3.1.
 */
export const metricsClockSet: WriteHandler<'metrics_clock_set', { settle: Settle; due: DueFacts }> = async (
  ctx,
  input,
  { settle, due },
) => {
  const handled = await settle(input.workspace, input.offset_ms, ctx.deadline);

  return { handled: handled + due.takeMoved(input.workspace) };
};
