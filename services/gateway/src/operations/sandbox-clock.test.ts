import { randomUUID } from 'node:crypto';
import { conflict, SandboxClock, unavailable } from '@cds/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Brand, type EdgeApp, makeBrand, startEdgeApp } from '../test/edge-app.js';
import { ask, errorOf, freshKey, type Heard } from '../test/http.js';

const DAY = 86_400;

describe('the clock of a sandbox (domain 4-doors 7, I64)', () => {
  let edge: EdgeApp;
  let brand: Brand;
  beforeAll(async () => {
    edge = await startEdgeApp('gateway_clock');
  });
  afterAll(() => edge.stop());
  beforeEach(async () => {
    brand = await makeBrand(edge);
  });

  const post = (
    path: string,
    body: unknown,
    key = brand.sandbox['narrow'] ?? '',
    idempotency = freshKey(),
  ): Promise<Heard> =>
    ask(edge.url, `/api/sandbox/clock${path}`, {
      method: 'POST',
      body,
      key,
      headers: { 'idempotency-key': idempotency },
    });
  const get = async () =>
    SandboxClock.parse((await ask(edge.url, '/api/sandbox/clock', { key: brand.sandbox['reader'] ?? '' })).json);
  const clock = (heard: Heard) => SandboxClock.parse(heard.json);

  test('begins at the network’s time, with what is due next', async () => {
    edge.answer('billing_due', () => ({ pending: [{ kind: 'unpaid_end', due_at: '2027-02-01T00:00:00.000Z' }] }));
    edge.answer('metrics_due', () => ({ pending: [{ kind: 'reading', due_at: '2027-01-01T00:00:00.000Z' }] }));
    expect(await get()).toMatchObject({ offset_seconds: 0, pending: [{ kind: 'reading' }, { kind: 'unpaid_end' }] });
    edge.answer('billing_due', () => ({ pending: [] }));
    edge.answer('metrics_due', () => ({ pending: [] }));
  });

  test('advances for every key of the sandbox, tells all services, and touches nothing else', async () => {
    const before = edge.sent.length;
    const heard = await post('/advance', { seconds: DAY });
    expect([heard.status, clock(heard).offset_seconds]).toEqual([200, DAY]);
    const told = edge.sent.slice(before).filter((one) => one.name.endsWith('_clock_set'));
    expect((await get()).offset_seconds).toBe(DAY);

    // Twice: that a round handled nothing shows only beside the one before it.
    expect(told).toHaveLength(10);
    expect([...new Set(told.map((one) => one.name))].sort()).toEqual([
      'billing_clock_set',
      'catalog_clock_set',
      'metrics_clock_set',
      'planning_clock_set',
      'proposals_clock_set',
    ]);
    expect(told[0]?.input).toEqual({ workspace: brand.workspaces.sandbox, offset_ms: DAY * 1_000 });

    const { db } = edge.shell.store;
    expect(await db.collection('keys').countDocuments({ ws: brand.workspaces.sandbox, offset_ms: DAY * 1_000 })).toBe(
      7,
    );
    expect(await db.collection('keys').countDocuments({ ws: brand.workspaces.live, offset_ms: 0 })).toBe(7);
    expect(await db.collection('outbox').findOne({ aggregate: brand.workspaces.sandbox })).toMatchObject({
      subject: 'evt.gateway.clock.set',
      version: 1,
      payload: { offset_ms: DAY * 1_000 },
    });
  });

  test('asks round until a whole round handles nothing', async () => {
    let left = 3;
    edge.answer('proposals_clock_set', () => ({ handled: left-- > 0 ? 1 : 0, facts: 0, behind: false }));
    const before = edge.sent.length;
    expect((await post('/advance', { seconds: 1 })).status).toBe(200);
    expect(edge.sent.slice(before).filter((one) => one.name === 'planning_clock_set')).toHaveLength(4);
    edge.answer('proposals_clock_set', () => ({ handled: 0, facts: 0, behind: false }));
  });

  test('asks round while any replica told something since the round before', async () => {
    let facts = 3;
    edge.answer('proposals_clock_set', () => ({ handled: 0, facts: facts > 6 ? facts : facts++, behind: false }));
    const before = edge.sent.length;
    expect((await post('/advance', { seconds: 1 })).status).toBe(200);
    expect(edge.sent.slice(before).filter((one) => one.name === 'metrics_clock_set')).toHaveLength(6);
    edge.answer('proposals_clock_set', () => ({ handled: 0, facts: 7, behind: false }));
  });

  test('asks round while facts are under way to a service', async () => {
    let left = 2;
    edge.answer('proposals_clock_set', () => ({ handled: 0, facts: 7, behind: left-- > 0 }));
    const before = edge.sent.length;
    expect((await post('/advance', { seconds: 1 })).status).toBe(200);
    expect(edge.sent.slice(before).filter((one) => one.name === 'metrics_clock_set')).toHaveLength(3);
    edge.answer('proposals_clock_set', () => ({ handled: 0, facts: 0, behind: false }));
  });

  test('a service that is away is 503; the same key takes up the same move and moves once', async () => {
    edge.answer('metrics_clock_set', () => {
      throw unavailable('m');
    });
    const key = freshKey();
    expect((await post('/advance', { seconds: DAY }, brand.sandbox['full'], key)).status).toBe(503);
    edge.answer('metrics_clock_set', () => ({ handled: 0, facts: 0, behind: false }));
    const again = await post('/advance', { seconds: DAY }, brand.sandbox['full'], key);
    expect([again.status, clock(again).offset_seconds]).toEqual([200, DAY]);
    const replayed = await post('/advance', { seconds: DAY }, brand.sandbox['full'], key);
    expect([replayed.text, replayed.headers.get('idempotent-replayed')]).toEqual([again.text, 'true']);
    expect((await get()).offset_seconds).toBe(DAY);
  });

  test('ten at once under different keys add up; under one key they are one', async () => {
    await Promise.all(Array.from({ length: 5 }, () => post('/advance', { seconds: 10 })));
    expect((await get()).offset_seconds).toBe(50);
    const key = freshKey();
    const same = await Promise.all(
      Array.from({ length: 5 }, () => post('/advance', { seconds: 10 }, brand.sandbox['full'], key)),
    );
    expect(same.map((one) => one.status).every((status) => status === 200 || status === 409)).toBe(true);
    expect((await get()).offset_seconds).toBe(60);
  });

  const isSettling = (name: string) => name.endsWith('_clock_set');

  test('what a played payment caused has arrived in every service when it is answered', async () => {
    const order = randomUUID();
    const path = `/api/sandbox/orders/${order}/payment`;
    const before = edge.sent.length;
    const heard = await ask(edge.url, path, {
      method: 'POST',
      body: { outcome: 'paid' },
      key: brand.sandbox['full'] ?? '',
      headers: { 'idempotency-key': freshKey() },
    });
    expect(heard.status).toBe(200);
    const names = edge.sent.slice(before).map((one) => one.name);
    expect(names[0]).toBe('sandbox_order_payment');
    expect(names.filter(isSettling)).toHaveLength(10);
  });

  test('a refused play settles nothing, and a service that is away does not undo a play', async () => {
    const play = (answer: () => unknown) => {
      edge.answer('sandbox_line_answer', answer);
      return ask(edge.url, `/api/sandbox/lines/${randomUUID()}/answer`, {
        method: 'POST',
        body: { answer: 'accept' },
        key: brand.sandbox['full'] ?? '',
        headers: { 'idempotency-key': freshKey() },
      });
    };
    const before = edge.sent.length;
    const refused = await play(() => {
      throw conflict('no_open_proposal', 'n');
    });
    expect(refused.status).toBe(409);
    expect(edge.sent.slice(before).map((one) => one.name)).toEqual(['sandbox_line_answer']);

    edge.answer('metrics_clock_set', () => {
      throw unavailable('m');
    });
    expect((await play(() => ({}))).status).toBe(200);
    edge.answer('metrics_clock_set', () => ({ handled: 0, facts: 0, behind: false }));
  });

  test('the clock lists facts that were still on their way', async () => {
    const before = edge.sent.length;
    await get();
    const names = edge.sent.slice(before).map((one) => one.name);
    expect(names.findIndex(isSettling)).toBe(0);
    expect(names.lastIndexOf('planning_clock_set')).toBeLessThan(names.indexOf('billing_due'));
  });

  test('jumps to midnight, to a later instant and to what is due', async () => {
    expect(clock(await post('/jump', { to: 'midnight' })).now).toMatch(/T00:00:00\.000Z$/);
    expect(clock(await post('/jump', { to: '2031-01-01T01:00:00+01:00' })).now).toBe('2031-01-01T00:00:00.000Z');
    edge.answer('proposals_due', () => ({
      pending: [{ kind: 'proposal_expiry', due_at: '2031-02-03T04:05:06.789Z' }],
    }));
    expect(clock(await post('/jump', { to: 'proposal_expiry' })).now).toBe('2031-02-03T04:05:06.789Z');
    edge.answer('proposals_due', () => ({ pending: [] }));
  });

  test.each([
    ['nothing of the kind is due', { to: 'reading' }, 409, { reason: 'nothing_due' }],
    [
      'an instant that is not later',
      { to: '2020-01-01T00:00:00Z' },
      422,
      { problems: [{ field: 'to', message: expect.any(String) }] },
    ],
    ['no instant and no kind', { to: 'tomorrow' }, 422, { problems: [{ field: 'to', message: expect.any(String) }] }],
  ])('a jump is refused: %s', async (_name, body, status, details) => {
    const heard = await post('/jump', body);
    expect([heard.status, errorOf(heard).details]).toEqual([status, details]);
  });

  test.each([0, -1, 1.5, 31_622_401, '10'])('%j seconds are 422', async (seconds) => {
    expect((await post('/advance', { seconds })).status).toBe(422);
  });

  test('a live workspace is 403', async () => {
    expect((await post('/advance', { seconds: 1 }, brand.live['full'])).status).toBe(403);
  });
});
