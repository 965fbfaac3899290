import { describe, expect, it } from '@jest/globals';
import { guestQuote } from './guest-quote.js';

describe('a guest quote', () => {
  it('is the range of the format’s sellers times the posts', () => {
    expect(guestQuote({ format: 'post', posts: 3 }, [12_500, 5_000, 80_000], 7)).toEqual({
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

  it('has no price with fewer than three sellers', () => {
    expect(guestQuote({ format: 'thread', posts: 2 }, [5_000, 6_000], 7)).toMatchObject({
      priced: false,
      per_post: null,
      total: null,
      creators_in_format: 2,
    });
  });
});
