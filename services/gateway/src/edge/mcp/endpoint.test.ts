import { AppError, conflict, operationOfTool, toolOperations } from '@cds/contracts';
import { encodeError, encodeOk } from '@cds/service';
import { proves } from '@cds/service/testing';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Brand, makeBrand, startEdgeApp } from '../../test/edge-app.js';
import { ask, freshKey, type HttpAnswer } from '../../test/http.js';
import { testEdge } from '../../test/suite.js';

const ID = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';
const UPPER = '1b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';

type Result = {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  _meta: Record<string, unknown> & {
    error?: { code: string; details?: { problems?: { field: string }[] } & Record<string, unknown> };
  };
};
type Rpc = { id: unknown; result?: Result; error?: { code: number; message: string; data?: Record<string, unknown> } };

describe('the MCP endpoint (docs/domain/mcp.md#mcp)', () => {
  const edge = testEdge('gateway_mcp');
  let brand: Brand;

  beforeEach(async () => {
    brand = await makeBrand(edge);
  });

  const post = (
    body: unknown,
    key: string | null = brand.live['full'] ?? '',
    headers: Record<string, string> = {},
  ): Promise<HttpAnswer> =>
    ask(edge.url, '/api/mcp', { method: 'POST', body, headers, ...(key === null ? {} : { key }) });
  const rpcOf = (answer: HttpAnswer): Rpc => answer.json as Rpc;
  const call = async (
    name: string,
    args: Record<string, unknown>,
    key?: string,
  ): Promise<{ answer: HttpAnswer; rpc: Rpc }> => {
    const answer = await post({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: args } }, key);
    return { answer, rpc: rpcOf(answer) };
  };
  const fieldsOf = (rpc: Rpc): string[] =>
    (rpc.result?._meta.error?.details?.problems ?? []).map((problem) => problem.field);

  describe('clients of both protocol revisions', () => {
    const oldClient = async (key: string) => {
      const client = new OldClient({ name: 'old', version: '1' });
      await client.connect(
        new OldTransport(new URL(`${edge.url}/api/mcp`), {
          requestInit: { headers: { authorization: `Bearer ${key}` } },
        }) as Parameters<OldClient['connect']>[0],
      );
      return client;
    };
    const newClient = async (key: string) => {
      const client = new NewClient({ name: 'new', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      await client.connect(
        new NewTransport(new URL(`${edge.url}/api/mcp`), {
          requestInit: { headers: { authorization: `Bearer ${key}` } },
        }),
      );
      return client;
    };

    test.each([
      ['2025-11-25', oldClient],
      ['2026-07-28', newClient],
    ] as const)('%s: lists the tools in order and calls one', async (_era, connect) => {
      const client = await connect(brand.live['full'] ?? '');
      const { tools } = (await client.listTools()) as {
        tools: { name: string; annotations?: object; outputSchema?: object }[];
      };
      expect(tools.map((tool) => tool.name)).toEqual(toolOperations().map((operation) => operation.name));
      for (const tool of tools)
        expect(new Set(Object.keys(tool.annotations ?? {}))).toEqual(
          new Set(['destructiveHint', 'idempotentHint', 'openWorldHint', 'readOnlyHint', 'title']),
        );

      const result = (await client.callTool({ name: 'inventory', arguments: {} })) as Result;
      expect(result.structuredContent).toEqual(JSON.parse(result.content[0]?.text ?? ''));
      expect(result._meta).toMatchObject({ request_id: expect.stringMatching(/^req_/), status: 200 });

      const refused = (await client.callTool({ name: 'campaign_status', arguments: { id: 'x' } })) as Result;
      expect(refused.isError).toBe(true);
      expect(refused.structuredContent).toBeUndefined();
      await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 });
      await client.close();
    });

    test('the new revision refuses headers that differ from the body, and runs nothing', async () => {
      const before = edge.sent.length;
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const answer = await post(
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'inventory', arguments: {}, _meta: meta } },
        brand.live['full'],
        { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'campaigns_list' },
      );
      expect([answer.status, rpcOf(answer).error?.code]).toEqual([400, -32020]);
      expect(edge.sent.length).toBe(before);
    });
  });

  describe('refusals by HTTP status', () => {
    test('no credential: 401 with the sign-in challenge', async () => {
      const answer = await post({ jsonrpc: '2.0', id: 3, method: 'ping' }, null);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe(
        'Bearer resource_metadata="http://app.test/.well-known/oauth-protected-resource/api/mcp"',
      );
      expect(rpcOf(answer)).toEqual({
        jsonrpc: '2.0',
        id: 3,
        error: {
          code: -32001,
          message: expect.any(String),
          data: {
            code: 'unauthorized',
            sign_in: 'http://app.test/connect',
            developers_url: 'http://app.test/developers',
          },
        },
      });
      expect(answer.headers.get('ratelimit-limit')).toBeNull();
    });

    test('an unknown credential adds invalid_token', async () => {
      const answer = await post({ jsonrpc: '2.0', id: 3, method: 'ping' }, 'nonsense');
      expect(answer.headers.get('www-authenticate')).toBe(
        'Bearer resource_metadata="http://app.test/.well-known/oauth-protected-resource/api/mcp", error="invalid_token"',
      );
    });

    test.each(['GET', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'])('%s is 405', async (method) => {
      const answer = await ask(edge.url, '/api/mcp', { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    });

    test('a foreign Origin is 403, before the credential', async () => {
      const answer = await post({ jsonrpc: '2.0', id: 3, method: 'ping' }, null, { origin: 'https://evil.example' });
      expect([answer.status, rpcOf(answer).error?.data]).toEqual([403, { code: 'forbidden' }]);
      expect(answer.headers.get('www-authenticate')).toBeNull();
    });

    test('beyond the minute window a tool call is refused by a result, all else by 429; listing counts too', async () => {
      let answer = await post({ jsonrpc: '2.0', id: 3, method: 'tools/list' }, brand.live['narrow']);
      for (let sent = 0; answer.status === 200 && sent < 140; sent += 1)
        answer = await post({ jsonrpc: '2.0', id: 3, method: 'ping' }, brand.live['narrow']);
      const before = edge.sent.length;
      const { answer: called, rpc } = await call('inventory', {}, brand.live['narrow']);
      expect([called.status, rpc.id, rpc.result]).toMatchObject([
        200,
        7,
        {
          isError: true,
          _meta: {
            status: 429,
            error: { code: 'rate_limited', details: { reason: 'request_rate', retry_after: expect.any(Number) } },
          },
        },
      ]);
      expect(edge.sent).toHaveLength(before);
      expect([answer.status, rpcOf(answer).error?.data]).toEqual([
        429,
        { code: 'rate_limited', details: expect.objectContaining({ reason: 'request_rate', limit: 60 }) },
      ]);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    });

    test.each([
      ['broken JSON', '{', -32700],
      ['nothing', '', -32700],
      ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
      ['an empty batch', '[]', -32600],
      ['a number', '1', -32600],
      ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
      ['an invalid id', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
      ['no method', '{"jsonrpc":"2.0","id":1}', -32600],
      ['more than 64 KiB', `{"jsonrpc":"2.0","x":"${'x'.repeat(70_000)}"}`, -32600],
    ])('%s is 400', async (_name, raw, code) => {
      const answer = await ask(edge.url, '/api/mcp', {
        method: 'POST',
        raw,
        key: brand.live['full'] ?? '',
        headers: { 'content-type': 'application/json' },
      });
      expect([answer.status, rpcOf(answer).error?.code]).toEqual([400, code]);
      expect(answer.headers.get('ratelimit-limit')).toBe('60');
    });

    test('an unknown tool is -32602, an unknown method -32601', async () => {
      expect((await call('nothing', {})).rpc.error).toEqual({
        code: -32602,
        message: 'This key has no tool named "nothing". tools/list names every tool.',
      });
      expect((await call('x'.repeat(10_000), {})).rpc.error?.message).toContain(`"${'x'.repeat(64)}"`);
      expect(rpcOf(await post({ jsonrpc: '2.0', id: 1, method: 'nothing/here' })).error?.code).toBe(-32601);
    });
  });

  describe('requests that the protocol cannot run', () => {
    const VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];
    const MODERN = 'io.modelcontextprotocol/protocolVersion';
    const send = async (method: string, params: unknown, headers: Record<string, string> = {}) => {
      const answer = await post({ jsonrpc: '2.0', id: 5, method, params }, brand.live['full'], headers);
      const { id, error } = rpcOf(answer);
      return { status: answer.status, id, ...error };
    };

    test.each([
      ['initialize', undefined, 'protocolVersion, capabilities, clientInfo'],
      ['initialize', { protocolVersion: '2025-11-25', capabilities: {} }, 'Missing or wrong: clientInfo'],
      ['tools/call', undefined, "the tool's name"],
      ['tools/call', { name: 7 }, "the tool's name"],
      ['tools/call', { name: 'inventory', arguments: '{}' }, 'an object of named values'],
      ['tools/call', { name: 'inventory', arguments: [1] }, 'an object of named values'],
    ])('%s with params %j is -32602 in our words', async (method, params, words) => {
      expect(await send(method, params)).toEqual({
        status: 200,
        id: 5,
        code: -32602,
        message: expect.stringContaining(words),
      });
    });

    test.each([
      ['in the header', {}, { 'mcp-protocol-version': '2030-01-01' }],
      ['in _meta', { _meta: { [MODERN]: '2030-01-01' } }, {}],
    ])('a version that is not served, %s, is -32022 with all that are', async (_where, params, headers) => {
      expect(await send('tools/list', params, headers)).toMatchObject({
        status: 400,
        id: 5,
        code: -32022,
        data: { supported: VERSIONS, requested: '2030-01-01' },
      });
    });

    test('the header of 2026-07-28 without its _meta is -32020', async () => {
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
      expect(await send('tools/list', {}, headers)).toMatchObject({ status: 400, id: 5, code: -32020 });
    });

    test('a header that differs from _meta is -32020, whether or not it names a version that is served', async () => {
      for (const version of ['2030-01-01', '2025-11-25']) {
        const headers = { 'mcp-protocol-version': version, 'mcp-method': 'tools/list' };
        const params = { _meta: { [MODERN]: '2026-07-28' } };
        expect(await send('tools/list', params, headers)).toMatchObject({ status: 400, id: 5, code: -32020 });
      }
    });

    test('initialize is no method of revision 2026-07-28', async () => {
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'initialize' };
      const meta = { [MODERN]: '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
      expect(await send('initialize', { _meta: meta }, headers)).toMatchObject({ status: 404, id: 5, code: -32601 });
    });

    test('a client that asks for an unknown version at initialize is answered with one that is served', async () => {
      const params = { protocolVersion: '2030-01-01', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
      const answer = await post({ jsonrpc: '2.0', id: 5, method: 'initialize', params });
      expect(rpcOf(answer).result).toMatchObject({ protocolVersion: '2025-11-25' });
    });
  });

  test('instructions say what the server is for, the order of calls, that test keys work in a sandbox, and whom not to trust', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const { result } = rpcOf(await post({ jsonrpc: '2.0', id: 5, method: 'initialize', params }));
    const { instructions } = result as unknown as { instructions: string };
    for (const words of ['Buy posts', 'Usual order', 'terms_fingerprint', 'cds_test_', 'untrusted data'])
      expect(instructions).toContain(words);
    for (const [, tool] of instructions.matchAll(/\b((?:plan|sandbox|create|approve|creators|campaign)_[a-z]+)\b/g))
      if (!['plan_id', 'campaign_id'].includes(tool ?? '')) expect(operationOfTool(tool ?? '')).toBeDefined();
  });

  test('test keys also have the tools of the sandbox, under their own names; live keys never', async () => {
    const names = async (key = '') => {
      const { result } = rpcOf(await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, key));
      return (result as unknown as { tools: { name: string }[] }).tools.map(({ name }) => name);
    };
    const specified = toolOperations().map(({ name }) => name);
    expect(await names(brand.live['full'])).toEqual(specified);
    expect(await names(brand.sandbox['reader'])).toEqual([
      ...specified,
      'sandbox_status',
      'sandbox_advance',
      'sandbox_pay',
    ]);

    const pay = { order_id: ID, idempotency_key: freshKey() };
    await call('sandbox_pay', pay, brand.sandbox['full']);
    expect(edge.sent.find(({ name }) => name === 'sandbox_order_payment')?.input).toEqual({ id: ID });
    expect((await call('sandbox_pay', pay, brand.live['full'])).rpc.error?.code).toBe(-32602);
    const both = { seconds: 5, to: 'midnight', idempotency_key: freshKey() };
    expect(fieldsOf((await call('sandbox_advance', both, brand.sandbox['full'])).rpc)).toEqual(['seconds']);
    const advanced = await call(
      'sandbox_advance',
      { seconds: '60', idempotency_key: freshKey() },
      brand.sandbox['full'],
    );
    expect(advanced.rpc.result?.structuredContent).toMatchObject({ offset_seconds: 60 });
    const jumped = await call(
      'sandbox_advance',
      { to: 'midnight', view: 'brief', idempotency_key: freshKey() },
      brand.sandbox['full'],
    );
    expect(jumped.rpc.result?.structuredContent).toEqual({ now: expect.stringMatching(/T00:00:00\.000Z$/) });
  });

  test('tools beyond the specification follow the others while their switch is on, and are unknown otherwise', async () => {
    const listed = async () =>
      (
        rpcOf(await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })) as {
          result?: { tools?: { name: string }[] };
        }
      ).result?.tools?.map(({ name }) => name);
    const switched = await startEdgeApp('gateway_extensions');
    try {
      await switched.setSwitches({ extensions: true });
      const { live } = await makeBrand(switched);
      const ofSwitched = async (method: string, params: object) =>
        (
          await ask(switched.url, '/api/mcp', {
            method: 'POST',
            body: { jsonrpc: '2.0', id: 1, method, params },
            key: live['full'] ?? '',
          })
        ).json as { result?: { tools?: { name: string }[]; structuredContent?: object } };
      expect((await ofSwitched('tools/list', {})).result?.tools?.map(({ name }) => name)).toEqual([
        ...toolOperations().map(({ name }) => name),
        'plan_rationale',
        'key_delegate',
        'plan_preflight',
        'order_get',
        'line_replace',
        'events_wait',
        'limits_get',
      ]);
      await ofSwitched('tools/call', { name: 'plan_rationale', arguments: { id: ID } });
      expect(switched.sent.at(-1)).toMatchObject({ name: 'plan_rationale', input: { id: ID } });
    } finally {
      await switched.stop();
    }

    expect(await listed()).toEqual(toolOperations().map(({ name }) => name));
    const before = edge.sent.length;
    expect((await call('plan_rationale', { id: ID })).rpc.error?.code).toBe(-32602);
    expect(edge.sent).toHaveLength(before);
    const rest = await ask(edge.url, `/api/v1/plans/${ID}/rationale`, { key: brand.live['full'] ?? '' });
    expect(rest.status).toBe(200);
  });

  describe('results', () => {
    test('the view brief answers what the tool declares; full, the default, what REST does', async () => {
      const order = { payment_state: 'unpaid', total_cents: 5, currency: 'USD', signed_at: 's', paid_at: null };
      edge.answer('approve_plan', () => ({ plan_id: ID, status: 'approved', order, plan: { lines: [] } }));
      const sign = async (view?: string) => {
        const { rpc } = await call('approve_plan', {
          id: ID,
          terms_fingerprint: 'f',
          idempotency_key: freshKey(),
          ...(view === undefined ? {} : { view }),
        });
        return rpc;
      };
      const whole = { plan_id: ID, status: 'approved', order, plan: { lines: [] } };
      expect((await sign()).result?.structuredContent).toEqual(whole);
      expect((await sign('full')).result?.structuredContent).toEqual(whole);
      const { result } = await sign('brief');
      expect(result?.structuredContent).toEqual({
        plan_id: ID,
        status: 'approved',
        order: { payment_state: 'unpaid', total_cents: 5 },
      });
      expect(JSON.parse(result?.content[0]?.text ?? '')).toEqual(result?.structuredContent);
      expect(fieldsOf(await sign('short'))).toEqual(['view']);
      expect(fieldsOf((await call('inventory', { view: 'brief' })).rpc)).toEqual(['view']);
      edge.answer('approve_plan', () => ({}));
    });

    test('the view is no part of the request that an idempotency_key stands for', async () => {
      const sent = { id: ID, terms_fingerprint: 'f', idempotency_key: freshKey() };
      await call('approve_plan', sent);
      const first = edge.sent.at(-1)?.ctx.command;
      await call('approve_plan', { ...sent, view: 'brief' });
      expect(edge.sent.at(-1)?.ctx.command).toEqual(first);
    });

    test('deprecated fields of an answer are marked in _meta, as by headers in REST', async () => {
      edge.answer('evidence_list', () => ({ items: [{ id: ID, brief_id: ID }] }));
      const { rpc } = await call('evidence_list', {});
      expect(rpc.result?._meta['deprecated']).toEqual({
        deprecation: '@1778716800',
        sunset: 'Tue, 10 Nov 2026 00:00:00 GMT',
        fields: ['items[].brief_id'],
      });
      expect((await call('evidence_list', { view: 'brief' })).rpc.result?._meta).not.toHaveProperty('deprecated');
      edge.answer('evidence_list', () => ({ items: [] }));
      expect((await call('evidence_list', {})).rpc.result?._meta).not.toHaveProperty('deprecated');
    });

    test('an unknown argument is refused with the accepted names', async () => {
      const { rpc } = await call('creator_get', { id: ID, foo: 1 });
      expect(rpc.result?._meta.error).toMatchObject({
        code: 'bad_request',
        details: {
          problems: [
            { field: 'foo', message: 'is not accepted here; accepted: id, creator_id, match, campaign_id, view' },
          ],
        },
      });
    });

    test('creator_id is an alias of id; two different values are refused', async () => {
      proves('creators.open-other-name');
      await call('creator_get', { creator_id: ID });
      expect(edge.sent.at(-1)).toMatchObject({ name: 'creator_get', input: { id: ID } });
      expect((await call('creator_get', { id: ID, creator_id: ID })).rpc.result?.isError).toBeUndefined();
      expect(fieldsOf((await call('creator_get', { id: ID, creator_id: UPPER })).rpc)).toEqual(['creator_id']);
    });

    const start = async () => {
      const { rpc } = await call('create_campaign', {
        goal: 'launch',
        product: 'p',
        moment: 'm',
        window_start: '2027-01-01',
        window_end: '2027-01-02',
        budget_usd: 100,
        idempotency_key: freshKey(),
      });
      return rpc.result;
    };

    test('a replay is marked, a first answer is not', async () => {
      edge.answer('create_campaign', () => encodeOk({ id: ID }, 201, true));
      expect((await start())?._meta).toMatchObject({ status: 201, idempotent_replayed: true });
      edge.answer('create_campaign', () => encodeOk({ id: ID }, 201, false));
      expect((await start())?._meta).not.toHaveProperty('idempotent_replayed');
    });

    test('a replayed refusal is marked, a first refusal is not', async () => {
      const error = { code: 'conflict', message: 'm', details: { reason: 'archived' } } as const;
      edge.answer('create_campaign', () => encodeError(error, 409, true));
      const replayed = await start();
      expect(replayed).toMatchObject({ isError: true, _meta: { status: 409, idempotent_replayed: true, error } });
      expect(JSON.parse(replayed?.content[0]?.text ?? '')).toEqual({ error });

      edge.answer('create_campaign', () => encodeError(error, 409));
      const first = await start();
      expect(first).toMatchObject({ isError: true, _meta: { status: 409, error } });
      expect(first?._meta).not.toHaveProperty('idempotent_replayed');
      edge.answer('create_campaign', () => ({}));
    });

    test('a failure of the operation is a result, even 503', async () => {
      edge.answer('inventory', () => {
        throw new AppError('unavailable', 'm', { retry_after: 2 });
      });
      const { answer, rpc } = await call('inventory', {});
      expect([answer.status, rpc.result?._meta]).toMatchObject([200, { status: 503, error: { code: 'unavailable' } }]);
      edge.answer('inventory', () => ({}));
    });
  });

  test('the same arguments by REST and MCP are one request (I10, I63)', async () => {
    const key = freshKey();
    const body = { unit_id: ID };
    await ask(edge.url, `/api/v1/plans/${ID}/lines/${UPPER}/swap`, {
      method: 'POST',
      body,
      key: brand.live['full'] ?? '',
      headers: { 'idempotency-key': key },
    });
    const rest = edge.sent.at(-1);
    await call('plan_swap_creator', { id: ID, line_id: UPPER, unit_id: ID, idempotency_key: key });
    const tool = edge.sent.at(-1);
    expect(tool?.input).toEqual(rest?.input);
    expect(tool?.ctx.command).toEqual(rest?.ctx.command);

    edge.answer('plan_swap_creator', () => {
      throw conflict('already_in_plan', 'm');
    });
    const refused = await ask(edge.url, `/api/v1/plans/${ID}/lines/${UPPER}/swap`, {
      method: 'POST',
      body,
      key: brand.live['full'] ?? '',
      headers: { 'idempotency-key': freshKey() },
    });
    const { rpc } = await call('plan_swap_creator', {
      id: ID,
      line_id: UPPER,
      unit_id: ID,
      idempotency_key: freshKey(),
    });
    expect(JSON.parse(rpc.result?.content[0]?.text ?? '')).toEqual(refused.json);
  });
});
