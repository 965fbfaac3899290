import type { WriteHandler } from '@cds/service';
import type { Checkout } from '../payment/checkout.js';

/** Raises not_found, forbidden (a foreign form), conflict (bad_state). Source: docs/domain/orders.md#payment-link. */
export const payCheckout: WriteHandler<'pay_checkout', { checkout: Checkout }> = async (ctx, input, { checkout }) => {
  await checkout.orderOf(input.token, input.form_token);

  return { url: await checkout.open(ctx, input.token) };
};
