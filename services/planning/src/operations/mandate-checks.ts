import { type MandateChecks, type ReadHandler, refusedWrite, tryMandate } from '@cds/service';

/** Source: docs/domain/orders.md#mandate-workbench. */
export const planningMandateTry: ReadHandler<'planning_mandate_try', { checks: MandateChecks }> = (ctx, input, deps) =>
  tryMandate(ctx, input, deps.checks);

/** Null when planning recorded none under this id. Source: docs/domain/orders.md#receipts. */
export const writeRefusalGet: ReadHandler<'write_refusal_get', { checks: MandateChecks }> = async (
  ctx,
  { id },
  { checks },
) => ({ refusal: await refusedWrite(ctx, id, checks) });
