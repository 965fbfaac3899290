import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sessionWanted } from '../../test/session-wanted.js';
import { StripeFake } from '../../test/stripe-fake.js';
import type { SessionWanted } from '../rail.js';
import { readStripeEvent } from './stripe-event.js';
import { StripeRail } from './stripe-rail.js';

describe('the rail of Stripe', () => {
  let fake: StripeFake;
  let rail: StripeRail;
  beforeAll(async () => {
    fake = await StripeFake.start();
    rail = new StripeRail(
      { secretKey: 'rk_test_fake', webhookSecrets: [fake.webhookSecret], apiUrl: fake.url },
      async () => new Date(),
    );
  });
  afterEach(() => {
    fake.mood = 'well';
  });
  afterAll(() => fake.stop());

  it.each([
    ['asked for with other parameters than before', 'loses answers', 'https://other.example.com/pay/token'],
    ["answered with Stripe's own error", 'breaks after', 'https://app.example.com/pay/token'],
  ] as const)('takes a session for closed that was %s: nobody can have its page', async (_name, mood, page) => {
    const one = sessionWanted('https://app.example.com/pay/token');
    fake.mood = mood;
    await expect(rail.open(one)).rejects.toMatchObject({ code: 'unavailable' });
    fake.mood = 'well';
    const again = { ...one, pageUrl: () => page };
    await expect(rail.open(again)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await rail.look(again)).toEqual({ state: 'closed', delivery: null });
    expect(await rail.close(again)).toBe('closed');
    // A payer may have the page of one that was opened.
    const opened: SessionWanted = { ...again, session: { ...one.session, state: 'open' } };
    await expect(rail.close(opened)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('continues a session that was opened, also when it would be asked for with other parameters by now', async () => {
    const one = sessionWanted('https://app.example.com/pay/token');
    const { url, railId } = await rail.open(one);
    const session = { ...one.session, state: 'open' as const, rail_id: railId };
    const later: SessionWanted = { ...one, session, pageUrl: () => 'https://moved.example.com/pay/token' };
    expect(await rail.open(later)).toEqual({ url, railId });
    fake.expire(railId);
    await expect(rail.open(later)).rejects.toMatchObject({ code: 'conflict' });
  });

  it.each([
    [true, true, false],
    [false, false, false],
    [true, false, true],
    [false, true, true],
    [true, undefined, false],
  ])('with a live key %s counts an event with livemode %s as of other books: %s', (isLive, livemode, other) => {
    const object = { payment_status: 'paid', payment_intent: 'pi', amount_total: 1, currency: 'usd' };
    const metadata = { order: 'o', workspace: 'ws', rail_key: 'o:1' };
    const event = {
      id: 'evt',
      type: 'checkout.session.completed',
      created: 1,
      livemode,
      data: { object: { ...object, metadata } },
    };
    expect(readStripeEvent(JSON.stringify(event), isLive)).toMatchObject({ kind: 'charge', sandbox: other });
  });
});
