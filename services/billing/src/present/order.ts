import type { OrderInQuote, Order as OrderResource, Payment, Rail, SandboxOrder, SandboxOutcome } from '@cds/contracts';
import type { Hold } from '../domain/authority.js';
import { CURRENCY, UNPAID_MS } from '../domain/constants.js';
import { PAYMENT_OPTIONS } from '../domain/offer.js';
import type { Order } from '../domain/order.js';

/** The Order resource (docs/domain/orders.md#approve-answer). */
export const presentOrder = (order: Order): OrderResource => ({
  payment_state: order.payment_state,
  total_cents: order.total_cents,
  currency: order.currency,
  signed_at: order.signed_at.toISOString(),
  paid_at: order.paid_at?.toISOString() ?? null,
});

/** The payment link with its rail's texts; `token` is the link's last segment. */
export const presentPayment = (appUrl: string, rail: Rail, token: string, expiresAt: Date): Payment => ({
  ...PAYMENT_OPTIONS[rail],
  url: `${appUrl}/pay/${token}`,
  expires_at: expiresAt.toISOString(),
});

/**
 * The order in a quote: its payment is null once there is nothing left to pay
 * (docs/domain/orders.md#policy-in-the-quote). The token is not opened then, since the key that sealed it may be gone.
 */
export const presentOrderInQuote = (
  appUrl: string,
  order: Order,
  token: () => string,
  mayPay = true,
): OrderInQuote => ({
  ...presentOrder(order),
  payment:
    mayPay && (order.payment_state === 'unpaid' || order.payment_state === 'processing')
      ? presentPayment(appUrl, order.rail, token(), order.pay_expires_at)
      : null,
});

/** A signed order that is not written yet, read from its hold: the same as the order will be at first. */
export const presentHeldOrder = (appUrl: string, hold: Hold, token: string): OrderInQuote => ({
  payment_state: 'unpaid',
  total_cents: hold.total_cents,
  currency: CURRENCY,
  signed_at: hold.approved_at.toISOString(),
  paid_at: null,
  payment: presentPayment(appUrl, hold.rail, token, new Date(hold.approved_at.getTime() + UNPAID_MS)),
});

/** What happened at the rail where the order is unpaid as before. */
const UNPAID_AFTER: Readonly<Partial<Record<SandboxOutcome, string>>> = {
  declined: 'The payment was declined, and nothing was paid. It can be tried again.',
  failed: 'The pending payment failed, and nothing was paid. It can be tried again.',
  expired: 'The checkout expired, and nothing was paid. It can be tried again.',
};

/** The order as sandbox_order_payment returns it after an outcome (docs/domain/access.md#sandbox). */
export const presentSandboxOrder = (order: Order, outcome: SandboxOutcome): SandboxOrder => ({
  ...presentOrder(order),
  id: order._id,
  plan_id: order.plan_id,
  campaign_id: order.campaign.campaign_id,
  ...(order.payment_state === 'unpaid' && UNPAID_AFTER[outcome] !== undefined ? { note: UNPAID_AFTER[outcome] } : {}),
});
