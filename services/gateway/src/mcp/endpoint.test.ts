import { AppError, conflict, TOOL_ORDER, toolOperations } from '@cds/contracts';
import { encodeError, encodeOk } from '@cds/service';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Brand, type EdgeApp, makeBrand, startEdgeApp } from '../test/edge-app.js';
import { ask, freshKey, type Heard } from '../test/http.js';

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

describe('the keyed tool server (domain 4-doors 14)', () => {
  let edge: EdgeApp;
  let brand: Brand;

  beforeAll(async () => {
    edge = await startEdgeApp('gateway_mcp');
  });
  afterAll(() => edge.stop());
  beforeEach(async () => {
    brand = await makeBrand(edge);
  });

  const post = (
    body: unknown,
    key: string | null = brand.live['full'] ?? '',
    headers: Record<string, string> = {},
  ): Promise<Heard> => ask(edge.url, '/api/mcp', { method: 'POST', body, headers, ...(key === null ? {} : { key }) });
  const rpcOf = (heard: Heard): Rpc => heard.json as Rpc;
  const call = async (
    name: string,
    args: Record<string, unknown>,
    key?: string,
  ): Promise<{ heard: Heard; rpc: Rpc }> => {
    const heard = await post({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: args } }, key);
    return { heard, rpc: rpcOf(heard) };
  };
  const fieldsOf = (rpc: Rpc): string[] =>
    (rpc.result?._meta.error?.details?.problems ?? []).map((problem) => problem.field);

  describe('clients of both eras', () => {
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
      expect(tools.map((tool) => tool.name)).toEqual(
        TOOL_ORDER.filter((name) => tools.some((tool) => tool.name === name)),
      );
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

    test('the new client speaks the new revision', async () => {
      const client = await newClient(brand.live['full'] ?? '');
      expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
      await client.close();
    });

    test('the new revision wants its headers to equal the body, and nothing runs when they do not', async () => {
      const before = edge.sent.length;
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const heard = await post(
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'inventory', arguments: {}, _meta: meta } },
        brand.live['full'],
        { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'campaigns_list' },
      );
      expect([heard.status, rpcOf(heard).error?.code]).toEqual([400, -32020]);
      expect(edge.sent.length).toBe(before);
    });
  });

  describe('what HTTP refuses', () => {
    test('no credential: 401 with the sign-in challenge', async () => {
      const heard = await post({ jsonrpc: '2.0', id: 3, method: 'ping' }, null);
      expect(heard.status).toBe(401);
      expect(heard.headers.get('www-authenticate')).toBe(
        'Bearer resource_metadata="http://app.test/.well-known/oauth-protected-resource/api/mcp"',
      );
      expect(rpcOf(heard)).toEqual({
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
      expect(heard.headers.get('ratelimit-limit')).toBeNull();
    });

    test('an unknown credential adds invalid_token', async () => {
      const heard = await post({ jsonrpc: '2.0', id: 3, method: 'ping' }, 'nonsense');
      expect(heard.headers.get('www-authenticate')).toBe(
        'Bearer resource_metadata="http://app.test/.well-known/oauth-protected-resource/api/mcp", error="invalid_token"',
      );
    });

    test.each(['GET', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'])('%s is 405', async (method) => {
      const heard = await ask(edge.url, '/api/mcp', { method });
      expect([heard.status, heard.headers.get('allow')]).toEqual([405, 'POST']);
    });

    test('a foreign Origin is 403, before the credential', async () => {
      const heard = await post({ jsonrpc: '2.0', id: 3, method: 'ping' }, null, { origin: 'https://evil.example' });
      expect([heard.status, rpcOf(heard).error?.data]).toEqual([403, { code: 'forbidden' }]);
      expect(heard.headers.get('www-authenticate')).toBeNull();
    });

    test('a missing scope is 403 with its challenge, whatever the arguments', async () => {
      const { heard, rpc } = await call('create_campaign', { nonsense: 1 }, brand.live['reader']);
      expect([heard.status, rpc.error?.data?.['code'], rpc.id]).toEqual([403, 'forbidden', 7]);
      expect(heard.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="campaigns:write"');
      expect(heard.headers.get('ratelimit-limit')).toBe('60');
    });

    test('a suspended workspace is 403', async () => {
      await edge.shell.store.db
        .collection('keys')
        .updateMany({ ws: brand.workspaces.live }, { $set: { suspended: true } });
      const heard = await post({ jsonrpc: '2.0', id: 3, method: 'ping' });
      expect([heard.status, rpcOf(heard).error?.data]).toEqual([403, { code: 'forbidden' }]);
    });

    test('the minute window is 429 with Retry-After; listing counts too', async () => {
      let heard = await post({ jsonrpc: '2.0', id: 3, method: 'tools/list' }, brand.live['narrow']);
      for (let sent = 0; heard.status === 200 && sent < 140; sent += 1)
        heard = await post({ jsonrpc: '2.0', id: 3, method: 'ping' }, brand.live['narrow']);
      expect([heard.status, rpcOf(heard).error?.data]).toEqual([
        429,
        { code: 'rate_limited', details: expect.objectContaining({ reason: 'request_rate', limit: 60 }) },
      ]);
      expect(Number(heard.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    });

    test.each([
      ['broken JSON', '{', -32700],
      ['nothing', '', -32700],
      ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
      ['an empty batch', '[]', -32600],
      ['a number', '1', -32600],
      ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
      ['an id that is none', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
      ['no method', '{"jsonrpc":"2.0","id":1}', -32600],
      ['more than 64 KiB', `{"jsonrpc":"2.0","x":"${'x'.repeat(70_000)}"}`, -32600],
    ])('%s is 400', async (_name, raw, code) => {
      const heard = await ask(edge.url, '/api/mcp', {
        method: 'POST',
        raw,
        key: brand.live['full'] ?? '',
        headers: { 'content-type': 'application/json' },
      });
      expect([heard.status, rpcOf(heard).error?.code]).toEqual([400, code]);
      expect(heard.headers.get('ratelimit-limit')).toBe('60');
    });

    test('an unknown tool is -32602, an unknown method -32601', async () => {
      expect((await call('nothing', {})).rpc.error?.code).toBe(-32602);
      expect(rpcOf(await post({ jsonrpc: '2.0', id: 1, method: 'nothing/here' })).error?.code).toBe(-32601);
    });
  });

  test('tools beyond the specification stand behind the others while their switch is on, and are unknown otherwise', async () => {
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
        ...TOOL_ORDER,
        'plan_rationale',
      ]);
      await ofSwitched('tools/call', { name: 'plan_rationale', arguments: { id: ID } });
      expect(switched.sent.at(-1)).toMatchObject({ name: 'plan_rationale', input: { id: ID } });
    } finally {
      await switched.stop();
    }

    expect(await listed()).toEqual([...TOOL_ORDER]);
    const before = edge.sent.length;
    expect((await call('plan_rationale', { id: ID })).rpc.error?.code).toBe(-32602);
    expect(edge.sent).toHaveLength(before);
    const rest = await ask(edge.url, `/api/v1/plans/${ID}/rationale`, { key: brand.live['full'] ?? '' });
    expect(rest.status).toBe(200);
  });

  describe('results', () => {
    test('a refusal is a result with the Error body, and no challenge', async () => {
      edge.answer('plan_quote', () => {
        throw new AppError('mandate_refused', 'm', { reason: 'no_mandate', escalate: true });
      });
      const { heard, rpc } = await call('plan_quote', { id: ID });
      expect([heard.status, heard.headers.get('www-authenticate')]).toEqual([200, null]);
      const error = { code: 'mandate_refused', message: 'm', details: { reason: 'no_mandate', escalate: true } };
      expect(rpc.result).toMatchObject({ isError: true, _meta: { status: 403, error } });
      expect(JSON.parse(rpc.result?.content[0]?.text ?? '')).toEqual({ error });
      expect(rpc.result?.structuredContent).toBeUndefined();
    });

    test('unknown arguments are refused, naming those taken', async () => {
      const { rpc } = await call('creator_get', { id: ID, foo: 1 });
      expect(rpc.result?._meta.error).toMatchObject({
        code: 'bad_request',
        details: { problems: [{ field: 'foo', message: 'is not taken here; accepted: id, creator_id' }] },
      });
    });

    test('creator_id is another name for id; both and different is refused', async () => {
      await call('creator_get', { creator_id: ID });
      expect(edge.sent.at(-1)).toMatchObject({ name: 'creator_get', input: { id: ID } });
      expect((await call('creator_get', { id: ID, creator_id: ID })).rpc.result?.isError).toBeUndefined();
      expect(fieldsOf((await call('creator_get', { id: ID, creator_id: UPPER })).rpc)).toEqual(['creator_id']);
    });

    test('a write needs its idempotency_key and is told how to make one', async () => {
      const { rpc } = await call('plan_move_dates', { id: ID, start: '2027-01-01', end: '2027-01-02' });
      expect(rpc.result?._meta.error?.code).toBe('bad_request');
      expect(fieldsOf(rpc)).toEqual(['idempotency_key']);
      expect(fieldsOf((await call('plan_move_dates', { id: ID, idempotency_key: 12_345_678 })).rpc)).toEqual([
        'idempotency_key',
      ]);
    });

    test('arguments come as JSON numbers and booleans where REST sends text', async () => {
      await call('creators_search', { limit: 5, fit: false, q: 'x' });
      expect(edge.sent.at(-1)?.input).toEqual({ limit: 5, fit: false, q: 'x' });
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

    test('a replay says so, and a first answer does not', async () => {
      edge.answer('create_campaign', () => encodeOk({ id: ID }, 201, true));
      expect((await start())?._meta).toMatchObject({ status: 201, idempotent_replayed: true });
      edge.answer('create_campaign', () => encodeOk({ id: ID }, 201, false));
      expect((await start())?._meta).not.toHaveProperty('idempotent_replayed');
    });

    test('a replayed refusal says so, and a first refusal does not', async () => {
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

    test('a replay of what the gateway runs itself says so, and a conflict does not', async () => {
      const key = freshKey();
      const send = async (message: string) =>
        (await call('feedback_send', { message, idempotency_key: key })).rpc.result;
      await send('one');
      expect((await send('one'))?._meta).toMatchObject({ idempotent_replayed: true });
      const other = await send('another');
      expect(other?._meta).toMatchObject({ status: 409, error: { code: 'idempotency_conflict' } });
      expect(other?._meta).not.toHaveProperty('idempotent_replayed');
    });

    test('what fails in the operation is a result, also 503', async () => {
      edge.answer('inventory', () => {
        throw new AppError('unavailable', 'm', { retry_after: 2 });
      });
      const { heard, rpc } = await call('inventory', {});
      expect([heard.status, rpc.result?._meta]).toMatchObject([200, { status: 503, error: { code: 'unavailable' } }]);
      edge.answer('inventory', () => ({}));
    });
  });

  test('the same arguments by both doors are one request (I10, I63)', async () => {
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
