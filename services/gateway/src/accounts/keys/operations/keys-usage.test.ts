import { randomUUID } from 'node:crypto';
import { type Output, RequestLog as RequestLogPage, UsageByDay } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { RequestLog } from '../../../edge/request-log.js';
import type { LogRow } from '../../../edge/store/request-log.js';
import { type Brand, type EdgeApp, makeBrand, startEdgeApp, startReplica } from '../../../test/edge-app.js';
import { ask, errorOf, freshKey } from '../../../test/http.js';
import { signIn } from '../../../test/people.js';

type Days = { range_days: number; days: { day: string; ok: number; errors: number }[]; total: number; errors: number };
type Page = Extract<Output<'keys_usage'>, { requests: unknown }>;

const DAY_MS = 86_400_000;

/** GET /api/keys/usage, and the rows behind it (docs/domain/requests.md#usage; I52). */
describe('the usage of keys', () => {
  let edge: EdgeApp;
  let brand: Brand;
  beforeAll(async () => {
    edge = await startEdgeApp('gateway_usage');
  });
  afterAll(() => edge.stop());
  beforeEach(async () => {
    brand = await makeBrand(edge);
  });

  const key = (name: string): string => brand.live[name] ?? '';
  const idOf = (name: string): string => brand.ids[name] ?? '';
  const usage = (query: string, by = key('muted')) => ask(edge.url, `/api/keys/usage?${query}`, { key: by });
  const days = async (query = 'days=7'): Promise<Days> => (await usage(query)).json as Days;
  const page = async (query = ''): Promise<Page> => (await usage(query)).json as Page;
  const rowOf = async (requestId: string) => {
    await edge.flushLog();
    return (await page('limit=200')).requests.find((row) => row.request_id === requestId);
  };

  test('counts each answered request of a key once, errors apart, under today, over the whole range', async () => {
    proves('usage.by-day', 'usage.zero-days', 'usage.totals', 'usage.ranges');
    for (const path of ['inventory', 'campaigns', 'inventory?x=1', 'campaigns?include_archived=no'])
      await ask(edge.url, `/api/v1/${path}`, { key: key('full') });
    await ask(edge.url, '/api/v1/campaigns', { key: key('narrow') });
    const full = key('full');
    await ask(edge.url, '/api/v1/inventory', { key: `${full.slice(0, -1)}${full.endsWith('0') ? '1' : '0'}` });
    await ask(edge.url, '/api/v1/nothing-here', { key: key('full') });
    await edge.flushLog();
    for (const range of [7, 30, 90]) {
      const answer = await usage(`days=${range}&key_id=${idOf('full')}`);
      expect(UsageByDay.safeParse(answer.json).error).toBeUndefined();
      const { range_days, days: all, total, errors } = answer.json as Days;
      expect([range_days, all.length, total, errors]).toEqual([range, range, 4, 2]);
      const today = (await edge.shell.store.now()).getTime();
      expect(all.map(({ day }) => day)).toEqual(
        all.map((_one, at) => new Date(today - (range - 1 - at) * DAY_MS).toISOString().slice(0, 10)),
      );
      expect(all.at(-1)).toMatchObject({ ok: 2, errors: 2 });
      expect(all.slice(0, -1).every(({ ok, errors: bad }) => ok === 0 && bad === 0)).toBe(true);
    }
    expect(await days(`days=7&key_id=${idOf('narrow')}`)).toMatchObject({ total: 1, errors: 1 });
    expect(await days(`days=7&key_id=${idOf('writer')}`)).toMatchObject({ total: 0, errors: 0 });
  });

  test('a row says what happened, without query values, bodies or ids', async () => {
    proves('usage.log');
    const secretive = 'x-secret-value-1';
    await ask(edge.url, `/api/v1/creators/${secretive}?q=${secretive}`, {
      key: key('full'),
      headers: { 'x-request-id': 'req-of-the-row' },
    });
    const row = await rowOf('req-of-the-row');
    expect(row).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      key_id: idOf('full'),
      key_name: 'full',
      door: 'rest',
      operation: 'creator_get',
      method: 'GET',
      path: '/api/v1/creators/{id}',
      status: 400,
      code: 'bad_request',
      reason: null,
      duration_ms: expect.any(Number),
      request_id: 'req-of-the-row',
    });
    const stored = JSON.stringify(await edge.shell.store.db.collection('request_log').find().toArray());
    expect(stored).not.toContain(secretive);
  });

  test('a tool call counts by its own status, with its operation and reason', async () => {
    const call = (name: string, args: object, requestId: string, by = key('full')) =>
      ask(edge.url, '/api/mcp', {
        method: 'POST',
        key: by,
        headers: { 'x-request-id': requestId },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      });
    expect((await call('campaign_status', { id: 'x' }, 'tool-wrong-id')).status).toBe(200);
    expect(await rowOf('tool-wrong-id')).toMatchObject({
      door: 'mcp',
      operation: 'campaign_status',
      path: '/api/mcp',
      status: 400,
      code: 'bad_request',
    });
    await call('inventory', {}, 'tool-that-works');
    expect(await rowOf('tool-that-works')).toMatchObject({ status: 200, code: null });
    await call('campaign_status', { id: randomUUID() }, 'tool-no-scope', key('narrow'));
    expect(await rowOf('tool-no-scope')).toMatchObject({ status: 403, code: 'forbidden', key_name: 'narrow' });
    expect(await days(`days=7&key_id=${idOf('full')}`)).toMatchObject({ total: 2, errors: 1 });
  });

  test('a person counts under the own agent key, by the app', async () => {
    const { cookie } = await signIn(edge, brand, 'viewer');
    const headers = { 'x-request-id': 'by-a-person' };
    expect((await ask(edge.url, '/api/v1/inventory', { cookie, headers })).status).toBe(200);
    await ask(edge.url, '/api/brand/me', { cookie });
    await edge.flushLog();
    const own = (await edge.deps.keys.own(brand.workspaces.live))?.key_id ?? '';
    expect(await rowOf('by-a-person')).toMatchObject({ door: 'app', key_id: own, key_name: 'app', status: 200 });
    expect(await days(`days=7&key_id=${own}`)).toMatchObject({ total: 1 });
    expect((await ask(edge.url, '/api/keys/usage?days=7', { cookie })).json).toMatchObject({ range_days: 7 });
  });

  test('a busy day keeps 300 rows of a key for 90 days and 10,000 for two; every request still counts', async () => {
    const rowsOf = edge.shell.store.db.collection<{ key_id: string; at: Date; expires_at?: Date }>('request_log');
    const lived = async () => {
      await edge.flushLog();
      const rows = await rowsOf.find({ key_id: idOf('full') }).toArray();
      return rows
        .map(({ at, expires_at: end }) => end && (end.getTime() - at.getTime()) / DAY_MS)
        .sort((a = 0, b = 0) => a - b);
    };
    const used = (ok: number) =>
      edge.shell.store.db.collection('usage_days').updateOne({ key_id: idOf('full') }, { $set: { ok, errors: 0 } });
    const send = () => ask(edge.url, '/api/v1/inventory', { key: key('full') });
    await send();
    expect(await lived()).toEqual([undefined]);
    await used(299);
    await Promise.all([send(), send()]);
    expect(await lived()).toEqual([2, undefined, undefined]);
    await used(9_999);
    await Promise.all([send(), send(), send()]);
    expect(await lived()).toEqual([2, 2, undefined, undefined]);
    expect(await days(`days=7&key_id=${idOf('full')}`)).toMatchObject({ total: 10_002 });
  });

  test('refusals after authentication count, a 429 and a suspension included', async () => {
    const answers = await Promise.all(
      Array.from({ length: 70 }, () => ask(edge.url, '/api/v1/inventory', { key: key('bare') })),
    );
    await edge.flushLog();
    const refused = answers.filter(({ status }) => status === 429).length;
    expect(await days(`days=7&key_id=${idOf('bare')}`)).toMatchObject({ total: 70, errors: refused });
    await edge.changeKeys({ key_id: idOf('writer') }, { suspended: true });
    await ask(edge.url, '/api/v1/inventory', { key: key('writer') });
    await edge.flushLog();
    expect(await days(`days=7&key_id=${idOf('writer')}`)).toMatchObject({ total: 1, errors: 1 });
  });

  test('three gateways together count exactly, and a page after page shows each row once', async () => {
    const others = [await startReplica(edge), await startReplica(edge)];
    const all = [edge, ...others];
    const names = ['full', 'reader', 'writer'];
    /** On a busy machine a key may not be read in time. That 503 belongs to no key, so it is not counted. */
    const answered = async (url: string, name: string): Promise<void> => {
      let status = 503;
      while (status === 503) ({ status } = await ask(url, '/api/v1/inventory', { key: key(name) }));
      expect(status).toBe(200);
    };
    await Promise.all(
      Array.from({ length: 120 }, async (_none, at) => {
        await answered(all[at % 3]?.url ?? '', names[Math.floor(at / 3) % 3] ?? '');
        if (at % 10 === 0) await all[at % 3]?.flushLog();
      }),
    );
    await Promise.all(all.map((one) => one.flushLog()));
    expect(await days()).toMatchObject({ total: 120, errors: 0 });

    const seen: string[] = [];
    let next = '';
    do {
      const read = await page(`limit=50${next}`);
      expect(RequestLogPage.safeParse(read).error).toBeUndefined();
      seen.push(...read.requests.filter((row) => row.operation === 'inventory').map((row) => row.id));
      expect(read.requests.map(({ at }) => at)).toEqual(
        read.requests
          .map(({ at }) => at)
          .sort()
          .reverse(),
      );
      next = read.next === null ? '' : `&cursor=${read.next}`;
    } while (next !== '');
    expect([seen.length, new Set(seen).size]).toEqual([120, 120]);
    for (const other of others) await other.stop();
  });

  test('is of the workspace alone: another’s key is 404, as an unknown one, and a revoked one is still counted', async () => {
    const other = await makeBrand(edge);
    await ask(edge.url, '/api/v1/inventory', { key: key('reader') });
    await edge.flushLog();
    const foreign = await usage(`days=7&key_id=${other.ids['full']}`);
    expect(foreign.status).toBe(404);
    expect((await usage(`key_id=${randomUUID()}`)).json).toEqual(foreign.json);
    const elsewhere = await ask(edge.url, '/api/keys/usage?days=7', { key: other.live['full'] ?? '' });
    expect(elsewhere.json).toMatchObject({ total: 0 });
    await edge.deps.keys.apply({
      kind: 'revoked',
      ws: brand.workspaces.live,
      key_ids: [idOf('reader')],
      at: new Date(),
    });
    expect(await days(`days=7&key_id=${idOf('reader').toUpperCase()}`)).toMatchObject({ total: 1 });
  });

  test.each([
    ['days=8', ['days']],
    ['days=0', ['days']],
    ['days=7.0', ['days']],
    ['days=7&days=7', ['days']],
    ['days=7&limit=5', ['limit']],
    ['days=7&cursor=x', ['cursor']],
    ['days=7&limit=5&cursor=x', ['limit', 'cursor']],
    ['limit=0', ['limit']],
    ['limit=201', ['limit']],
    ['cursor=x', ['cursor']],
    ['key_id=x', ['key_id']],
    ['page=2', ['page']],
  ])('%s is 400', async (query, fields) => {
    const answer = await usage(query);
    expect([answer.status, errorOf(answer).fields]).toEqual([400, fields]);
  });

  describe('the rows, when the database misbehaves', () => {
    const row = (at: Date): LogRow => ({
      _id: randomUUID(),
      at,
      ws: brand.workspaces.live,
      key_id: idOf('full'),
      transport: 'rest',
      operation: null,
      method: 'GET',
      path: '/',
      status: 200,
      code: null,
      reason: null,
      duration_ms: 1,
      request_id: 'request-id',
    });
    const exchangeOf = ({ _id, at, ws, key_id }: LogRow) =>
      ({
        attemptId: _id,
        account: { workspace: ws, keyId: key_id, transport: 'rest', at },
        operation: '',
        method: 'GET',
        route: '/',
        startedAt: 0,
        requestId: 'request-id',
      }) as never;

    test('a commit whose answer is lost is not counted again, and what came meanwhile is', async () => {
      const { store, log } = edge.shell;
      const session = store.session.bind(store);
      const losing = Object.create(store, {
        session: {
          value: () => {
            const open = session();
            const commit = open.commitTransaction.bind(open);
            open.commitTransaction = async () => {
              losing.session = session;
              await commit();
              throw new Error('the answer was lost');
            };
            return open;
          },
          writable: true,
        },
      }) as typeof store;
      const lines = new RequestLog(losing, edge.deps.requestLog, edge.deps.usage, log);
      const answered = { status: 200, headers: {}, body: '', code: 'ok' };
      lines.add(exchangeOf(row(new Date())), answered);
      lines.add(exchangeOf(row(new Date())), answered);
      await expect(lines.flush()).rejects.toThrow('the answer was lost');
      lines.add(exchangeOf(row(new Date())), answered);
      await lines.flush();
      await lines.flush();
      expect(await days(`days=7&key_id=${idOf('full')}`)).toMatchObject({ total: 3 });
    });

    test('while a write takes long, no tick waits behind it, and the stop writes the rest', async () => {
      const { store, log } = edge.shell;
      let answer = (): void => undefined;
      const answered = new Promise<void>((resolve) => {
        answer = resolve;
      });
      const stored: string[] = [];
      const slow = {
        insert: async (_tx: unknown, batch: readonly LogRow[]) => {
          await answered;
          stored.push(...batch.map(({ _id }) => _id));
        },
      };
      const lines = new RequestLog(store, slow, { count: async () => [] }, log);
      const flush = jest.spyOn(lines, 'flush');
      const [one, two] = [row(new Date()), row(new Date())];
      const ok = { status: 200, headers: {}, body: '', code: 'ok' };
      lines.add(exchangeOf(one), ok);
      lines.start();
      await new Promise((resolve) => setTimeout(resolve, 3_300));
      expect(flush).toHaveBeenCalledTimes(1);
      lines.add(exchangeOf(two), ok);
      const stopped = lines.stop();
      answer();
      await stopped;
      expect(stored).toEqual([one._id, two._id]);
    });

    test('a day ends at midnight UTC of the database', async () => {
      const lines = new RequestLog(edge.shell.store, edge.deps.requestLog, edge.deps.usage, edge.shell.log);
      const midnight = new Date(new Date().toISOString().slice(0, 10)).getTime();
      for (const ms of [-1, 0])
        lines.add(exchangeOf(row(new Date(midnight + ms))), { status: 404, headers: {}, body: '', code: 'x' });
      await lines.stop();
      const { days: all } = await days(`days=7&key_id=${idOf('full')}`);
      expect(all.slice(-2)).toMatchObject([{ errors: 1 }, { errors: 1 }]);
    });
  });

  test('last_used_at of a key is the time of its last request', async () => {
    await ask(edge.url, '/api/v1/feedback', {
      method: 'POST',
      key: key('reader'),
      headers: { 'idempotency-key': freshKey() },
    });
    await edge.flushLog();
    const { cookie } = await signIn(edge, brand, 'admin');
    const listed = (await ask(edge.url, '/api/brand/keys', { cookie })).json as {
      keys: { name: string; last_used_at: string | null }[];
    };
    const of = (name: string) => listed.keys.find((one) => one.name === name)?.last_used_at;
    expect(of('reader')).toBe((await page(`key_id=${idOf('reader')}&limit=1`)).requests[0]?.at);
    expect(of('writer')).toBeNull();
  });
});
