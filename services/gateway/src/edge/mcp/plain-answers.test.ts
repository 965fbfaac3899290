import { notFound } from '@cds/contracts';
import { encodeError } from '@cds/service';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { makeBrand } from '../../test/edge-app.js';
import { ask } from '../../test/http.js';
import { testEdge } from '../../test/suite.js';
import { plainRequestOf } from './plain-request.js';

type Fields = Record<string, unknown>;
type Headers = Record<string, string | string[]>;

const STATELESS = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': STATELESS,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

const messageOf = (method: string, params?: Fields): Fields => ({
  jsonrpc: '2.0',
  id: 'seven',
  method,
  ...(params === undefined ? {} : { params }),
});

const statelessHeaders = (method: string, name?: string): Record<string, string> => ({
  'mcp-protocol-version': STATELESS,
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
});

const plain = (message: Fields, headers: Headers = {}) =>
  plainRequestOf(message, (name) => [headers[name] ?? []].flat());

const CALL = messageOf('tools/call', { name: 'inventory', arguments: { a: 1 } });
const STATELESS_CALL = messageOf('tools/call', { name: 'inventory', arguments: {}, _meta: META });

describe('a plain request', () => {
  test.each([
    ['a call of a former revision', CALL, {}],
    ['a call that names its revision', CALL, { 'mcp-protocol-version': '2025-11-25' }],
    ['a call without arguments', messageOf('tools/call', { name: 'inventory' }), {}],
    ['a call with a progress token', messageOf('tools/call', { name: 'x', _meta: { progressToken: 3 } }), {}],
    ['a list', messageOf('tools/list'), {}],
    ['a ping', messageOf('ping', {}), {}],
    ['a call of revision 2026-07-28', STATELESS_CALL, statelessHeaders('tools/call', 'inventory')],
    ['a list of revision 2026-07-28', messageOf('tools/list', { _meta: META }), statelessHeaders('tools/list')],
  ])('is %s', (_what, message, headers: Headers) => {
    expect(plain(message, headers)).not.toBeNull();
  });

  const meta = (changed: Fields) => messageOf('tools/call', { name: 'inventory', _meta: { ...META, ...changed } });
  const headers = statelessHeaders('tools/call', 'inventory');
  test.each<[string, Fields, Headers]>([
    ['a notification', { jsonrpc: '2.0', method: 'ping' }, {}],
    ['another method', messageOf('initialize', {}), {}],
    ['an unknown member', { ...CALL, extra: 1 }, {}],
    ['an unknown parameter', messageOf('tools/call', { name: 'inventory', task: {} }), {}],
    ['a cursor', messageOf('tools/list', { cursor: 'x' }), {}],
    ['a call without a name', messageOf('tools/call', { arguments: {} }), {}],
    ['arguments that are a list', messageOf('tools/call', { name: 'inventory', arguments: [] }), {}],
    ['parameters that are a list', { ...CALL, params: [] }, {}],
    ['a progress token that is an object', messageOf('ping', { _meta: { progressToken: {} } }), {}],
    ['an unknown revision', CALL, { 'mcp-protocol-version': '2024-01-01' }],
    ['two revisions', CALL, { 'mcp-protocol-version': ['2025-11-25', '2025-06-18'] }],
    ['the new revision without its _meta', CALL, headers],
    ['the new _meta without headers', STATELESS_CALL, {}],
    ['a header of another method', STATELESS_CALL, { ...headers, 'mcp-method': 'tools/list' }],
    ['a header of another tool', STATELESS_CALL, { ...headers, 'mcp-name': 'brain_get' }],
    ['two headers of tools', STATELESS_CALL, { ...headers, 'mcp-name': ['inventory', 'inventory'] }],
    ['an encoded name', messageOf('tools/call', { name: '=?x?=', _meta: META }), { ...headers, 'mcp-name': '=?x?=' }],
    ['a wrong client', meta({ 'io.modelcontextprotocol/clientInfo': { name: 1 } }), headers],
    ['no capabilities', meta({ 'io.modelcontextprotocol/clientCapabilities': undefined }), headers],
    ['wrong capabilities', meta({ 'io.modelcontextprotocol/clientCapabilities': { roots: 1 } }), headers],
    ['an unknown reserved name', meta({ 'io.modelcontextprotocol/logLevel': 'debug' }), headers],
    ['a ping of revision 2026-07-28', messageOf('ping', { _meta: META }), statelessHeaders('ping')],
  ])('is not one with %s', (_what, message, sent) => {
    expect(plain(message, sent)).toBeNull();
  });
});

describe('our answers to plain requests are those of the SDK', () => {
  const edge = testEdge('gateway_mcp_own');
  let key: string;

  beforeAll(async () => {
    edge.answer('campaign_status', () => encodeError(notFound('campaign').body(), 404, false));
  });

  /** What a message is answered, without the id of the request. */
  const answered = async (message: Fields, headers: Record<string, string>) => {
    const answer = await ask(edge.url, '/api/mcp', { method: 'POST', body: message, headers, key });
    const body = JSON.parse(JSON.stringify(answer.json).replaceAll(/req_[0-9A-Za-z]{26}/g, 'req_')) as Fields;
    return { status: answer.status, type: answer.headers.get('content-type'), body };
  };

  const ID = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';
  const REQUESTS: [string, string, Fields | undefined][] = [
    ['a list', 'tools/list', undefined],
    ['a ping', 'ping', undefined],
    ['a call', 'tools/call', { name: 'inventory', arguments: {} }],
    ['a brief call', 'tools/call', { name: 'campaigns_list', arguments: { view: 'brief' } }],
    ['a call that is refused', 'tools/call', { name: 'campaign_status', arguments: { id: ID } }],
    ['a call with wrong arguments', 'tools/call', { name: 'campaign_status', arguments: { id: 1, x: '\u2028"' } }],
    ['a call of an unknown tool', 'tools/call', { name: 'nothing' }],
  ];
  const CASES = REQUESTS.flatMap(([what, method, params]) => [
    ...SUPPORTED_PROTOCOL_VERSIONS.map((version) => ({
      what: `${what} of ${version}`,
      method,
      params,
      headers: { 'mcp-protocol-version': version } as Record<string, string>,
    })),
    ...(method === 'ping'
      ? []
      : [
          {
            what: `${what} of ${STATELESS}`,
            method,
            params: { ...params, _meta: META },
            headers: statelessHeaders(method, params?.['name'] as string | undefined),
          },
        ]),
  ]);

  test('server/discover names every revision that is served, and is otherwise the same', async () => {
    key = (await makeBrand(edge)).live['full'] ?? '';
    const headers = statelessHeaders('server/discover');
    const own = await answered(messageOf('server/discover', { _meta: META }), headers);
    const sdk = await answered(messageOf('server/discover', { _meta: META, unusual: true }), headers);
    const { result } = own.body as { result: Fields };
    expect(result['supportedVersions']).toEqual([STATELESS, ...SUPPORTED_PROTOCOL_VERSIONS]);
    expect({ ...result, supportedVersions: [STATELESS] }).toEqual(sdk.body['result']);
  });

  test.each(CASES)('$what', async ({ method, params, headers }) => {
    key = (await makeBrand(edge)).live['full'] ?? '';
    const own = messageOf(method, params);
    const unusual = messageOf(method, { ...params, unusual: true });
    expect([plain(own, headers) === null, plain(unusual, headers) === null]).toEqual([false, true]);
    expect(await answered(own, headers)).toEqual(await answered(unusual, headers));
  });
});
