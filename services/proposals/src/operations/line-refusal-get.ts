import { type MandateChecks, type ReadHandler, refusedWrite } from '@cds/service';

/** Null when proposals recorded no refusal under this id. Source: docs/domain/orders.md#receipts. */
export const lineRefusalGet: ReadHandler<'line_refusal_get', { checks: MandateChecks }> = async (
  ctx,
  { id },
  { checks },
) => ({ refusal: await refusedWrite(ctx, id, checks) });
