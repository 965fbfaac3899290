import { AppError, conflict, RAILS } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import { notOffered, offerOf } from '../domain/offer.js';
import type { Checkout } from '../payment/checkout.js';
import { retryOrderRaces } from '../payment/lost-race.js';
import type { Orders } from '../store/orders.js';
import { type PayPageDeps, shownPage } from './pay-page.js';

export type PayRailDeps = PayPageDeps & { checkout: Checkout; orders: Orders };

/**
 * Raises not_found, forbidden, unprocessable (rail), conflict (bad_state). Source: docs/domain/orders.md#payment-link.
 */
export const payRail: WriteHandler<'pay_rail', PayRailDeps> = async (ctx, input, deps) => {
  const { token, form_token: formToken } = input;
  const numbers = await deps.terms.numbers();
  await retryOrderRaces(async () => {
    const order = await deps.checkout.orderOf(token, formToken);
    const offer = offerOf(deps.rails.checkout(order.sandbox), ctx.switches, numbers, order.total_cents);

    if (order.payment_state !== 'unpaid') throw conflict('bad_state', 'This order has nothing left to pay.');
    const chosen = offer.options.find((option) => option.rail === input.rail);
    if (chosen === undefined) {
      const rail = RAILS.find((known) => known === input.rail);
      const message = rail === undefined ? 'This rail is not offered.' : notOffered(offer, rail, deps.seller);
      throw new AppError('unprocessable', message, {
        problems: [{ field: 'rail', message: 'must be one of the offered rails' }],
      });
    }

    if (chosen.rail === order.rail) return;
    const ready = await deps.checkout.close(order);
    await deps.orders.save(ready, { ...ready, rail: chosen.rail });
  });
  return shownPage(ctx, token, deps);
};
