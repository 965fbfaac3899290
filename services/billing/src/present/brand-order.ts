import type { BrandOrder, Principal } from '@cds/contracts';
import type { Order } from '../domain/order.js';
import { type Books, presentBooks } from './books.js';
import { presentOrderInQuote } from './order.js';

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
