import { type MandateChecks, type ReadHandler, refusedWrite } from '@cds/service';

/** Null when planning recorded none under this id. Source: docs/domain/orders.md#receipts. */
export const writeRefusalGet: ReadHandler<'write_refusal_get', { checks: MandateChecks }> = async (
  ctx,
  { id },
  { checks },
) => ({ refusal: await refusedWrite(ctx, id, checks) });
