import { type MandateChecks, type ReadHandler, refusedWrite, tryMandate } from '@cds/service';

/** Null when proposals recorded no refusal under this id. Source: docs/domain/orders.md#receipts. */
export const lineRefusalGet: ReadHandler<'line_refusal_get', { checks: MandateChecks }> = async (
  ctx,
  { id },
  { checks },
) => ({ refusal: await refusedWrite(ctx, id, checks) });

/** Changes nothing. Source: docs/domain/orders.md#mandate-workbench. */
export const proposalsMandateTry: ReadHandler<'proposals_mandate_try', { checks: MandateChecks }> = (
  ctx,
  input,
  { checks },
) => tryMandate(ctx, input, checks);
