import { randomUUID } from 'node:crypto';
import { LimitPools } from '@cds/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { WRITE_QUOTA } from '../../people/quota.js';
import { type Brand, type EdgeApp, makeBrand, startEdgeApp } from '../../test/edge-app.js';
import { ask, errorOf, freshKey, type HttpAnswer } from '../../test/http.js';
import { signIn } from '../../test/people.js';
import { aPersonCtx } from '../../test/person.js';

const ID = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';
const DAY_MS = 86_400_000;

/** What a key may have stored in a day (docs/domain/access.md#limits). */
describe('the writes of a day', () => {
  let edge: EdgeApp;
  let brand: Brand;
  beforeAll(async () => {
    edge = await startEdgeApp('gateway_daily_writes');
  });
  afterAll(() => edge.stop());
  beforeEach(async () => {
    brand = await makeBrand(edge);
    edge.answer('rename_campaign', () => ({ campaign_id: ID }));
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
  const rows = (name: string) => edge.shell.store.db.collection(name);
  /** As after so many writes of a key today. */
  const spend = async (writes: number, name = 'full'): Promise<void> => {
    for (let used = 0; used < writes; used += 1) await edge.people.quotas.use(WRITE_QUOTA, brand.ids[name] ?? '');
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
    expect([refused.status, errorOf(refused).code]).toEqual([429, 'rate_limited']);
    const { details } = errorOf(refused);
    expect(details).toMatchObject({ reason: 'daily_writes', scope: 'key', limit: 400 });
    expect(new Date(String(details['resets_at'])).getTime() % DAY_MS).toBe(0);
    expect([await rows('command_claims').countDocuments(), await rows('commands').countDocuments()]).toEqual(before);
    expect((await rename(keyOf('writer'))).status).toBe(200);
  });

  test('count once for each 4 KB of their bodies, since what is sent comes back in answers and events', async () => {
    edge.answer('set_creator_guidelines', () => ({ campaign_id: ID }));
    const set = (dos: string[]) =>
      ask(edge.url, `/api/v1/campaigns/${ID}/creator-guidelines`, {
        method: 'POST',
        key: keyOf('full'),
        headers: { 'idempotency-key': freshKey() },
        body: { dos },
      });
    await set(['Say what it does.']);
    expect(await leftOf(keyOf('full'))).toMatchObject({ left: 399 });
    await set(Array(8).fill('\u{1F600}'.repeat(200)));
    expect(await leftOf(keyOf('full'))).toMatchObject({ left: 397 });
  });

  test('do not keep anybody from the answer to an earlier write', async () => {
    const idempotencyKey = freshKey();
    await rename(keyOf('full'), idempotencyKey);
    await spend(400);
    expect((await rename(keyOf('full'), idempotencyKey)).status).toBe(200);
    expect((await rename(keyOf('full'), freshKey())).status).toBe(429);
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
    for (let used = 0; used < 400; used += 1) await edge.people.quotas.use(WRITE_QUOTA, String(own?.['key_id']));
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
