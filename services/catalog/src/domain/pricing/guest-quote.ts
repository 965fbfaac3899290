/**
 * The price range for posts of one format that guests see, never a creator's price
 * (docs/domain/network.md#guest-quotes).
 */
import type { Format } from '@cds/contracts';
import { GUEST_SELLERS_LEAST } from '../constants.js';

export type Range = { min_cents: number; max_cents: number };
export type GuestQuote = {
  priced: boolean;
  format: Format;
  posts: number;
  currency: 'USD';
  per_post: Range | null;
  total: Range | null;
  creators_on_sale: number;
  creators_in_format: number;
};

/**
 * The range over the buyable units of a format, times the posts. `pricesCents` holds one all-in price per creator that
 * sells it. With fewer than three sellers there is no price, so that nobody's price can be inferred.
 */
export const guestQuote = (
  asked: { format: Format; posts: number },
  pricesCents: readonly number[],
  creatorsOnSale: number,
): GuestQuote => {
  const priced = pricesCents.length >= GUEST_SELLERS_LEAST;
  const least = priced ? Math.min(...pricesCents) : 0;
  const most = priced ? Math.max(...pricesCents) : 0;
  const times = (posts: number): Range | null =>
    priced ? { min_cents: least * posts, max_cents: most * posts } : null;
  return {
    priced,
    ...asked,
    currency: 'USD',
    per_post: times(1),
    total: times(asked.posts),
    creators_on_sale: creatorsOnSale,
    creators_in_format: pricesCents.length,
  };
};
