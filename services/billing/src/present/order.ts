import type {
  BrandOrder,
  OrderInQuote,
  Order as OrderResource,
  Payment,
  Principal,
  Rail,
  SandboxOrder,
  SandboxOutcome,
} from '@cds/contracts';
import type { Hold } from '../domain/authority.js';
import { CURRENCY, UNPAID_MS } from '../domain/constants.js';
import { PAYMENT_OPTIONS } from '../domain/offer.js';
import type { Order } from '../domain/order.js';
import { type Books, presentBooks } from './books.js';

export const presentOrder = (order: Order): OrderResource => ({
  payment_state: order.payment_state,
  total_cents: order.total_cents,
  currency: order.currency,
  signed_at: order.signed_at.toISOString(),
  paid_at: order.paid_at?.toISOString() ?? null,
});

export const presentPayment = (appUrl: string, rail: Rail, token: string, expiresAt: Date): Payment => ({
  ...PAYMENT_OPTIONS[rail],
  url: `${appUrl}/pay/${token}`,
  expires_at: expiresAt.toISOString(),
});

/** Null payment once nothing is left to pay; the token is not opened then, since its key may be gone. */
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

export const presentHeldOrder = (appUrl: string, hold: Hold, token: string): OrderInQuote => ({
  payment_state: 'unpaid',
  total_cents: hold.total_cents,
  currency: CURRENCY,
  signed_at: hold.approved_at.toISOString(),
  paid_at: null,
  payment: presentPayment(appUrl, hold.rail, token, new Date(hold.approved_at.getTime() + UNPAID_MS)),
});

const UNPAID_AFTER: Readonly<Partial<Record<SandboxOutcome, string>>> = {
  declined: 'The payment was declined, and nothing was paid. It can be tried again.',
  failed: 'The pending payment failed, and nothing was paid. It can be tried again.',
  expired: 'The checkout expired, and nothing was paid. It can be tried again.',
};

export const presentSandboxOrder = (order: Order, outcome: SandboxOutcome): SandboxOrder => ({
  ...presentOrder(order),
  id: order._id,
  plan_id: order.plan_id,
  campaign_id: order.campaign.campaign_id,
  ...(order.payment_state === 'unpaid' && UNPAID_AFTER[outcome] !== undefined ? { note: UNPAID_AFTER[outcome] } : {}),
});

/** `openIfKept` returns null when the key that sealed it is retired. */
type Tokens = { open(sealed: string): string; openIfKept(sealed: string): string | null };

/** Links appear only for keys that may sign. */
export const presentBrandOrder = (
  books: Books,
  of: { appUrl: string; tokens: Tokens; principal: Pick<Principal, 'scopes'> },
): BrandOrder => {
  const mayPay = of.principal.scopes.includes('plans:approve');
  const { order } = books;
  const { payment, ...state } = presentOrderInQuote(of.appUrl, order, () => of.tokens.open(order.pay_token), mayPay);
  return { ...state, ...presentBooks(books), payment, receipt_url: mayPay ? receiptUrlOf(order, of) : null };
};

const receiptUrlOf = (order: Order, of: { appUrl: string; tokens: Tokens }): string | null => {
  if (order.paid_at === null) return null;
  const token = of.tokens.openIfKept(order.pay_token);
  return token === null ? null : `${of.appUrl}/pay/${token}/receipt`;
};
