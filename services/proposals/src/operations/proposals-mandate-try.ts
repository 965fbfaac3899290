import { type MandateChecks, type ReadHandler, tryMandate } from '@cds/service';

/** Changes nothing. Source: docs/domain/orders.md#mandate-workbench. */
export const proposalsMandateTry: ReadHandler<'proposals_mandate_try', { checks: MandateChecks }> = (
  ctx,
  input,
  { checks },
) => tryMandate(ctx, input, checks);
