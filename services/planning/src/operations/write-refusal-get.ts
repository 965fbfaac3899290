import { type MandateChecks, type ReadHandler, refusedWrite } from '@cds/service';

/**
 * A write that a mandate refused, for its receipt; null when planning recorded none under this id. Source:
 * docs/domain/orders.md#receipts.
 */
export const writeRefusalGet: ReadHandler<'write_refusal_get', { checks: MandateChecks }> = async (
  ctx,
  { id },
  { checks },
) => ({ refusal: await refusedWrite(ctx, id, checks) });
