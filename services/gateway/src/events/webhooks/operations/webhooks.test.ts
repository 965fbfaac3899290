import { randomUUID } from 'node:crypto';
import { type Webhook, webhookOperations } from '@cds/contracts';
import { Deadline, inTx } from '@cds/service';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Brand, type EdgeApp, makeBrand, startEdgeApp, startReplica } from '../../../test/edge-app.js';
import { ask, freshKey } from '../../../test/http.js';
import { meanwhile } from '../../../test/meanwhile.js';
import { signIn } from '../../../test/people.js';
import { aPersonCtx } from '../../../test/person.js';
import { feedCursor } from '../../feed/domain/feed-cursor.js';
import { laneOf, lanesOf } from '../domain/webhook-message.js';
import type { NewDelivery } from '../store/webhook-deliveries.js';

type Made = { webhook: Webhook; secret: string };

const KIND_OF = { plan: 'plan.changed', mandate: 'mandate.changed', limit: 'limit.reached' } as const;

describe('webhook endpoints (docs/domain/events.md#webhooks)', () => {
  let edge: EdgeApp;
  let brand: Brand;
  beforeAll(async () => {
    edge = await startEdgeApp('gateway_webhook_endpoints');
  });
  afterAll(() => edge.stop());
  beforeEach(async () => {
    brand = await makeBrand(edge);
  });

  const URL_ = 'https://hooks.receivers.net/in';
  const ctx = (over: Parameters<typeof aPersonCtx>[1] = {}) => aPersonCtx(brand.workspaces.live, over);
  const make = (over: object = {}, of = ctx()) => edge.run('webhook_make', of, { url: URL_, ...over });
  const made = async (over: object = {}) => (await make(over)).body as Made;
  const list = async () => ((await edge.run('webhooks_list', ctx())).body as { webhooks: Webhook[] }).webhooks;
  const refusal = (status: number, details: object) => ({ status, body: { error: { details } } });

  test('a new endpoint is listed without its secret, which is in no stored row', async () => {
    const { webhook, secret } = await made({ kinds: ['plan.approved', 'order.paid'] });
    expect(webhook).toMatchObject({
      url: URL_,
      kinds: ['plan.approved', 'order.paid'],
      state: 'enabled',
      waiting: 0,
      disabled_because: null,
      secrets: [{ ends_at: null }],
    });
    expect(await list()).toEqual([webhook]);
    for (const name of await edge.shell.store.db.collectionNames()) {
      const rows = JSON.stringify(await edge.shell.store.db.collection(name).find().toArray());
      expect(rows).not.toContain(secret.slice('whsec_'.length));
    }
  });

  test('the same Idempotency-Key shows the secret again for ten minutes, then never', async () => {
    const at = new Date();
    const again = (ms: number, key = 'hook') => make({}, ctx({ idempotencyKey: key, at: new Date(at.getTime() + ms) }));
    const first = await again(0);
    expect(await again(10 * 60_000 - 1)).toEqual({ ...first, replayed: true });
    expect(await again(10 * 60_000)).toMatchObject(refusal(409, { reason: 'secret_gone' }));
    expect(await list()).toHaveLength(1);

    const { webhook } = first.body as Made;
    const rotate = (ms: number) =>
      edge.run('webhook_rotate', ctx({ idempotencyKey: 'turn', at: new Date(at.getTime() + ms) }), { id: webhook.id });
    const rotated = await rotate(0);
    expect(await rotate(1_000)).toEqual({ ...rotated, replayed: true });
    expect(await rotate(10 * 60_000)).toMatchObject(refusal(409, { reason: 'secret_gone' }));
  });

  test('of 15 endpoints made at once ten are kept, and a removed one leaves its place', async () => {
    const answers = await Promise.all(Array.from({ length: 15 }, () => make()));
    // A 503 lost too many races for a place.
    for (const { status } of answers) expect([201, 409, 503]).toContain(status);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength((await list()).length);
    expect((await list()).length).toBeLessThanOrEqual(10);
    while ((await list()).length < 10) await made();
    expect(await make()).toMatchObject(refusal(409, { reason: 'too_many_webhooks' }));
    const [first] = await list();
    expect(await edge.run('webhook_remove', ctx(), { id: first?.id })).toMatchObject({ status: 200, body: first });
    expect(await make()).toMatchObject({ status: 201 });
    expect(await make()).toMatchObject({ status: 409 });
    expect((await list()).map(({ id }) => id)).not.toContain(first?.id);
  });

  test.each([
    ['http://hooks.receivers.net/'],
    ['https://hooks.receivers.net:8443/'],
    ['https://ada:secret@hooks.receivers.net/'],
    ['https://10.0.0.1/'],
    ['https://[::1]:1/x y'],
    ['https://167772161/'],
    ['https://metadata.internal/'],
    ['https://cds-billing.svc/'],
    ['ftp://hooks.receivers.net/'],
    ['hooks.receivers.net'],
    ['http://localhost.evil.net/'],
    ['http://ada@localhost/'],
    [`https://hooks.receivers.net/${'x'.repeat(2_100)}`],
  ])('%s is refused', async (url) => {
    expect(await make({ url })).toMatchObject({ status: 422, body: { error: { code: 'unprocessable' } } });
  });

  test('a fragment is not stored', async () => {
    expect((await made({ url: `${URL_}?a=1#part` })).webhook.url).toBe(`${URL_}?a=1`);
  });

  test('this machine is refused outside development', async () => {
    const production = await startEdgeApp('gateway_webhook_production', 'production');
    const there = await makeBrand(edge);
    for (const url of ['http://127.0.0.1:9/', 'https://localhost/', 'http://[::1]:80/', 'https://2130706433/'])
      expect(await production.run('webhook_make', aPersonCtx(there.workspaces.live), { url })).toMatchObject({
        status: 422,
      });
    await production.stop();
  });

  test('a fifth rotation within a day is refused, and each secret signs for its time', async () => {
    const { webhook } = await made();
    const rotate = () => edge.run('webhook_rotate', ctx(), { id: webhook.id });
    for (let n = 0; n < 4; n += 1) expect(await rotate()).toMatchObject({ status: 200 });
    expect((await list())[0]?.secrets).toHaveLength(5);
    expect(await rotate()).toMatchObject(refusal(409, { reason: 'bad_state' }));
  });

  test('an endpoint of another workspace is not found, as one that never was', async () => {
    const { webhook } = await made();
    const other = await makeBrand(edge);
    for (const name of Object.keys(webhookOperations).filter(
      (one) => one.startsWith('webhook_') && one !== 'webhook_make',
    )) {
      const input = name === 'webhook_replay' ? { cursor: '0' } : {};
      const foreign = await edge.run(name, aPersonCtx(other.workspaces.live), { id: webhook.id, ...input });
      const absent = await edge.run(name, ctx(), { id: randomUUID(), ...input });
      expect([foreign.status, absent.status]).toEqual([404, 404]);
      expect(foreign.body).toEqual(absent.body);
    }
    expect(await list()).toEqual([webhook]);
  });

  test('viewers and members see and change nothing, and no key does', async () => {
    const { webhook } = await made();
    const path = `/api/brand/webhooks/${webhook.id}`;
    for (const role of ['viewer', 'member'] as const) {
      const { cookie } = await signIn(edge, brand, role);
      const headers = { cookie, origin: edge.url };
      expect((await ask(edge.url, '/api/brand/webhooks', { headers })).status).toBe(403);
      expect((await ask(edge.url, `${path}/deliveries`, { headers })).status).toBe(403);
    }
    const { full: key = '' } = brand.live;
    expect((await ask(edge.url, '/api/brand/webhooks', { key })).status).toBe(401);
    const { cookie } = await signIn(edge, brand, 'admin');
    const answer = await ask(edge.url, '/api/brand/webhooks', { headers: { cookie } });
    expect(answer.status).toBe(200);
    const rotated = await ask(edge.url, `${path}/rotate`, {
      method: 'POST',
      body: {},
      headers: { cookie, origin: edge.url, 'idempotency-key': freshKey() },
    });
    expect(rotated.status).toBe(200);
  });

  test('of 40 tests that two gateways begin at once ten wait, and the others are refused', async () => {
    const { webhook } = await made();
    const replica = await startReplica(edge);
    try {
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_none, n) =>
          (n % 2 === 0 ? edge : replica).run('webhook_test', ctx(), { id: webhook.id }),
        ),
      );
      const refused = answers.filter(({ status }) => status !== 202);
      expect(refused).toHaveLength(30);
      for (const answer of refused) expect(answer).toMatchObject(refusal(409, { reason: 'bad_state' }));
      const tests = { endpoint_id: webhook.id, test: true };
      expect(await edge.shell.store.db.collection('webhook_lanes').countDocuments(tests)).toBe(10);
    } finally {
      await replica.stop();
    }
  });

  test('deliveries come in pages, the newest first, and a cursor that no page gave is refused', async () => {
    const { webhook } = await made();
    for (let n = 0; n < 5; n += 1) await edge.run('webhook_test', ctx(), { id: webhook.id });
    const page = async (query: object) =>
      (await edge.run('webhook_deliveries', ctx(), { id: webhook.id, ...query })).body as {
        deliveries: { id: string; created_at: string }[];
        next: string | null;
      };
    const first = await page({ limit: 2 });
    const second = await page({ limit: 2, cursor: first.next });
    const third = await page({ limit: 2, cursor: second.next });
    const all = [...first.deliveries, ...second.deliveries, ...third.deliveries];
    expect(new Set(all.map(({ id }) => id)).size).toBe(5);
    const times = all.map(({ created_at }) => Date.parse(created_at));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(third.next).toBeNull();
    expect((await page({ state: 'delivered' })).deliveries).toEqual([]);
    const bad = await edge.run('webhook_deliveries', ctx(), { id: webhook.id, cursor: 'x' });
    expect(bad.status).toBe(400);
  });

  test('every write leaves one entry in the audit, without a secret or a path', async () => {
    const { webhook, secret } = await made({ url: `${URL_}/with-a-token` });
    const rotated = (await edge.run('webhook_rotate', ctx(), { id: webhook.id })).body as Made;
    await edge.run('webhook_test', ctx(), { id: webhook.id });
    await edge.run('webhook_enable', ctx(), { id: webhook.id });
    await edge.run('webhook_replay', ctx(), { id: webhook.id });
    await edge.run('webhook_remove', ctx(), { id: webhook.id });
    const rows = await edge.shell.store.db
      .collection<{ action: string }>('audit')
      .find({ object: webhook.id })
      .toArray();
    const actions = ['webhook.made', 'webhook.rotated', 'webhook.tested', 'webhook.replayed', 'webhook.removed'];
    expect(rows).toHaveLength(actions.length);
    expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(actions));
    const text = JSON.stringify(rows);
    for (const word of ['with-a-token', secret.slice(6), rotated.secret.slice(6)]) expect(text).not.toContain(word);
  });

  const resetSandbox = async (): Promise<void> => {
    for (const service of ['planning', 'billing', 'proposals', 'metrics', 'catalog'])
      edge.answer(`${service}_sandbox_reset`, () => ({ running: 0, removed: 0 }));
    const reset = await ask(edge.url, '/api/sandbox/reset', {
      method: 'POST',
      key: brand.sandbox['full'] ?? '',
      body: {},
      headers: { 'idempotency-key': freshKey() },
    });
    expect(reset.status).toBe(200);
  };

  // The feed keeps only what the test adds: a mandate, which a reset leaves, would be older than any cursor.
  test.each<[what: string, read: 'first' | 'oldest', when: 'before' | 'after', cursor: boolean]>([
    ['without a cursor, of a feed that had nothing', 'first', 'after', false],
    ['without a cursor, once it has looked for the oldest event', 'oldest', 'after', false],
    ['from a cursor, before it looks for the oldest event', 'oldest', 'before', true],
    ['from a cursor, once it has looked for the oldest event', 'oldest', 'after', true],
  ])('a replay %s, while its sandbox is reset sends the reset', async (_what, read, when, cursor) => {
    const { sandbox: ws } = brand.workspaces;
    const { feed } = edge.deps;
    const { webhook } = (await edge.run('webhook_make', aPersonCtx(ws), { url: URL_ })).body as Made;
    await edge.shell.store.db.collection('feed').deleteMany({ ws });
    const place = await feed.head(ws);
    if (cursor)
      for (const version of [1, 2])
        await inTx(edge.shell.store, Deadline.in(30_000), (tx) =>
          feed.add(tx, {
            ws,
            at: new Date('2026-11-21T12:00:00.000Z'),
            kind: 'plan.changed',
            aggregate: { type: 'plan', id: webhook.id },
            version,
            data: {},
          }),
        );
    meanwhile(feed, read, when, resetSandbox);
    const input = { id: webhook.id, ...(cursor ? { cursor: feedCursor(ws, place) } : {}) };
    expect(await edge.run('webhook_replay', aPersonCtx(ws), input)).toMatchObject({ status: 200 });

    const { seq = -1 } = (await edge.deps.hooks.webhooks.byId(ws, webhook.id)) ?? {};
    const { events } = await feed.next({ ws, seq }, await feed.head(ws), 10);
    expect(events.map(({ kind }) => kind)).toEqual(['sandbox.reset']);
  });

  test('a replay from a cursor from before the reset of its sandbox sends the reset', async () => {
    const { sandbox: ws } = brand.workspaces;
    const { webhook } = (await edge.run('webhook_make', aPersonCtx(ws), { url: URL_ })).body as Made;
    await edge.shell.store.db.collection('feed').deleteMany({ ws });
    await resetSandbox();
    const first = feedCursor(ws, 0);
    expect(await edge.run('webhook_replay', aPersonCtx(ws), { id: webhook.id, cursor: first })).toMatchObject({
      status: 200,
    });
    const { seq = -1 } = (await edge.deps.hooks.webhooks.byId(ws, webhook.id)) ?? {};
    expect(seq).toBe(0);
  });

  test('a reset of a sandbox removes its deliveries, and keeps the endpoint and what waits of its keys’ mandates', async () => {
    const sandbox = brand.workspaces.sandbox;
    const made = await edge.run('webhook_make', aPersonCtx(sandbox), { url: URL_ });
    const { webhook } = made.body as Made;
    await edge.run('webhook_test', aPersonCtx(sandbox), { id: webhook.id });
    const { deliveries, lanes } = edge.deps.hooks;
    const waiting = (['plan', 'mandate', 'mandate', 'limit'] as const).map(
      (type, seq): NewDelivery => ({
        ...{ _id: randomUUID(), ws: sandbox, endpoint_id: webhook.id, event_id: randomUUID(), seq, body: '{}' },
        ...{ lane: laneOf(webhook.id, { type, id: randomUUID() }), kind: KIND_OF[type] },
      }),
    );
    const [plan, mandate, ...ended] = waiting;
    await inTx(edge.shell.store, Deadline.in(30_000), async (tx) => {
      await deliveries.add(tx, waiting);
      await lanes.open(tx, waiting);
    });
    const rows = edge.shell.store.db.collection<{ _id: string }>('webhook_deliveries');
    for (const [at, state] of (['delivered', 'failed'] as const).entries())
      await rows.updateOne({ _id: ended[at]?._id ?? '' }, { $set: { state } });
    await resetSandbox();
    const count = (name: string) => edge.shell.store.db.collection(name).countDocuments({ ws: sandbox });
    expect([await count('webhooks'), await count('webhook_lanes'), await count('webhook_deliveries')]).toEqual([
      1, 3, 1,
    ]);
    expect(await deliveries.byId(sandbox, plan?._id ?? '')).toBeNull();
    expect(await deliveries.byId(sandbox, mandate?._id ?? '')).toMatchObject({ kind: 'mandate.changed' });
    expect((await lanes.those(sandbox, [mandate?.lane ?? ''])).size).toBe(1);
  });

  test('a reset that continues after its end leaves the deliveries of later events', async () => {
    const sandbox = brand.workspaces.sandbox;
    const { webhook } = (await edge.run('webhook_make', aPersonCtx(sandbox), { url: URL_ })).body as Made;
    const { deliveries } = edge.deps.hooks;
    const [_id, event_id, lane] = [randomUUID(), randomUUID(), laneOf(webhook.id, { type: 'plan', id: randomUUID() })];
    const endedAt = await edge.shell.store.now();
    const later = { _id, event_id, lane, ws: sandbox, endpoint_id: webhook.id, seq: 1, body: '{}' };
    await inTx(edge.shell.store, Deadline.in(30_000), (tx) => deliveries.add(tx, [{ ...later, kind: 'plan.changed' }]));
    await deliveries.clear(sandbox, lanesOf(['plan']), new Date(endedAt.getTime() - 1));
    expect(await deliveries.byId(sandbox, _id)).not.toBeNull();
    await deliveries.clear(sandbox, lanesOf(['plan']), new Date(endedAt.getTime() + 60_000));
    expect(await deliveries.byId(sandbox, _id)).toBeNull();
  });
});
