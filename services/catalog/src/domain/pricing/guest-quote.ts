import type { Format, GuestQuote } from '@cds/contracts';
import { GUEST_SELLERS_LEAST } from '../constants.js';

export type Sellers = { creators: number; leastCents: number; mostCents: number };

/** NaN stands for a creator that does not sell the format. */
export const sellersAt = (pricesCents: Iterable<number>): Sellers => {
  const sellers = { creators: 0, leastCents: 0, mostCents: 0 };
  for (const price of pricesCents) {
    if (Number.isNaN(price)) continue;
    sellers.leastCents = sellers.creators === 0 ? price : Math.min(sellers.leastCents, price);
    sellers.mostCents = Math.max(sellers.mostCents, price);
    sellers.creators += 1;
  }
  return sellers;
};

/** With fewer than three sellers there is no price, so that nobody's price can be inferred. */
export const guestQuote = (
  asked: { format: Format; posts: number },
  sellers: Sellers,
  creatorsOnSale: number,
): Omit<GuestQuote, 'quotes_left'> => {
  const priced = sellers.creators >= GUEST_SELLERS_LEAST;
  const times = (posts: number) =>
    priced ? { min_cents: sellers.leastCents * posts, max_cents: sellers.mostCents * posts } : null;
  return {
    priced,
    format: asked.format,
    posts: asked.posts,
    currency: 'USD',
    per_post: times(1),
    total: times(asked.posts),
    creators_on_sale: creatorsOnSale,
    creators_in_format: sellers.creators,
  };
};
