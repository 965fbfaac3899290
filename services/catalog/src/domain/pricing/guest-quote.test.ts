import { describe, expect, it, test } from '@jest/globals';
import { guestQuote, sellersAt } from './guest-quote.js';

const NOTHING = Number.NaN;

describe('the sellers of a format', () => {
  test.each([
    ['nobody', [], { creators: 0, leastCents: 0, mostCents: 0 }],
    ['only creators that sell other formats', [NOTHING, NOTHING], { creators: 0, leastCents: 0, mostCents: 0 }],
    ['one', [NOTHING, 5_000], { creators: 1, leastCents: 5_000, mostCents: 5_000 }],
    ['several, in any order', [12_500, NOTHING, 5_000, 80_000], { creators: 3, leastCents: 5_000, mostCents: 80_000 }],
  ])('%s', (_who, prices, sellers) => {
    expect(sellersAt(prices)).toEqual(sellers);
  });

  it('are counted in a network of any size', () => {
    expect(sellersAt(Array.from({ length: 300_000 }, (_none, at) => at + 500))).toEqual({
      creators: 300_000,
      leastCents: 500,
      mostCents: 300_499,
    });
  });
});

describe('a guest quote', () => {
  it('is the range of the format’s sellers times the posts', () => {
    expect(guestQuote({ format: 'post', posts: 3 }, sellersAt([12_500, 5_000, 80_000]), 7)).toEqual({
      priced: true,
      format: 'post',
      posts: 3,
      currency: 'USD',
      per_post: { min_cents: 5_000, max_cents: 80_000 },
      total: { min_cents: 15_000, max_cents: 240_000 },
      creators_on_sale: 7,
      creators_in_format: 3,
    });
  });

  test.each([0, 1, 2])('has no price with %i sellers', (sellers) => {
    const prices = Array.from({ length: sellers }, () => 5_000);
    expect(guestQuote({ format: 'thread', posts: 2 }, sellersAt(prices), 7)).toEqual({
      priced: false,
      format: 'thread',
      posts: 2,
      currency: 'USD',
      per_post: null,
      total: null,
      creators_on_sale: 7,
      creators_in_format: sellers,
    });
  });
});
