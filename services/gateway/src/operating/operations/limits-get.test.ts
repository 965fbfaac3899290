import { type LimitPool, LimitPools, type Output, unavailable } from '@cds/contracts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Brand, makeBrand, publicIdOf } from '../../test/edge-app.js';
import { ask, errorOf, freshKey } from '../../test/http.js';
import { signIn } from '../../test/people.js';
import { aPersonCtx } from '../../test/person.js';
import { testEdge } from '../../test/suite.js';

const SEEN: LimitPool = {
  name: 'daily_seen',
  scope: 'workspace',
  unit: 'creators',
  limit: 300,
  left: 12,
  refills: 'at_once',
  resets_at: '2026-11-23T00:00:00.000Z',
};
const STARTS: LimitPool = {
  name: 'daily_campaign_limit',
  scope: 'brand',
  unit: 'campaigns',
  limit: 3,
  left: 3,
  refills: 'one_by_one',
  resets_at: null,
};

describe('limits_get (docs/domain/requests.md#limits)', () => {
  const edge = testEdge('gateway_limits');
  let brand: Brand;
  beforeEach(async () => {
    brand = await makeBrand(edge);
    edge.answer('read_limits', () => ({ limits: [SEEN] }));
    edge.answer('start_limits', () => ({ limits: [STARTS] }));
    edge.answer('keys_spent', (_ctx, { keys }) => ({
      spent: (keys as { key_id: string }[]).map(({ key_id }) => ({ key_id, spent_this_month_cents: 700 })),
    }));
  });

  const read = (key = brand.live['full'] ?? '') => ask(edge.url, '/api/v1/limits', { key });
  const pools = async (key?: string): Promise<LimitPool[]> => ((await read(key)).json as Output<'limits_get'>).limits;

  test('lists what each service counts, and costs one request of the minute', async () => {
    const first = await read();
    expect(first.status).toBe(200);
    expect(LimitPools.safeParse(first.json).error).toBeUndefined();
    const { limits } = first.json as Output<'limits_get'>;
    expect(limits.map(({ name }) => name)).toEqual([
      'request_rate',
      'daily_seen',
      'daily_campaign_limit',
      'daily_writes',
      'daily_feedback',
      'stream_limit',
      'over_max_plan_total',
      'over_monthly_cap',
    ]);
    expect(limits).toEqual(expect.arrayContaining([SEEN, STARTS]));
    const [rate] = limits;
    expect(rate).toMatchObject({ scope: 'key', limit: 60, left: Number(first.headers.get('ratelimit-remaining')) });

    const [next] = await pools();
    expect(next).toMatchObject(next?.resets_at === rate?.resets_at ? { left: (rate?.left ?? 0) - 1 } : { limit: 60 });
  });

  test('says when the minute ends as the refusal does', async () => {
    for (;;) {
      const [rate] = await pools();
      await edge.counters.use(publicIdOf(brand.live['full'] ?? ''), 60);
      const refused = await read();
      if (refused.status !== 429) continue; // The minute ended in between.
      const { details } = errorOf(refused);
      if (details?.['resets_at'] !== rate?.resets_at) continue;
      expect(details).toMatchObject({ reason: rate?.name, scope: rate?.scope, limit: rate?.limit });
      return;
    }
  });

  test('any valid key may ask, and one without a mandate has no amounts', async () => {
    expect((await pools(brand.live['bare'])).map(({ unit }) => unit)).not.toContain('cents');
    expect((await ask(edge.url, '/api/v1/limits', {})).status).toBe(401);
  });

  test('a key that may make child keys sees how many are left; its child sees both caps and no limit on child keys', async () => {
    const owner = await signIn(edge, brand);
    const person = aPersonCtx(brand.workspaces.live, { at: new Date(), person: owner.person_id });
    await edge.run('key_change', person, { id: brand.ids['full'] ?? '', may_delegate: true });
    const left = async () => (await pools()).find(({ name }) => name === 'child_key_limit');
    expect(await left()).toMatchObject({ limit: 200, left: 200, resets_at: null });

    const made = await ask(edge.url, '/api/v1/keys/children', {
      method: 'POST',
      key: brand.live['full'] ?? '',
      body: {
        name: 'helper',
        scopes: ['campaigns:read'],
        expires_at: new Date(Date.now() + 86_400_000).toISOString(),
        mandate: {
          max_plan_cents: 100,
          monthly_cap_cents: 900,
          channels: ['x_creators'],
          may_approve: false,
          expires_at: new Date(Date.now() + 86_400_000).toISOString(),
        },
      },
      headers: { 'idempotency-key': freshKey() },
    });
    expect(made.status).toBe(201);
    expect(await left()).toMatchObject({ left: 199, resets_at: expect.any(String) });

    const { secret } = made.json as { secret: string };
    const ofChild = await pools(secret);
    expect(ofChild.map(({ name }) => name)).not.toContain('child_key_limit');
    expect(
      ofChild.filter(({ name }) => name === 'over_monthly_cap').map(({ scope, left: cents }) => [scope, cents]),
    ).toEqual([
      ['key', 200],
      ['parent', expect.any(Number)],
    ]);
  });

  test.each(['read_limits', 'start_limits', 'keys_spent'])('is 503 while %s has no answer', async (name) => {
    edge.answer(name, () => {
      throw unavailable('The service does not answer.');
    });
    const refused = await read();
    expect(refused.status).toBe(503);
    expect(errorOf(refused).code).toBe('unavailable');
    expect(refused.headers.get('retry-after')).not.toBeNull();
  });
});
