import { gatewayOperations, operations, toolOperations } from '@cds/contracts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Brand, makeBrand } from '../../test/edge-app.js';
import { ask } from '../../test/http.js';
import { testEdge } from '../../test/suite.js';
import { validate } from '../steps/validate.js';
import { callOf } from './arguments.js';

const ID = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';
const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'agent', version: '1' } };
const PARTS = ['params', 'query', 'body'] as const;

/** What a request comes to: the input of its operation with what the fingerprint covers, or what is wrong with it. */
const outcomeOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return { refused: error instanceof Error && 'details' in error ? error.details : error };
  }
};

describe('null stands for an argument that is left out (docs/domain/mcp.md#mcp)', () => {
  const inputs = operations.flatMap((operation) =>
    PARTS.flatMap((part) => {
      const shape = operation[part]?.shape ?? {};
      const names = Object.keys(shape).filter((name) => !shape[name]?.safeParse(null).success);
      return names.length === 0 ? [] : [{ name: `${operation.name}, ${part}`, operation, part, names }];
    }),
  );

  test('every operation that takes input is walked', () => expect(inputs.length).toBeGreaterThan(100));

  test.each(inputs)('in $name', ({ operation, part, names }) => {
    const read = (sent: Record<string, unknown>) =>
      outcomeOf(() => validate(operation, { params: {}, query: {}, body: {}, problems: [], [part]: sent }));
    for (const name of names) expect(read({ [name]: null })).toEqual(read({}));
    expect(read(Object.fromEntries(names.map((name) => [name, null])))).toEqual(read({}));
  });

  test.each(toolOperations())(
    'in a call of the tool $name, with its view, its key and its other names',
    async (tool) => {
      const named = Object.keys(tool.tool.also ?? {});
      const own = [...(tool.tool.brief ? ['view'] : []), ...(tool.idempotency ? ['idempotency_key'] : [])];
      const sent = Object.fromEntries([...named, ...own].map((name) => [name, null]));
      const [nulls, absent] = [callOf(tool, sent), callOf(tool, {})];
      expect([nulls.view, nulls.call.idempotencyKeys]).toEqual([absent.view, absent.call.idempotencyKeys]);
      expect(await nulls.call.parts()).toEqual(await absent.call.parts());
    },
  );
});

test('null that an operation gives a meaning stays: a key without an end', () => {
  const parts = { params: { id: ID }, query: {}, body: { expires_at: null }, problems: [] };
  expect(validate(gatewayOperations.key_change, parts).explicit).toEqual({ id: ID, expires_at: null });
});

describe('a client of MCP is understood as it writes', () => {
  const edge = testEdge('gateway_mcp_shapes');
  let brand: Brand;
  beforeAll(async () => {
    brand = await makeBrand(edge);
  });

  const post = (message: Record<string, unknown>, path = '/api/mcp', headers: Record<string, string> = {}) =>
    ask(edge.url, path, {
      method: 'POST',
      key: brand.live['full'] ?? '',
      body: { jsonrpc: '2.0', id: 1, ...message },
      headers,
    });
  const resultOf = async (...sent: Parameters<typeof post>): Promise<unknown> => {
    const answer = (await post(...sent)).json as { result?: { _meta?: unknown } };
    return { ...answer, result: { ...answer.result, _meta: undefined } };
  };
  const search = (args: unknown, more: object = {}) => ({
    method: 'tools/call',
    params: { name: 'creators_search', arguments: args, ...more },
  });

  test.each<[string, Parameters<typeof post>, Parameters<typeof post>]>([
    ['every optional argument null', [search({ q: null, limit: null, segment: null })], [search({})]],
    ['arguments null', [search(null)], [search({})]],
    ['no arguments', [{ method: 'tools/call', params: { name: 'creators_search' } }], [search({})]],
    ['numbers as text', [search({ limit: '3' })], [search({ limit: 3 })]],
    ['booleans as text', [search({ verified: 'true' })], [search({ verified: true })]],
    ['_meta null', [search({}, { _meta: null })], [search({})]],
    ['_meta of its own', [search({}, { _meta: { 'client.example/trace': 'a', progressToken: null } })], [search({})]],
    ['a slash after the address', [search({}), '/api/mcp/'], [search({})]],
    ['params null', [{ method: 'tools/list', params: null }], [{ method: 'tools/list' }]],
    ['empty params', [{ method: 'tools/list', params: {} }], [{ method: 'tools/list' }]],
    ['cursor null', [{ method: 'tools/list', params: { cursor: null } }], [{ method: 'tools/list' }]],
    [
      'a cursor of resources null',
      [{ method: 'resources/list', params: { cursor: null } }],
      [{ method: 'resources/list' }],
    ],
    ['ping with params null', [{ method: 'ping', params: null }], [{ method: 'ping' }]],
  ])('%s', async (_shape, sent, meant) => {
    const answer = await resultOf(...sent);
    expect(answer).toEqual(await resultOf(...meant));
    expect(answer).not.toHaveProperty('error');
  });

  test.each([
    ['a capability null', { ...INITIALIZE, capabilities: { elicitation: null, roots: { listChanged: null } } }],
    ['capabilities null', { ...INITIALIZE, capabilities: null }],
    ['an unknown capability', { ...INITIALIZE, capabilities: { telepathy: { strength: 3 } } }],
    ['a title null', { ...INITIALIZE, clientInfo: { ...INITIALIZE.clientInfo, title: null } }],
  ])('initialize with %s', async (_shape, params) => {
    expect((await post({ method: 'initialize', params })).json).toMatchObject({
      result: { serverInfo: { name: 'creator-distribution-service' } },
    });
  });

  test.each([
    ['capabilities.elicitation', { ...INITIALIZE, capabilities: { elicitation: 'yes' } }],
    ['capabilities.roots', { ...INITIALIZE, capabilities: { roots: [] } }],
    ['clientInfo.version', { ...INITIALIZE, clientInfo: { name: 'agent', version: null } }],
    ['clientInfo', { ...INITIALIZE, clientInfo: null }],
    ['clientInfo', { ...INITIALIZE, clientInfo: 'agent' }],
    ['protocolVersion', { ...INITIALIZE, protocolVersion: null }],
  ])('initialize with a wrong %s is refused by its name', async (place, params) => {
    expect((await post({ method: 'initialize', params })).json).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(new RegExp(`Missing or wrong: ${place}`)) },
    });
  });

  test('a message of thousands of levels is refused in our words', async () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(4_000)}1${'}'.repeat(4_000)}`);
    expect((await post({ method: 'ping', params: { deep } })).json).toMatchObject({
      error: { code: -32600, message: 'Invalid Request: the message has too many levels.' },
    });
  });

  test.each(['tools/list', 'resources/list', 'ping', 'prompts/list'])('%s with a wrong _meta', async (method) => {
    expect((await post({ method, params: { _meta: 'x' } })).json).toMatchObject({
      error: { code: -32602, message: expect.stringContaining(`_meta of ${method}`) },
    });
  });

  test.each(['/api/mcp/guest', '/api/mcp/guest/'])('a guest at %s', async (path) => {
    const answer = await ask(edge.url, path, {
      method: 'POST',
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: null },
    });
    expect(answer.json).toMatchObject({ result: { tools: expect.any(Array) } });
  });

  test('a slash after the address of the metadata changes nothing', async () => {
    const path = '/.well-known/oauth-protected-resource/api/mcp';
    const [plain, slashed] = [await ask(edge.url, path, {}), await ask(edge.url, `${path}/`, {})];
    expect([slashed.status, slashed.json]).toEqual([200, plain.json]);
  });
});
