import { type MandateChecks, type ReadHandler, tryMandate } from '@cds/service';

/** Source: docs/domain/orders.md#mandate-workbench. */
export const billingMandateTry: ReadHandler<'billing_mandate_try', { checks: MandateChecks }> = (ctx, input, deps) =>
  tryMandate(ctx, input, deps.checks);
