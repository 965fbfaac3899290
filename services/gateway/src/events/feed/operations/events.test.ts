import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type EventPayload, FeedPage, type Output, type Scope } from '@cds/contracts';
import { Deadline, inTx } from '@cds/service';
import { deliver } from '@cds/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Brand, type EdgeApp, makeBrand, publicIdOf, startEdgeApp } from '../../../test/edge-app.js';
import { formBrowser } from '../../../test/forms.js';
import { ask, errorOf, type HttpAnswer } from '../../../test/http.js';
import { aClient, REST_RESOURCE, revoke, signedIn } from '../../../test/mcp-client.js';
import { meanwhile } from '../../../test/meanwhile.js';
import { type SignedIn, signIn } from '../../../test/people.js';
import { aPersonCtx } from '../../../test/person.js';
import { EARLIER_VERSION_MS } from '../domain/feed-times.js';
import { onFeedEvents } from '../feed-followed.js';

type Plan = EventPayload<'plan.changed'>;

/** GET /events and its stream over HTTP, on a real database (docs/domain/events.md#events). */
describe('the events of a workspace', () => {
  let edge: EdgeApp;
  let brand: Brand;
  let key: string;
  let ws: string;
  /** Where the feed of a new brand ends: it has the mandates of its keys. */
  let start: string;
  const statements: string[] = [];

  beforeAll(async () => {
    edge = await startEdgeApp('gateway_events');
    edge.shell.store.onCommand(({ commandName, command }) => {
      statements.push(`${String((command as Record<string, unknown>)[commandName])}.${commandName}`);
    });
  });
  afterAll(() => edge.stop());
  beforeEach(async () => {
    brand = await makeBrand(edge);
    key = brand.live['full'] ?? '';
    ws = brand.workspaces.live;
    start = page(await get('?cursor=latest')).next;
  });

  const get = (query = '', by = key): Promise<HttpAnswer> => ask(edge.url, `/api/v1/events${query}`, { key: by });
  const page = (answer: HttpAnswer): FeedPage => {
    expect(answer.status).toBe(200);
    return FeedPage.parse(answer.json);
  };
  const plan = (aggregate: string, version: number, of: Partial<Plan> = {}): Plan => ({
    aggregate,
    version,
    workspace: ws,
    campaign_id: randomUUID(),
    status: 'awaiting_approval',
    terms_fingerprint: 'f',
    total_cents: version * 100,
    creator_ids: [],
    ...of,
  });
  const arrive = async (event: Plan): Promise<void> => {
    const consumer = onFeedEvents(edge.deps.feed).find((one) => one.event === 'plan.changed');
    if (consumer === undefined) throw new Error('nobody follows plans');
    await deliver(edge.shell.store, consumer, event, await edge.shell.store.now());
  };
  const versions = (events: FeedPage['events']) => events.map(({ version }) => version);

  test('come in pages, oldest first, and the next page begins after the last one', async () => {
    const id = randomUUID();
    for (const version of [1, 2, 3]) await arrive(plan(id, version));

    const first = page(await get(`?cursor=${start}&limit=2`));
    expect(versions(first.events)).toEqual([1, 2]);
    expect(first.events[0]).toMatchObject({
      kind: 'plan.changed',
      aggregate: { type: 'plan', id },
      data: { id, status: 'awaiting_approval', total_cents: 100 },
    });
    const second = page(await get(`?cursor=${first.next}&limit=2`));
    expect(versions(second.events)).toEqual([3]);
    expect(page(await get(`?cursor=${second.next}`))).toEqual({ events: [], next: second.next });
  });

  test('keep a later version back while an earlier one is on its way', async () => {
    const id = randomUUID();
    await arrive(plan(id, 1));
    await expect(arrive(plan(id, 3))).rejects.toThrow('An earlier version');
    await arrive(plan(id, 2));
    await arrive(plan(id, 3));
    expect(versions(page(await get(`?cursor=${start}`)).events)).toEqual([1, 2, 3]);
  });

  test('go on without a version that never came', async () => {
    const consumer = onFeedEvents(edge.deps.feed).find((one) => one.event === 'plan.changed');
    const id = randomUUID();
    const at = await edge.shell.store.now();
    await arrive(plan(id, 1));
    if (consumer === undefined || !('applyAll' in consumer)) throw new Error('plans are not followed in a transaction');
    const long = new Date(at.getTime() - EARLIER_VERSION_MS);
    await inTx(edge.shell.store, Deadline.in(30_000), (tx) =>
      consumer.applyAll(tx, [{ payload: plan(id, 3), committedAt: long }], at),
    );
    await arrive(plan(id, 2));
    expect(versions(page(await get(`?cursor=${start}`)).events)).toEqual([1, 3]);
  });

  test('can be narrowed to kinds, and the cursor passes the others', async () => {
    const id = randomUUID();
    await arrive(plan(id, 1));
    await arrive(plan(id, 2, { status: 'approved' }));
    await arrive(plan(randomUUID(), 1));
    const found = page(await get(`?cursor=${start}&kind=plan.approved,order.paid`));
    expect(found.events.map(({ kind }) => kind)).toEqual(['plan.approved']);
    expect(page(await get(`?cursor=${found.next}`)).events).toEqual([]);
  });

  test('belong to the caller’s own workspace alone, and so do their cursors', async () => {
    await arrive(plan(randomUUID(), 1));
    const other = await makeBrand(edge);
    const theirs = page(await get('', other.live['full']));
    expect(theirs.events.filter(({ kind }) => kind.startsWith('plan.'))).toEqual([]);
    expect(errorOf(await get(`?cursor=${start}`, other.live['full'])).fields).toEqual(['cursor']);
  });

  test.each(['?cursor=x', '?limit=0', '?limit=201', '?kind=plan', '?kind=', '?wait=21', '?since=1'])(
    '%s is 400',
    async (query) => {
      const answer = await get(query);
      expect([answer.status, errorOf(answer).code]).toEqual([400, 'bad_request']);
    },
  );

  test('say so when the next ones are no longer kept', async () => {
    await arrive(plan(randomUUID(), 1));
    await arrive(plan(randomUUID(), 1));
    const rows = edge.shell.store.db.collection<{ _id: string; ws: string; seq: number }>('feed');
    const last = await edge.deps.feed.head(ws);
    await rows.deleteMany({ ws, seq: { $lt: last } });

    expect(errorOf(await get(`?cursor=${start}`)).details['reason']).toBe('cursor_expired');
    expect(page(await get()).events).toHaveLength(1);
  });

  test('go on from the newest cursor when nothing is kept and one comes while that is looked up', async () => {
    await edge.shell.store.db.collection('feed').deleteMany({ ws });
    const id = randomUUID();
    meanwhile(edge.deps.feed, 'first', 'after', () => arrive(plan(id, 1)));
    expect(page(await get(`?cursor=${start}`)).events.map(({ aggregate }) => aggregate.id)).toEqual([id]);
  });

  test('show proof and readings only to keys with their scopes', async () => {
    expect((await get('?kind=reading.taken,post.live')).status).toBe(200);
    const narrowed = await get('?kind=reading.taken', await keyWith(['campaigns:read']));
    expect([narrowed.status, errorOf(narrowed).details['scope']]).toEqual([403, 'results:read']);
    expect((await get()).status).toBe(200);
  });

  test('are waited for until one comes', async () => {
    const waiting = get(`?cursor=${start}&wait=20`);
    await until(() => edge.deps.feedWatch.waiting === 1);
    await arrive(plan(randomUUID(), 1));
    await edge.deps.feedWatch.look();
    expect(page(await waiting).events).toHaveLength(1);
  });

  test.each<[what: string, change: (key_id: string) => Promise<unknown>, then: number]>([
    ['was revoked', (key_id) => edge.changeKeys({ key_id }, { revoked_at: new Date(0) }), 401],
    ['has expired', (key_id) => edge.changeKeys({ key_id }, { expires_at: new Date(Date.now() - 60_000) }), 401],
    ['lost its scope', (key_id) => edge.changeKeys({ key_id }, { scopes: ['results:read'] }), 403],
  ])('are not for a key that %s while it waited', async (_what, change, then) => {
    const waiting = get(`?cursor=${start}&wait=20`);
    await until(() => edge.deps.feedWatch.waiting === 1);
    await change(brand.ids['full'] ?? '');
    await arrive(plan(randomUUID(), 1));
    await edge.deps.feedWatch.look();
    expect(page(await waiting)).toEqual({ events: [], next: start });
    expect((await get(`?cursor=${start}`)).status).toBe(then);
  });

  test('are not waited for on a kind that does not come', async () => {
    const answer = page(await get(`?cursor=${start}&wait=1&kind=order.paid`));
    expect(answer.events).toEqual([]);
  });

  test('are a tool while extensions are on', async () => {
    await edge.setSwitches({ extensions: true });
    await arrive(plan(randomUUID(), 1));
    const answer = await ask(edge.url, '/api/mcp', {
      method: 'POST',
      key,
      headers: { accept: 'application/json, text/event-stream' },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'events_wait', arguments: { cursor: start, view: 'brief' } },
      },
    });
    const { result } = answer.json as { result: { structuredContent: { events: unknown[]; next: string } } };
    expect(result.structuredContent.events).toHaveLength(1);
    await edge.setSwitches({});
  });

  test('have each mandate, without the address of who accepted terms', async () => {
    const events = page(await get('?kind=mandate.changed&limit=200')).events;
    const own = events.filter(({ aggregate }) => aggregate.id === brand.ids['full']);
    expect(own.at(-1)?.data).toMatchObject({ key_id: brand.ids['full'], mandate: { may_approve: true } });
    expect(JSON.stringify(events)).not.toContain('@');
  });

  test('have a limit once an hour, however often it refuses', async () => {
    const reader = brand.live['reader'] ?? '';
    expect((await get('', reader)).status).toBe(200);
    await edge.counters.use(publicIdOf(reader), 1_000);
    const first = errorOf(await get('', reader)).details;
    expect((await ask(edge.url, '/api/v1/campaigns', { key: reader })).status).toBe(429);
    await edge.flushLog();
    expect((await get('', reader)).status).toBe(429);
    await edge.flushLog();
    const { events } = page(await get(`?cursor=${start}`));
    const limit = { scope: 'key', limit: 60, creator_id: null, resets_at: first['resets_at'] };
    expect(events.map(({ kind, data }) => [kind, data])).toEqual([
      ['limit.reached', { key_id: brand.ids['reader'], reason: 'request_rate', operation: 'events_list', ...limit }],
    ]);
  });

  test('have both limits on price requests, though they share a reason', async () => {
    const [creator, other] = [randomUUID(), randomUUID()];
    const all = {
      reason: 'daily_limit',
      scope: 'workspace',
      resets_at: new Date(Date.now() + 60_000).toISOString(),
      retry_after: 60,
    };
    edge.answer('creator_ask_price', (_ctx, { id }) => {
      const limit = id === creator ? { limit: 3, creator_id: creator } : { limit: 20 };
      throw new AppError('rate_limited', 'Enough price requests.', { ...all, ...limit });
    });
    for (const id of [creator, other, creator]) {
      const asked = { method: 'POST', key, body: {} };
      expect((await ask(edge.url, `/api/v1/creators/${id}/price-request`, asked)).status).toBe(429);
      await edge.flushLog();
    }
    const { events } = page(await get(`?cursor=${start}`));
    const of = { key_id: brand.ids['full'], operation: 'creator_ask_price', reason: all.reason, scope: all.scope };
    expect(events.map(({ data }) => data)).toEqual([
      { ...of, limit: 3, creator_id: creator, resets_at: all.resets_at },
      { ...of, limit: 20, creator_id: null, resets_at: all.resets_at },
    ]);
  });

  test('leave out a limit that a fault of the sandbox simulated', async () => {
    const test_ = brand.sandbox['full'] ?? '';
    const cursor = page(await get('?cursor=latest', test_)).next;
    const armed = await ask(edge.url, '/api/sandbox/faults', {
      method: 'POST',
      key: test_,
      headers: { 'idempotency-key': randomUUID() },
      body: { operation: 'campaigns_list', status: 429 },
    });
    expect(armed.status).toBe(200);
    expect((await ask(edge.url, '/api/v1/campaigns', { key: test_ })).status).toBe(429);
    await edge.flushLog();
    expect(page(await get(`?cursor=${cursor}`, test_)).events).toEqual([]);
  });

  test('end a mandate with its key, though its report meets a new version of it', async () => {
    const { workspaces } = edge.deps;
    const lock = workspaces.lockKeys.bind(workspaces);
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    workspaces.lockKeys = async (tx, from) => {
      workspaces.lockKeys = lock;
      reached.resolve();
      await goOn.promise;
      return lock(tx, from);
    };
    const mandate = {
      ...{ max_plan_cents: 100, monthly_cap_cents: 200, channels: ['x_creators'], may_approve: false },
      expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    };
    const setting = edge.run('key_mandate_set', aPersonCtx(ws), { id: brand.ids['bare'], ...mandate });
    await reached.promise;
    expect(await edge.run('key_report', aPersonCtx(ws), { key: brand.live['bare'] ?? '' })).toMatchObject({
      status: 202,
    });
    goOn.resolve();
    await setting;
    const { events } = page(await get(`?cursor=${start}`, brand.live['reader']));
    const own = events.filter(({ aggregate }) => aggregate.id === brand.ids['bare']);
    expect(own.at(-1)?.data['mandate'] ?? null).toBeNull();
  });

  test('end a mandate with its key, once, however it was revoked', async () => {
    const [revoked, reported] = ['full', 'writer'];
    const secret = brand.live[reported] ?? '';
    const report = () => edge.run('key_report', aPersonCtx(ws), { key: secret });
    expect(await edge.run('key_revoke', aPersonCtx(ws), { id: brand.ids[revoked] })).toMatchObject({ status: 200 });
    const apply = edge.deps.keyChanges.applyOf.bind(edge.deps.keyChanges);
    edge.deps.keyChanges.applyOf = async () => undefined;
    expect([await report(), await report()]).toMatchObject([{ status: 202 }, { status: 202 }]);
    edge.deps.keyChanges.applyOf = apply;
    // One without a mandate has nothing that ends.
    expect(await edge.run('key_revoke', aPersonCtx(ws), { id: brand.ids['bare'] })).toMatchObject({ status: 200 });

    const { events } = page(await get(`?cursor=${start}`, brand.live['reader']));
    const ended = (name: string, version: number) => ({
      kind: 'mandate.changed',
      aggregate: { type: 'mandate', id: brand.ids[name] },
      version,
      data: { key_id: brand.ids[name], parent_id: null, cause: 'revoked', mandate: null },
    });
    expect(events).toMatchObject([ended(revoked, 3), ended(reported, 2)]);
  });

  test('begin again with a reset of their sandbox, from any cursor', async () => {
    const test_ = brand.sandbox['full'] ?? '';
    for (const service of ['planning', 'billing', 'proposals', 'metrics', 'catalog'])
      edge.answer(`${service}_sandbox_reset`, () => ({ removed: 0, running: 0 }));
    const id = randomUUID();
    await arrive(plan(id, 1, { workspace: brand.workspaces.sandbox }));
    const before = page(await get('?cursor=latest', test_)).next;
    const first = page(await get('?limit=1', test_)).next;
    const answer = await ask(edge.url, '/api/sandbox/reset', {
      method: 'POST',
      key: test_,
      body: { seed: 7 },
      headers: { 'idempotency-key': `reset-${id}` },
    });
    expect(answer.status).toBe(200);

    // The mandates of its keys stay, as the keys do.
    const mandates = page(await get('?kind=mandate.changed', test_)).events;
    expect(mandates.length).toBeGreaterThan(1);
    const reset = ['sandbox.reset', { number: 1, seed: 7 }];
    const after = async (cursor: string) => page(await get(cursor, test_)).events.map(({ kind, data }) => [kind, data]);
    expect(await after(`?cursor=${before}`)).toEqual([reset]);
    const all = mandates.map(({ kind, data }) => [kind, data]);
    expect(await after('')).toEqual([...all, reset]);
    expect(await after(`?cursor=${first}`)).toEqual([...all.slice(1), reset]);
  });

  test('of somebody who is behind go on while their sandbox is being reset', async () => {
    const test_ = brand.sandbox['full'] ?? '';
    const { sandbox } = brand.workspaces;
    await edge.shell.store.db.collection('feed').deleteMany({ ws: sandbox });
    const behind = page(await get('?cursor=latest', test_)).next;
    for (const id of [randomUUID(), randomUUID()]) await arrive(plan(id, 1, { workspace: sandbox }));
    await edge.deps.feed.clear(sandbox, await edge.shell.store.now());
    expect(page(await get(`?cursor=${behind}`, test_)).events).toEqual([]);
  });

  describe('as a stream', () => {
    test('begin after Last-Event-ID and go on as they happen', async () => {
      const id = randomUUID();
      await arrive(plan(id, 1));
      const stream = await open(`?cursor=${start}`);
      expect([stream.status, stream.type]).toEqual([200, 'text/event-stream']);
      expect(['cache-control', 'x-accel-buffering'].map((name) => stream.headers.get(name))).toEqual([
        'no-store',
        'no',
      ]);
      const first = await stream.next();
      expect(first).toMatchObject({ event: 'plan.changed', data: { version: 1, aggregate: { id } } });
      await stream.close();

      await arrive(plan(id, 2));
      const again = await open(`?cursor=${start}`, { 'last-event-id': first.id });
      expect((await again.next()).data).toMatchObject({ version: 2 });
      await until(() => edge.deps.feedWatch.waiting === 1);
      await arrive(plan(id, 3));
      await edge.deps.feedWatch.look();
      expect((await again.next()).data).toMatchObject({ version: 3 });
      await again.close();
    });

    test.each(['nothing', 'x'.repeat(121)])('name the header of a wrong Last-Event-ID', async (id) => {
      const answer = await ask(edge.url, '/api/v1/events/stream', { key, headers: { 'last-event-id': id } });
      expect([answer.status, errorOf(answer).fields]).toEqual([400, ['Last-Event-ID']]);
      expect(JSON.stringify(answer.json)).toContain('malformed: Last-Event-ID.');
    });

    test('cost one unit of the minute', async () => {
      edge.counters.reset();
      const left = async () => Number((await get()).headers.get('ratelimit-remaining'));
      const before = await left();
      const stream = await open(`?cursor=${start}`);
      await stream.close();
      expect(before - (await left())).toBe(2);
    });

    test('that had no event says where it was, so that a client that began with the latest misses nothing', async () => {
      const stream = await open('?cursor=latest&seconds=1');
      const id = await stream.lastId();
      expect(id).not.toBe('');
      const missed = randomUUID();
      await arrive(plan(missed, 1));
      const again = await open('?cursor=latest', { 'last-event-id': id });
      expect(await again.next()).toMatchObject({ data: { aggregate: { id: missed } } });
      await again.close();
    });

    test('are few per key, and one that ends makes room', async () => {
      const streams = await Promise.all([1, 2, 3, 4].map(() => open(`?cursor=${start}`)));
      expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const refused = await ask(edge.url, '/api/v1/events/stream', { key });
      const { details } = errorOf(refused);
      expect([refused.status, details['reason'], details['scope'], details['limit']]).toEqual([
        429,
        'stream_limit',
        'key',
        4,
      ]);
      expect(await streamsLeft()).toMatchObject({ limit: 4, left: 0, resets_at: details['resets_at'] });
      await streams[0]?.close();
      await until(async () => (await streamsLeft())?.left === 1);
      await until(async () => {
        const next = await open(`?cursor=${start}`);
        if (next.status !== 200) return false;
        await next.close();
        return true;
      });
      await Promise.all(streams.slice(1).map((one) => one.close()));
    });

    test('end before the next event when the key was revoked', async () => {
      const stream = await open(`?cursor=${start}`);
      await until(() => edge.deps.feedWatch.waiting === 1);
      const row = await edge.deps.keys.byKeyId(ws, brand.ids['full'] ?? '');
      await edge.deps.keys.apply({ kind: 'revoked', ws, key_ids: [row?.key_id ?? ''], at: new Date(0) });
      await arrive(plan(randomUUID(), 1));
      await edge.deps.feedWatch.look();
      expect(await stream.first()).toBe('');
    });

    test('are few per session of a person, apart from those of keys and of other sessions', async () => {
      const [person, other] = [await signIn(edge, brand, 'viewer'), await signIn(edge, brand, 'viewer')];
      const headers = { authorization: '', cookie: person.cookie };
      const streams = await Promise.all([1, 2, 3, 4].map(() => open(`?cursor=${start}`, headers)));
      expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const refused = await ask(edge.url, '/api/v1/events/stream', { cookie: person.cookie });
      const { details } = errorOf(refused);
      expect([refused.status, details]).toMatchObject([429, { reason: 'stream_limit', scope: 'session', limit: 4 }]);

      const whole = { limit: 4, left: 4, resets_at: null };
      expect(await streamsLeft({ cookie: person.cookie })).toMatchObject({
        scope: 'session',
        limit: 4,
        left: 0,
        resets_at: details['resets_at'],
      });
      expect(await streamsLeft({ cookie: other.cookie })).toMatchObject({ scope: 'session', ...whole });
      expect(await streamsLeft()).toMatchObject({ scope: 'key', ...whole });
      await Promise.all(streams.map((one) => one.close()));
      await until(async () => (await streamsLeft({ cookie: person.cookie }))?.left === 4);
    });

    const streamsLeft = async (by: { key?: string; cookie?: string } = { key }) => {
      for (const name of ['read_limits', 'start_limits']) edge.answer(name, () => ({ limits: [] }));
      edge.answer('keys_spent', () => ({ spent: [] }));
      const { json } = await ask(edge.url, '/api/v1/limits', by);
      return (json as Output<'limits_get'>).limits.find(({ name }) => name === 'stream_limit');
    };

    /** Follows the stream of a caller, changes something, and returns what is sent of the next event. */
    const sentAfter = async (headers: Record<string, string>, change: () => Promise<unknown>): Promise<string> => {
      await until(() => edge.deps.feedWatch.waiting === 0);
      const stream = await open('?cursor=latest', headers);
      expect(stream.status).toBe(200);
      await until(() => edge.deps.feedWatch.waiting === 1);
      await change();
      await arrive(plan(randomUUID(), 1));
      await edge.deps.feedWatch.look();
      const sent = await stream.first();
      await stream.close();
      return sent;
    };
    const nothing = async () => undefined;

    test.each<[what: string, role: 'owner' | 'viewer', change: (session: SignedIn) => Promise<unknown>]>([
      [
        'their session was ended',
        'viewer',
        ({ cookie }) => ask(edge.url, '/api/brand/session', { method: 'DELETE', cookie }),
      ],
      [
        'their session has expired',
        'viewer',
        ({ person_id }) =>
          edge.people.sessions.rows.updateMany({ person_id }, { $set: { expires_at: new Date(Date.now() - 60_000) } }),
      ],
      [
        'they were removed from the brand',
        'viewer',
        ({ person_id }) => edge.shell.store.db.collection('members').deleteMany({ person_id }),
      ],
      [
        'their session is in another workspace',
        'owner',
        ({ cookie }) =>
          ask(edge.url, '/api/brand/session/workspace', {
            method: 'PUT',
            cookie,
            headers: { 'idempotency-key': randomUUID() },
            body: { workspace: brand.workspaces.sandbox },
          }),
      ],
      [
        'their role was lowered',
        'owner',
        ({ person_id }) =>
          edge.shell.store.db.collection('members').updateMany({ person_id }, { $set: { role: 'viewer' } }),
      ],
    ])('of a person end before the next event when %s', async (_what, role, change) => {
      const person = await signIn(edge, brand, role);
      const headers = { authorization: '', cookie: person.cookie };
      expect(await sentAfter(headers, nothing)).toContain('event: plan.changed');
      expect(await sentAfter(headers, () => change(person))).toBe('');
    });

    test('of a client end before the next event when its sign-in was ended', async () => {
      const { headers, end } = await byClient();
      expect(await sentAfter(headers, nothing)).toContain('event: plan.changed');
      expect(await sentAfter(headers, end)).toBe('');
    });

    test.each<[what: string, change: (parent: string) => Promise<unknown>]>([
      ['lost a scope', () => keyWith(['campaigns:read'])],
      ['has expired', (key_id) => edge.changeKeys({ key_id }, { expires_at: new Date(Date.now() - 60_000) })],
    ])('of a child key end before the next event when its parent %s', async (_what, change) => {
      const headers = await byChildKey();
      expect(await sentAfter(headers, nothing)).toContain('event: plan.changed');
      expect(await sentAfter(headers, () => change(brand.ids['full'] ?? ''))).toBe('');
    });

    const byChildKey = async (): Promise<Record<string, string>> => {
      await edge.changeKeys({ key_id: brand.ids['full'] }, { may_delegate: true });
      const made = await ask(edge.url, '/api/v1/keys/children', {
        method: 'POST',
        key,
        headers: { 'idempotency-key': randomUUID() },
        body: {
          name: 'helper',
          scopes: ['campaigns:read', 'results:read'],
          expires_at: new Date(Date.now() + 86_400_000).toISOString(),
        },
      });
      expect(made.status).toBe(201);
      return { authorization: `Bearer ${(made.json as { secret: string }).secret}` };
    };
    /** The headers of a client that acts as the brand's key, and the end of its sign-in. */
    const byClient = async () => {
      const owner = await signIn(edge, brand);
      const client = await aClient(edge.url, {}, REST_RESOURCE);
      const tokens = await signedIn(formBrowser(edge.url, owner.cookie), client, brand.ids['full'] ?? '');
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      return { headers, end: () => revoke(client, tokens.refresh_token) };
    };
    const byPerson = async () => ({ authorization: '', cookie: (await signIn(edge, brand, 'viewer')).cookie });

    // Each send asks the database again whether its caller may still read, with as few statements as can tell.
    test.each<[who: string, headersOf: () => Promise<Record<string, string>>, reads: string[]]>([
      ['a key', async () => ({}), ['keys.find']],
      ['a child key', byChildKey, ['keys.find']],
      ['a client', async () => (await byClient()).headers, ['keys.find', 'oauth_grants.aggregate']],
      ['a person', byPerson, ['keys.find', 'members.find', 'sessions.find', 'terms_acceptances.find']],
    ])('of %s read each row of their caller once before they send', async (_who, headersOf, reads) => {
      const ofCaller = new Set(reads.map((one) => one.split('.')[0]));
      const headers = await headersOf();
      const sent = await sentAfter(headers, async () => {
        statements.length = 0;
      });
      expect(sent).toContain('event: plan.changed');
      expect(
        statements.filter((one) => ofCaller.has(one.split('.')[0])).sort((one, other) => one.localeCompare(other)),
      ).toEqual(reads);
    });

    type Sent = { id: string; event: string; data: unknown };
    const open = async (query: string, headers: Record<string, string> = {}) => {
      const gone = new AbortController();
      const response = await fetch(`${edge.url}/api/v1/events/stream${query}`, {
        // An empty one is left out.
        headers: Object.fromEntries(
          Object.entries({ authorization: `Bearer ${key}`, ...headers }).filter(([, value]) => value !== ''),
        ),
        signal: gone.signal,
      });
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      /** Reads the stream to its end, and answers the last id that it had. */
      const lastId = async (): Promise<string> => {
        for (;;) {
          const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
          if (done) return [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';
          text += value;
        }
      };
      const next = async (): Promise<Sent> => {
        for (;;) {
          const end = text.indexOf('\n\n');
          if (end >= 0) {
            const part = text.slice(0, end);
            text = text.slice(end + 2);
            const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1] ?? '';
            if (field('data') !== '')
              return { id: field('id'), event: field('event'), data: JSON.parse(field('data')) };
            continue;
          }
          const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
          if (done) throw new Error('the stream ended');
          text += value;
        }
      };
      /** The first event as it was sent; empty when the stream ended before one. */
      const first = async (): Promise<string> => {
        for (;;) {
          const sent = text.split('\n\n').find((part) => part.includes('\ndata: '));
          if (sent !== undefined) return sent;
          const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
          if (done) return '';
          text += value;
        }
      };
      const close = async () => {
        gone.abort();
        await reader?.cancel().catch(() => undefined);
      };
      const { status, headers: answered } = response;
      return { status, headers: answered, type: answered.get('content-type'), next, first, lastId, close };
    };
  });

  const keyWith = async (scopes: Scope[]): Promise<string> => {
    await edge.changeKeys({ key_id: brand.ids['full'] }, { scopes });
    return key;
  };
});

/** Waits for a condition of this process. */
const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + 10_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('the condition never held');
    await delay(10);
  }
};
