import { randomUUID } from 'node:crypto';
import { LimitPools, notFound } from '@cds/contracts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Brand, makeBrand } from '../../test/edge-app.js';
import { ask, errorOf, freshKey, type HttpAnswer } from '../../test/http.js';
import { signIn } from '../../test/people.js';
import { aPersonCtx } from '../../test/person.js';
import { testEdge } from '../../test/suite.js';
import { WRITE_QUOTA } from '../quota.js';

const ID = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';
const DAY_MS = 86_400_000;
/** A body of over 4 KB and under 8 KB. */
const LONG = Array<string>(8).fill('\u{1F600}'.repeat(200));

/** What a key may have stored in a day (docs/domain/requests.md#limits). */
describe('the writes of a day', () => {
  const edge = testEdge('gateway_daily_writes');
  let brand: Brand;
  beforeEach(async () => {
    brand = await makeBrand(edge);
    for (const name of ['rename_campaign', 'set_creator_guidelines'] as const)
      edge.answer(name, () => ({ campaign_id: ID }));
    for (const name of ['read_limits', 'start_limits'] as const) edge.answer(name, () => ({ limits: [] }));
    edge.answer('keys_spent', () => ({ spent: [] }));
  });

  const keyOf = (name: string): string => brand.live[name] ?? '';
  const rename = (key = keyOf('full'), idempotencyKey = freshKey(), name = 'A name'): Promise<HttpAnswer> =>
    ask(edge.url, `/api/v1/campaigns/${ID}`, {
      method: 'PATCH',
      key,
      headers: { 'idempotency-key': idempotencyKey },
      body: { name },
    });
  const setGuidelines = (dos: string[], idempotencyKey = freshKey()): Promise<HttpAnswer> =>
    ask(edge.url, `/api/v1/campaigns/${ID}/creator-guidelines`, {
      method: 'POST',
      key: keyOf('full'),
      headers: { 'idempotency-key': idempotencyKey },
      body: { dos },
    });
  const rows = (name: string) => edge.shell.store.db.collection(name);
  /** As after so many writes of a key today. */
  const spend = async (writes: number, name = 'full'): Promise<void> => {
    await edge.people.quotas.use(WRITE_QUOTA, brand.ids[name] ?? '', writes);
  };
  const leftOf = async (key: string) => {
    const { json } = await ask(edge.url, '/api/v1/limits', { key });
    return LimitPools.parse(json).limits.find(({ name }) => name === 'daily_writes');
  };

  test('are 400 of a key: the next is refused until midnight UTC, and nothing of it is stored', async () => {
    await spend(399);
    expect((await rename()).status).toBe(200);
    const before = [await rows('command_claims').countDocuments(), await rows('commands').countDocuments()];
    const refused = await rename();
    expect(refused.status).toBe(429);
    const { code, details } = errorOf(refused);
    expect(code).toBe('rate_limited');
    expect(details).toMatchObject({ reason: 'daily_writes', scope: 'key', limit: 400 });
    expect(new Date(String(details['resets_at'])).getTime() % DAY_MS).toBe(0);
    expect([await rows('command_claims').countDocuments(), await rows('commands').countDocuments()]).toEqual(before);
    expect((await rename(keyOf('writer'))).status).toBe(200);
  });

  test('count once for each 4 KB of their bodies, since what is sent comes back in answers and events', async () => {
    await setGuidelines(['Say what it does.']);
    expect(await leftOf(keyOf('full'))).toMatchObject({ left: 399 });
    await setGuidelines(LONG);
    expect(await leftOf(keyOf('full'))).toMatchObject({ left: 397 });
  });

  test('use nothing of the day when they do not fit what is left of it', async () => {
    await spend(399);
    const refused = await setGuidelines(LONG);
    expect(refused.status).toBe(429);
    expect(await leftOf(keyOf('full'))).toMatchObject({ left: 1 });
    expect(refused.json).toMatchObject({
      error: { message: expect.stringContaining("counts as 2 of the key's 400 writes of a day") },
    });
    expect((await rename()).status).toBe(200);
    expect((await rename()).status).toBe(429);
    expect(await leftOf(keyOf('full'))).toMatchObject({ left: 0 });
  });

  test('do not keep anybody from the answer to an earlier write', async () => {
    const idempotencyKey = freshKey();
    await rename(keyOf('full'), idempotencyKey);
    await spend(399);
    expect((await rename(keyOf('full'), idempotencyKey)).status).toBe(200);
    expect((await rename(keyOf('full'), freshKey())).status).toBe(429);
  });

  describe('beyond the day, under an earlier Idempotency-Key', () => {
    const MINUTE_MS = 60_000;
    /** As if the claims of this key's commands had been made so much earlier. */
    const age = async (ms: number): Promise<void> => {
      for (const { _id, ...claim } of await rows('command_claims').find().toArray()) {
        const aged = Object.entries(claim).map(([name, value]) => [
          name,
          value instanceof Date ? new Date(value.getTime() - ms) : value,
        ]);
        await rows('command_claims').replaceOne({ _id }, Object.fromEntries(aged));
      }
    };
    const newDay = () => rows('quotas').deleteMany({ _id: /^writes:/ });
    const approve = (idempotencyKey: string): Promise<HttpAnswer> =>
      ask(edge.url, `/api/v1/plans/${ID}/approve`, {
        method: 'POST',
        key: keyOf('full'),
        headers: { 'idempotency-key': idempotencyKey },
        body: { terms_fingerprint: 'f' },
      });

    test.each([
      { what: 'a rename', days: 7, send: (key: string) => rename(keyOf('full'), key) },
      { what: 'an approve', days: 30, send: approve },
    ])('$what is sent again for as long as its answer is kept, $days days', async ({ days, send }) => {
      edge.answer('approve_plan', () => ({ order_id: ID }));
      const key = freshKey();
      expect((await send(key)).status).toBe(200);
      await spend(399);
      await age(days * DAY_MS - MINUTE_MS);
      expect((await send(key)).status).toBe(200);
      await age(MINUTE_MS);
      expect((await send(key)).status).toBe(429);
    });

    test('a retry does not make the answer last longer, counted or not', async () => {
      const key = freshKey();
      await rename(keyOf('full'), key);
      await age(4 * DAY_MS);
      await rename(keyOf('full'), key);
      await spend(398);
      expect((await rename(keyOf('full'), key)).status).toBe(200);
      await age(3 * DAY_MS);
      expect((await rename(keyOf('full'), key)).status).toBe(429);
    });

    test('a key that is used again after its answer counts like any other', async () => {
      const key = freshKey();
      await rename(keyOf('full'), key);
      await age(8 * DAY_MS);
      await rename(keyOf('full'), key);
      await spend(398);
      expect((await rename(keyOf('full'), key)).status).toBe(200);
      await newDay();
      expect(await leftOf(keyOf('full'))).toMatchObject({ left: 400 });
    });

    test('the retry of a request that succeeded under the key of one that stored nothing gets its answer', async () => {
      edge.answer('set_creator_guidelines', () => {
        throw notFound('campaign');
      });
      const key = freshKey();
      expect((await setGuidelines(['A typo.'], key)).status).toBe(404);
      edge.answer('set_creator_guidelines', () => ({ campaign_id: ID }));
      expect((await setGuidelines(['Say what it does.'], key)).status).toBe(200);
      await spend(398);
      expect((await setGuidelines(['Say what it does.'], key)).status).toBe(200);
    });

    test('another request under the key of one that stored nothing is refused', async () => {
      edge.answer('set_creator_guidelines', () => {
        throw notFound('campaign');
      });
      const key = freshKey();
      expect((await setGuidelines(['Say what it does.'], key)).status).toBe(404);
      edge.answer('set_creator_guidelines', () => ({ campaign_id: ID }));
      await spend(399);
      expect((await setGuidelines(LONG, key)).status).toBe(429);
      expect((await setGuidelines(['Say what it does.'], key)).status).toBe(200);
    });
  });

  test('of a child count with those of its parent', async () => {
    const owner = await signIn(edge, brand);
    const person = aPersonCtx(brand.workspaces.live, { at: new Date(), person: owner.person_id });
    await edge.run('key_change', person, { id: brand.ids['full'] ?? '', may_delegate: true });
    const made = await ask(edge.url, '/api/v1/keys/children', {
      method: 'POST',
      key: keyOf('full'),
      headers: { 'idempotency-key': freshKey() },
      body: { name: 'helper', scopes: ['campaigns:write'], expires_at: new Date(Date.now() + DAY_MS).toISOString() },
    });
    const { secret } = made.json as { secret: string };
    await spend(398);
    expect((await rename(secret)).status).toBe(200);
    const refused = await rename(secret);
    expect(errorOf(refused).details).toMatchObject({ reason: 'daily_writes', scope: 'parent' });
    expect((await rename()).status).toBe(429);
    expect(await leftOf(secret)).toMatchObject({ scope: 'parent', left: 0 });
  });

  test('do not count what people do in the app', async () => {
    const owner = await signIn(edge, brand);
    const own = await rows('keys').findOne({ ws: brand.workspaces.live, own: true });
    await edge.people.quotas.use(WRITE_QUOTA, String(own?.['key_id']), 400);
    const answer = await ask(edge.url, `/api/v1/campaigns/${ID}`, {
      method: 'PATCH',
      cookie: owner.cookie,
      headers: { 'idempotency-key': randomUUID() },
      body: { name: 'A name' },
    });
    expect(answer.status).toBe(200);
  });

  test('are in GET /limits with what is left of them', async () => {
    expect(await leftOf(keyOf('full'))).toMatchObject({ scope: 'key', unit: 'writes', limit: 400, left: 400 });
    await rename();
    const midnight = new Date((Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS).toISOString();
    expect(await leftOf(keyOf('full'))).toMatchObject({ left: 399, resets_at: midnight });
  });
});
