import { setTimeout as delay } from 'node:timers/promises';
import { proves } from '@cds/contracts/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Brand, type EdgeApp, makeBrand, startEdgeApp, startReplica } from '../../test/edge-app.js';
import { ask, freshKey } from '../../test/http.js';
import { type SignedIn, signIn } from '../../test/people.js';

/** A request and when it began, as one count over all clients. */
type Seen = { began: number; status: number };

/** Revocation on every replica, with requests in flight (docs/domain/access.md#keys; I48). */
describe('three gateways on one database', () => {
  let all: EdgeApp[];
  let brand: Brand;
  let admin: SignedIn;
  beforeAll(async () => {
    const edge = await startEdgeApp('gateway_revocation');
    all = [edge, await startReplica(edge), await startReplica(edge)];
    brand = await makeBrand(edge);
    admin = await signIn(edge, brand, 'admin');
  });
  afterAll(async () => {
    for (const edge of all.toReversed()) await edge.stop();
  });

  const urlOf = (at: number): string => all[at % 3]?.url ?? '';
  const asPerson = (at: number, method: string, path: string, body?: unknown) =>
    ask(urlOf(at), `/api/brand${path}`, {
      method,
      cookie: admin.cookie,
      headers: { 'idempotency-key': freshKey() },
      ...(body === undefined ? {} : { body }),
    });
  const made = async (at: number): Promise<{ id: string; secret: string }> => {
    const answer = await asPerson(at, 'POST', '/keys', {
      name: 'short',
      scopes: ['inventory:read', 'campaigns:write'],
    });
    expect(answer.status).toBe(201);
    const { key, secret } = answer.json as { key: { id: string }; secret: string };
    return { id: key.id, secret };
  };

  /** Clients that send reads and writes with the key to every gateway, until they are stopped. */
  const clients = (secret: string) => {
    let count = 0;
    let running = true;
    const seen: Seen[] = [];
    const client = async (at: number): Promise<void> => {
      while (running) {
        const began = count;
        count += 1;
        const write = { method: 'POST', body: { message: 'x' }, headers: { 'idempotency-key': freshKey() } };
        const { status } = await ask(urlOf(at), at % 2 === 0 ? '/api/v1/inventory' : '/api/v1/feedback', {
          key: secret,
          ...(at % 2 === 0 ? {} : write),
        });
        seen.push({ began, status });
      }
    };
    const ended = Promise.all(Array.from({ length: 12 }, (_none, at) => client(at)));
    return {
      seen,
      now: () => count,
      stop: async () => {
        running = false;
        await ended;
      },
    };
  };

  const until = async (condition: () => boolean): Promise<void> => {
    const end = performance.now() + 10_000;
    while (!condition() && performance.now() < end) await delay(5);
    expect(condition()).toBe(true);
  };

  test.each([
    ['a person revokes it', (at: number, { id }: { id: string }) => asPerson(at, 'POST', `/keys/${id}/revoke`)],
    [
      'it is reported',
      (at: number, { secret }: { secret: string }) =>
        ask(urlOf(at), '/api/keys/report', { method: 'POST', body: { key: secret } }),
    ],
  ])(
    'when %s at one, every request that begins after the answer is 401 at all of them',
    async (_name, revoke) => {
      proves('errors.401-no-key', 'keys.revoked');
      for (let round = 0; round < 6; round += 1) {
        const key = await made(round);
        const load = clients(key.secret);
        await until(() => load.seen.some(({ status }) => status === 200 || status === 201));
        expect((await revoke(round + 1, key)).status).toBeLessThan(300);
        const answered = load.now();
        await until(() => load.seen.filter(({ began }) => began >= answered).length > 30);
        await load.stop();
        const after = load.seen.filter(({ began }) => began >= answered).map(({ status }) => status);
        expect(new Set(after)).toEqual(new Set([401]));
      }
    },
    120_000,
  );

  test('a person’s role decides who may touch keys: a viewer reads terms, an admin makes keys', async () => {
    const viewer = await signIn(all[0] as EdgeApp, brand, 'viewer');
    const as = (cookie: string, path: string) => ask(urlOf(0), `/api/brand${path}`, { cookie });
    expect((await as(viewer.cookie, '/keys')).status).toBe(403);
    expect((await as(viewer.cookie, '/terms')).status).toBe(200);
    expect((await as(admin.cookie, '/keys')).status).toBe(200);
    expect((await ask(urlOf(0), '/api/brand/keys', { key: brand.live['full'] ?? '' })).status).toBe(401);
  });

  test('a removed mandate is answered by 204 without a body', async () => {
    const { id } = await made(0);
    const mandate = {
      max_plan_cents: 100,
      monthly_cap_cents: 100,
      channels: ['x_creators'],
      may_approve: false,
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    };
    expect(await asPerson(1, 'PUT', `/keys/${id}/mandate`, mandate)).toMatchObject({
      status: 200,
      json: { version: 1 },
    });
    const refused = await asPerson(1, 'PUT', `/keys/${id}/mandate`, { ...mandate, may_exceed_budget: false });
    expect(refused.status).toBe(400);
    const removed = await asPerson(2, 'DELETE', `/keys/${id}/mandate`);
    expect([removed.status, removed.text, removed.headers.get('content-type')]).toEqual([204, '', null]);
  });
});
