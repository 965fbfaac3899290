import { randomUUID } from 'node:crypto';
import type { SandboxFault } from '@cds/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Brand, type EdgeApp, makeBrand, startEdgeApp, startReplica } from '../../test/edge-app.js';
import { ask, errorOf, freshKey, type HttpAnswer } from '../../test/http.js';

describe('faults of a sandbox (docs/domain/sandbox.md#faults)', () => {
  let edge: EdgeApp;
  let replica: EdgeApp;
  let brand: Brand;
  const statements: string[] = [];
  beforeAll(async () => {
    edge = await startEdgeApp('gateway_faults');
    replica = await startReplica(edge);
    edge.shell.store.onCommand(({ commandName, command }) => {
      if (command[commandName] === 'faults') statements.push(commandName);
    });
  });
  afterAll(async () => {
    await replica.stop();
    await edge.stop();
  });
  beforeEach(async () => {
    brand = await makeBrand(edge);
  });

  const sandboxKey = (): string => brand.sandbox['full'] ?? '';
  const send = (method: 'POST' | 'DELETE', body: unknown, key = sandboxKey()): Promise<HttpAnswer> =>
    ask(edge.url, '/api/sandbox/faults', { method, body, key, headers: { 'idempotency-key': freshKey() } });
  const arm = async (fault: Record<string, unknown>): Promise<SandboxFault[]> => {
    const answer = await send('POST', fault);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return (answer.json as { items: SandboxFault[] }).items;
  };
  const armed = async (): Promise<SandboxFault[]> =>
    ((await ask(edge.url, '/api/sandbox/faults', { key: sandboxKey() })).json as { items: SandboxFault[] }).items;
  const list = (key = sandboxKey(), url = edge.url): Promise<HttpAnswer> => ask(url, '/api/v1/campaigns', { key });
  const asked = (name: string): number => edge.sent.filter((one) => one.name === name).length;
  const tool = async (name: string, args: Record<string, unknown>) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const answer = await ask(edge.url, '/api/mcp', { method: 'POST', body: message, key: sandboxKey() });
    return (answer.json as { result: { isError?: boolean; _meta: Record<string, unknown> } }).result;
  };

  test('the next calls get it, by REST and MCP, before the service is asked; then the operation answers', async () => {
    await arm({ operation: 'campaigns_list', status: 503, times: 3 });
    const before = asked('campaigns_list');
    const first = await list();
    expect([first.status, first.headers.get('retry-after'), first.json]).toEqual([
      503,
      '1',
      { error: { code: 'unavailable', message: expect.stringContaining('fault'), details: { retry_after: 1 } } },
    ]);
    expect(await tool('campaigns_list', {})).toMatchObject({
      isError: true,
      _meta: { status: 503, error: { code: 'unavailable' } },
    });
    expect((await list(brand.sandbox['reader'])).status).toBe(503);
    expect([asked('campaigns_list'), await armed()]).toEqual([before, []]);
    expect((await list()).status).toBe(200);
  });

  test('a write that gets a 503 has done nothing, and its retry with the same key does the work once', async () => {
    await arm({ operation: 'feedback_send', status: 503, times: 2 });
    const key = freshKey();
    const feedback = edge.shell.store.db.collection('feedback');
    const kept = () => feedback.countDocuments({ ws: brand.workspaces.sandbox });
    const seen: [number, string | null, number][] = [];
    for (let call = 0; call < 4; call += 1) {
      const answer = await ask(edge.url, '/api/v1/feedback', {
        method: 'POST',
        key: sandboxKey(),
        body: { message: 'The plan is good.' },
        headers: { 'idempotency-key': key },
      });
      seen.push([answer.status, answer.headers.get('idempotent-replayed'), await kept()]);
    }
    expect(seen).toEqual([
      [503, null, 0],
      [503, null, 0],
      [201, null, 1],
      [201, 'true', 1],
    ]);
  });

  test('a call that the edge refuses for its own form costs no fault', async () => {
    await arm({ operation: 'campaigns_list', status: 500 });
    expect((await ask(edge.url, '/api/v1/campaigns?colour=red', { key: sandboxKey() })).status).toBe(400);
    expect((await list()).status).toBe(500);
  });

  test('several faults of one operation follow each other, and another operation has its own', async () => {
    await arm({ operation: 'campaigns_list', status: 503, times: 2 });
    await arm({ operation: 'inventory', status: 500 });
    const left = await arm({ operation: 'campaigns_list', status: 429 });
    expect(left.map(({ operation, status, times_left }) => [operation, status, times_left])).toEqual([
      ['campaigns_list', 503, 2],
      ['inventory', 500, 1],
      ['campaigns_list', 429, 1],
    ]);
    const seen = [];
    for (let call = 0; call < 4; call += 1) seen.push((await list()).status);
    expect(seen).toEqual([503, 503, 429, 200]);
    expect((await armed()).map((one) => one.operation)).toEqual(['inventory']);
  });

  test('two gateways share one count', async () => {
    await arm({ operation: 'campaigns_list', status: 503, times: 11 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_none, at) => list(sandboxKey(), at % 2 === 0 ? edge.url : replica.url)),
    );
    expect(answers.filter((one) => one.status === 503)).toHaveLength(11);
    expect(answers.filter((one) => one.status === 200)).toHaveLength(9);
  });

  test('a delay alone makes an answer slow, longer than the request’s own time too', async () => {
    await arm({ operation: 'campaigns_list', delay_ms: 300 });
    const before = performance.now();
    expect((await list()).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThanOrEqual(300);
    await arm({ operation: 'campaigns_list', delay_ms: 150, status: 500 });
    const again = performance.now();
    expect((await list()).status).toBe(500);
    expect(performance.now() - again).toBeGreaterThanOrEqual(150);
  });

  test('DELETE removes all, and a key made afterwards looks for none', async () => {
    await arm({ operation: 'campaigns_list', status: 503, times: 100 });
    const cleared = await send('DELETE', undefined);
    expect([cleared.status, cleared.json]).toEqual([200, { items: [] }]);
    statements.length = 0;
    expect((await list()).status).toBe(200);
    expect(statements).toEqual([]);
  });

  test('a key made while faults are armed gets them, and one of another sandbox or live never looks', async () => {
    await arm({ operation: 'campaigns_list', status: 503, times: 2 });
    const delegator = { ws: brand.workspaces.sandbox, name: 'full' };
    await edge.changeKeys(delegator, { may_delegate: true });
    const made = await ask(edge.url, '/api/v1/keys/children', {
      method: 'POST',
      key: sandboxKey(),
      body: { name: 'child', scopes: ['campaigns:read'], expires_at: new Date(Date.now() + 86_400_000).toISOString() },
      headers: { 'idempotency-key': freshKey() },
    });
    expect(made.status).toBe(201);
    expect((await list((made.json as { secret: string }).secret)).status).toBe(503);

    const other = await makeBrand(edge);
    statements.length = 0;
    expect((await list(brand.live['full'])).status).toBe(200);
    expect((await list(other.sandbox['full'])).status).toBe(200);
    expect(statements).toEqual([]);
    expect((await list()).status).toBe(503);
  });

  test('values that do not go together are 422 with those that go, and a live workspace is 403', async () => {
    const wrong = await send('POST', { operation: 'campaigns_list', status: 409 });
    expect([wrong.status, errorOf(wrong).details]).toEqual([
      422,
      { problems: [{ field: 'status', message: 'must be one that campaigns_list can answer: 429, 500, 503' }] },
    ]);
    const empty = await send('POST', { operation: 'campaigns_list', times: 101, delay_ms: 20_001 });
    expect([empty.status, errorOf(empty).details]).toMatchObject([
      422,
      { problems: [{ field: 'times' }, { field: 'delay_ms' }] },
    ]);
    const nothing = await send('POST', { operation: 'campaigns_list' });
    expect(errorOf(nothing).details).toMatchObject({ problems: [{ field: 'status' }] });
    const live = await send('POST', { operation: 'campaigns_list', status: 503 }, brand.live['full']);
    expect([live.status, errorOf(live).code]).toEqual([403, 'forbidden']);
    expect(await armed()).toEqual([]);
  });

  test('the hundred-and-first armed fault is refused', async () => {
    const [one] = await arm({ operation: 'campaigns_list', status: 503 });
    const row = await edge.shell.store.db.collection<{ _id: string }>('faults').findOne({ _id: one?.id ?? '' });
    const others = Array.from({ length: 99 }, () => ({ ...row, _id: randomUUID() }));
    await edge.shell.store.db.collection<{ _id: string }>('faults').insertMany(others);
    const refused = await send('POST', { operation: 'campaigns_list', status: 503 });
    expect([refused.status, errorOf(refused).details]).toMatchObject([409, { reason: 'too_many_faults' }]);
  });
});
