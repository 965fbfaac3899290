import type { BrandOrder, Principal } from '@cds/contracts';
import { type Books, presentBooks } from './books.js';
import { presentOrderInQuote } from './order.js';

/** An order as the asking key sees it: its link only where the key may sign. */
export const presentBrandOrder = (
  books: Books,
  of: { appUrl: string; token: () => string; principal: Pick<Principal, 'scopes'> },
): BrandOrder => {
  // The link of a key that may not sign is never opened: the key that sealed it may be gone.
  const mayPay = of.principal.scopes.includes('plans:approve');
  const { payment, ...state } = presentOrderInQuote(of.appUrl, books.order, of.token, mayPay);
  return { ...state, ...presentBooks(books), payment };
};
