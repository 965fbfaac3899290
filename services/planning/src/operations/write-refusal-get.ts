import type { MandateChecks, ReadHandler } from '@cds/service';
import { writeRefusalOf } from '../domain/write-refusal.js';

/**
 * A write that a mandate refused, for its receipt; null when planning recorded none under this id. Source:
 * docs/domain/orders.md#receipts.
 */
export const writeRefusalGet: ReadHandler<'write_refusal_get', { checks: MandateChecks }> = async (
  ctx,
  { id },
  { checks },
) => {
  const check = await checks.refusedById(ctx.principal.workspace, id);
  return { refusal: check === null ? null : writeRefusalOf(check) };
};
