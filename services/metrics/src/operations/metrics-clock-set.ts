import type { AdvanceClock, WriteHandler } from '@cds/service';

/** Source: docs/reliability.md#clocks, docs/domain/sandbox.md#sandbox. */
export const metricsClockSet: WriteHandler<'metrics_clock_set', { advanceClock: AdvanceClock }> = (ctx, input, deps) =>
  deps.advanceClock(input.workspace, input.offset_ms, ctx.deadline);
