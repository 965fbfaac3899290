import { randomUUID } from 'node:crypto';
import { conflict, DUE_FACT_KINDS, SandboxClock, unavailable } from '@cds/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Brand, type EdgeApp, makeBrand, startEdgeApp } from '../../test/edge-app.js';
import { ask, errorOf, freshKey, type HttpAnswer } from '../../test/http.js';

const DAY = 86_400;

describe('the clock of a sandbox (docs/domain/sandbox.md#sandbox, I64)', () => {
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
    key = brand.sandbox['writer'] ?? '',
    idempotency = freshKey(),
  ): Promise<HttpAnswer> =>
    ask(edge.url, `/api/sandbox/clock${path}`, {
      method: 'POST',
      body,
      key,
      headers: { 'idempotency-key': idempotency },
    });
  const get = async () =>
    SandboxClock.parse((await ask(edge.url, '/api/sandbox/clock', { key: brand.sandbox['reader'] ?? '' })).json);
  const clock = (answer: HttpAnswer) => SandboxClock.parse(answer.json);

  test('starts at the creator network’s time, with what is due next', async () => {
    edge.answer('billing_due', () => ({ pending: [{ kind: 'unpaid_end', due_at: '2027-02-01T00:00:00.000Z' }] }));
    edge.answer('metrics_due', () => ({ pending: [{ kind: 'reading', due_at: '2027-01-01T00:00:00.000Z' }] }));
    expect(await get()).toMatchObject({ offset_seconds: 0, pending: [{ kind: 'reading' }, { kind: 'unpaid_end' }] });
    edge.answer('billing_due', () => ({ pending: [] }));
    edge.answer('metrics_due', () => ({ pending: [] }));
  });

  test('advances for every key of the sandbox, reaches all services, and changes nothing else', async () => {
    const before = edge.sent.length;
    const answer = await post('/advance', { seconds: DAY });
    expect([answer.status, clock(answer).offset_seconds]).toEqual([200, DAY]);
    const calls = edge.sent.slice(before).filter((one) => one.name.endsWith('_clock_set'));
    expect((await get()).offset_seconds).toBe(DAY);

    // Twice: two rounds are needed to see that nothing is left.
    expect(calls).toHaveLength(10);
    expect([...new Set(calls.map((one) => one.name))].sort()).toEqual([
      'billing_clock_set',
      'catalog_clock_set',
      'metrics_clock_set',
      'planning_clock_set',
      'proposals_clock_set',
    ]);
    expect(calls[0]?.input).toEqual({ workspace: brand.workspaces.sandbox, offset_ms: DAY * 1_000 });

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

  test('runs rounds until a whole round handles nothing', async () => {
    let left = 3;
    edge.answer('proposals_clock_set', () => ({ handled: left-- > 0 ? 1 : 0, facts: 0, behind: false }));
    const before = edge.sent.length;
    expect((await post('/advance', { seconds: 1 })).status).toBe(200);
    expect(edge.sent.slice(before).filter((one) => one.name === 'planning_clock_set')).toHaveLength(4);
    edge.answer('proposals_clock_set', () => ({ handled: 0, facts: 0, behind: false }));
  });

  test('runs rounds while any replica emitted an event since the round before', async () => {
    let facts = 3;
    edge.answer('proposals_clock_set', () => ({ handled: 0, facts: facts > 6 ? facts : facts++, behind: false }));
    const before = edge.sent.length;
    expect((await post('/advance', { seconds: 1 })).status).toBe(200);
    expect(edge.sent.slice(before).filter((one) => one.name === 'metrics_clock_set')).toHaveLength(6);
    edge.answer('proposals_clock_set', () => ({ handled: 0, facts: 7, behind: false }));
  });

  test('runs rounds while events are on their way to a service', async () => {
    let left = 2;
    edge.answer('proposals_clock_set', () => ({ handled: 0, facts: 7, behind: left-- > 0 }));
    const before = edge.sent.length;
    expect((await post('/advance', { seconds: 1 })).status).toBe(200);
    expect(edge.sent.slice(before).filter((one) => one.name === 'metrics_clock_set')).toHaveLength(3);
    edge.answer('proposals_clock_set', () => ({ handled: 0, facts: 0, behind: false }));
  });

  test('an unavailable service is 503; the same key resumes the same move and moves once', async () => {
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

  test('moves under ten keys at once add up, and moves under one key count once', async () => {
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

  test('a simulated payment has reached every service before the answer', async () => {
    const order = randomUUID();
    const path = `/api/sandbox/orders/${order}/payment`;
    const before = edge.sent.length;
    const answer = await ask(edge.url, path, {
      method: 'POST',
      body: { outcome: 'paid' },
      key: brand.sandbox['full'] ?? '',
      headers: { 'idempotency-key': freshKey() },
    });
    expect(answer.status).toBe(200);
    const names = edge.sent.slice(before).map((one) => one.name);
    expect(names[0]).toBe('sandbox_order_payment');
    expect(names.filter(isSettling)).toHaveLength(10);
  });

  test('a refused simulation waits for nothing, and an unavailable service does not undo one', async () => {
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

  test('the clock lists events that were still on their way', async () => {
    const before = edge.sent.length;
    await get();
    const names = edge.sent.slice(before).map((one) => one.name);
    expect(names.findIndex(isSettling)).toBe(0);
    expect(names.lastIndexOf('planning_clock_set')).toBeLessThan(names.indexOf('billing_due'));
  });

  test('jumps to midnight, to a later instant and to what is due', async () => {
    expect(clock(await post('/jump', { to: 'midnight' })).now).toMatch(/T00:00:00\.000Z$/);
    const year = new Date().getUTCFullYear() + 1;
    expect(clock(await post('/jump', { to: `${year}-01-01T01:00:00+01:00` })).now).toBe(`${year}-01-01T00:00:00.000Z`);
    edge.answer('proposals_due', () => ({
      pending: [{ kind: 'proposal_expiry', due_at: '2031-02-03T04:05:06.789Z' }],
    }));
    expect(clock(await post('/jump', { to: 'proposal_expiry' })).now).toBe('2031-02-03T04:05:06.789Z');
    edge.answer('proposals_due', () => ({ pending: [] }));
  });

  test.each(DUE_FACT_KINDS)('every kind that the sandbox lists is a target: %s', async (to) => {
    const answer = await post('/jump', { to });
    expect(answer.status === 200 || errorOf(answer).details['reason'] === 'nothing_due').toBe(true);
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
    const answer = await post('/jump', body);
    expect([answer.status, errorOf(answer).details]).toEqual([status, details]);
  });

  test.each([
    ['next', 'Nothing is due in this sandbox. Advance the clock by seconds instead.'],
    ['reading', 'Nothing of the kind reading is due in this sandbox. Advance the clock by seconds instead.'],
  ])('a jump to %s says what is not due', async (to, message) => {
    expect((await post('/jump', { to })).json).toMatchObject({ error: { message } });
  });

  test('an instant goes as far as seconds do: 366 days, which the refusal of a further one names', async () => {
    const days = async (count: number) => new Date(Date.parse((await get()).now) + count * DAY * 1_000).toISOString();
    const far = await post('/advance', { to: await days(367) });
    expect([far.status, errorOf(far).details]).toEqual([
      422,
      { problems: [{ field: 'to', message: expect.stringMatching(/^must be at most 366 days ahead: 20/) }] },
    ]);
    expect((await get()).offset_seconds).toBe(0);
    expect((await post('/advance', { to: await days(365) })).status).toBe(200);
  });

  test.each([0, -1, 1.5, 31_622_401, '10'])('%j seconds are 422', async (seconds) => {
    expect((await post('/advance', { seconds })).status).toBe(422);
  });
});
