import { type MandateChecks, type ReadHandler, refusedWrite } from '@cds/service';

/**
 * A write on a paid line that a mandate refused, for its receipt; null when proposals recorded none under this id.
 * Source: docs/domain/orders.md#receipts.
 */
export const lineRefusalGet: ReadHandler<'line_refusal_get', { checks: MandateChecks }> = async (
  ctx,
  { id },
  { checks },
) => ({ refusal: await refusedWrite(ctx, id, checks) });
