import { AppError, AudienceFit, claimAt, type Format, GuestQuote, Inventory } from '@cds/contracts';
import { proves } from '@cds/service/testing';
import { beforeAll, beforeEach, describe, expect, it, test } from '@jest/globals';
import { aCreator, aUnit } from '../test/builders.js';
import { APP_URL, aGuest, aRequest, NOW } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { guestAudience } from './guest-audience.js';
import { guestInventory } from './guest-inventory.js';
import { guestQuotesLeft } from './guest-quotes-left.js';
import { inventory } from './inventory.js';
import { networkFacts } from './network-facts.js';
import { planQuoteGuest } from './plan-quote-guest.js';
import { resolveAudience } from './resolve-audience.js';

let guests = 0;

describe('what guests read of the network (docs/domain/mcp.md#guests)', () => {
  const network = testNetwork('guests');
  let address: string;

  beforeAll(async () => {
    const selling = (usd: number, formats: readonly Format[]) =>
      aCreator({ units: formats.map((format) => aUnit({ format, usd })) });
    await network.take([
      selling(100, ['post', 'quote', 'thread']),
      selling(900, ['post', 'thread']),
      selling(400, ['post']),
      aCreator({ about: 'gaming', units: [aUnit({ format: 'quote', usd: 50 })] }),
      // Nothing of these is on sale, so none of their prices counts.
      aCreator({
        units: [aUnit({ usd: 5, asOf: '2026-09-01' }), aUnit({ format: 'thread', usd: 5, asOf: '2026-09-01' })],
      }),
      aCreator({ excluded: true, units: [aUnit({ usd: 10 }), aUnit({ format: 'thread', usd: 10 })] }),
      aCreator({ flag_inactive: true, units: [aUnit({ usd: 10 }), aUnit({ format: 'quote', usd: 10 })] }),
      aCreator({ status: 'declined', units: [aUnit({ usd: 9_000 }), aUnit({ format: 'thread', usd: 9_000 })] }),
      aCreator({ active: false, units: [aUnit({ usd: 9_000 }), aUnit({ format: 'quote', usd: 9_000 })] }),
    ]);
  });
  beforeEach(() => {
    guests += 1;
    address = `guest-${guests}`;
  });

  const quote = async (format: Format, posts = 1, ctx = aGuest(address)) =>
    GuestQuote.strict().parse(await planQuoteGuest(ctx, { format, posts }, network));
  const refusalOf = async (format: Format): Promise<AppError> => {
    const refusal = await quote(format).catch((error: unknown) => error);
    if (!(refusal instanceof AppError)) throw new Error('the quote was granted');
    return refusal;
  };
  const left = async () =>
    (await guestQuotesLeft(aGuest(address), {}, network)) as { left: number; resets_at: string | null };

  it('counts the whole network in the channel on sale, with the network’s facts', async () => {
    proves('guests.inventory', 'guests.one-channel');
    const answer = Inventory.strict().parse(await guestInventory(aGuest(address), {}, network));
    const keyed = Inventory.parse(await inventory(aRequest(), {}, network));
    const facts = (await networkFacts(aRequest(), {}, network)) as { approved: number; priced: number };
    expect(answer).toEqual({
      segments: [],
      unresolved: false,
      coverage_as_of: NOW,
      channels: keyed.channels.slice(0, 1),
      catalog: { approved: facts.approved, priced: facts.priced },
    });
    expect(answer.channels[0]).toMatchObject({ channel: 'x_creators', verified_nodes: 7, bookable_nodes: 4 });
    expect(answer.catalog).toEqual({ approved: 7, priced: 4 });
  });

  test.each([
    { audience: 'startup founders in Europe', geography: 'Germany' },
    { product: 'a game controller for gamers' },
    { audience: 'nobody we know of, xyzzy', product: 'gaming' },
    {},
  ])('fits %j as for a brand without an audience on file, in the channel on sale', async (input) => {
    proves('guests.audience', 'guests.one-channel');
    const answer = AudienceFit.strict().parse(await guestAudience(aGuest(address), input, network));
    const keyed = AudienceFit.parse(await resolveAudience(aRequest(), input, network));
    expect(answer).toEqual({ ...keyed, channels: keyed.channels.slice(0, 1) });
    expect(answer.channels.map(({ channel }) => channel)).toEqual(['x_creators']);
  });

  it('quotes the range over the format’s creators on sale, times the posts', async () => {
    proves('guests.quote-range', 'guests.quotes-left');
    expect(await quote('post', 50)).toEqual({
      priced: true,
      format: 'post',
      posts: 50,
      currency: 'USD',
      per_post: { min_cents: 10_000, max_cents: 90_000 },
      total: { min_cents: 500_000, max_cents: 4_500_000 },
      creators_on_sale: 4,
      creators_in_format: 3,
      quotes_left: 2,
    });
  });

  test.each(['quote', 'thread'] as const)(
    'prices no %s: two creators sell it, and it costs nothing',
    async (format) => {
      proves('limits.guest-quotes-unpriced');
      for (let asked = 0; asked < 5; asked += 1)
        expect(await quote(format, 2)).toEqual({
          priced: false,
          format,
          posts: 2,
          currency: 'USD',
          per_post: null,
          total: null,
          creators_on_sale: 4,
          creators_in_format: 2,
          quotes_left: 3,
        });
      expect(await network.store.db.collection<{ _id: string }>('guest_quotes').findOne({ _id: address })).toBeNull();
    },
  );

  it('prices three times, then says when and how to go on', async () => {
    proves('limits.guest-quotes', 'limits.guest-quotes-refused');
    for (const rest of [2, 1, 0]) expect((await quote('post')).quotes_left).toBe(rest);
    const spent = await left();
    const { code, message, details } = await refusalOf('post');
    expect(spent).toEqual({ left: 0, resets_at: details?.['resets_at'] });
    expect([code, details]).toEqual([
      'rate_limited',
      {
        reason: 'guest_quote_limit',
        limit: 3,
        window_days: 7,
        resets_at: expect.stringMatching(/^\d{4}-.*Z$/),
        retry_after: expect.any(Number),
        claim: claimAt(APP_URL),
      },
    ]);
    const seconds = Number(details?.['retry_after']);
    expect(Math.abs(seconds - 7 * 86_400)).toBeLessThanOrEqual(60);
    expect(message).toContain(claimAt(APP_URL).url);
    expect(await quote('thread')).toMatchObject({ priced: false, quotes_left: 0 });
  });

  it('counts a retried request once', async () => {
    const ctx = aGuest(address);
    expect((await quote('post', 1, ctx)).quotes_left).toBe(2);
    expect((await quote('post', 1, ctx)).quotes_left).toBe(2);
    expect(await left()).toMatchObject({ left: 2 });
  });

  it('is for guests only', async () => {
    await expect(planQuoteGuest(aRequest(), { format: 'post', posts: 1 }, network)).rejects.toThrow('without a guest');
  });
});
