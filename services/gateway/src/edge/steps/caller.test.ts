import { extensionTools, hasEndpoint, operations, pathOf, toolOperations } from '@cds/contracts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Brand, makeBrand } from '../../test/edge-app.js';
import { ask } from '../../test/http.js';
import { testEdge } from '../../test/suite.js';

const ID = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';

/**
 * How a key is read to admit a request: for a write in a way that no deposed primary answers, so that it never
 * overtakes a revocation (docs/reliability.md#authentication). Observed for every operation by REST and by MCP.
 */
describe('a key that a gateway reads', () => {
  const edge = testEdge('gateway_admission');
  let brand: Brand;
  const concerns: unknown[] = [];

  beforeAll(async () => {
    brand = await makeBrand(edge);
    edge.shell.store.onCommand(({ commandName, command }) => {
      const { readConcern } = command as { readConcern?: { level: string } };
      if (command[commandName] === 'keys') concerns.push(readConcern?.level);
    });
    for (const secret of [brand.live['full'], brand.sandbox['full']])
      await ask(edge.url, '/api/v1/inventory', { key: secret ?? '' });
  });

  /** The concern of the read that admits a request, whatever its answer; operations may read keys after it. */
  const admittedBy = async (send: () => Promise<unknown>): Promise<unknown[]> => {
    edge.counters.reset();
    concerns.length = 0;
    await send();
    return concerns.slice(0, 1);
  };
  const byMcp = (method: string, params: unknown, headers: Record<string, string> = {}) =>
    admittedBy(() =>
      ask(edge.url, '/api/mcp', {
        method: 'POST',
        body: { jsonrpc: '2.0', id: 1, method, params },
        key: brand.live['full'] ?? '',
        headers,
      }),
    );

  const WRITE = ['linearizable'];
  const READ = ['majority'];
  const concernOf = (effect: 'read' | 'write') => (effect === 'write' ? WRITE : READ);

  test.each([...toolOperations(), ...extensionTools()].map((one) => [one.name, one.effect] as const))(
    '%s by MCP is admitted as a %s',
    async (name, effect) => {
      expect(await byMcp('tools/call', { name, arguments: {} })).toEqual(concernOf(effect));
    },
  );

  test.each(
    operations
      .filter(hasEndpoint)
      .filter(({ audience }) => audience === 'brand' || audience === 'sandbox')
      .map((one) => [one.name, one.effect, one.rest.method, pathOf(one)] as const),
  )('%s by REST is admitted as a %s', async (_name, effect, method, path) => {
    const send = () => ask(edge.url, path.replace(/\{\w+\}/g, ID), { method, key: brand.sandbox['full'] ?? '' });
    expect(await admittedBy(send)).toEqual(concernOf(effect));
  });

  test('the new revision of the protocol is admitted alike', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'create_campaign',
    };
    const params = { name: 'create_campaign', arguments: {}, _meta: meta };
    expect(await byMcp('tools/call', params, headers)).toEqual(WRITE);
  });

  test.each([
    ['a list of tools', 'tools/list', {}],
    ['a ping that names a write tool', 'ping', { name: 'create_campaign' }],
    ['an unknown tool', 'tools/call', { name: 'nothing' }],
    ['no name', 'tools/call', {}],
    ['an invalid name', 'tools/call', { name: ['create_campaign'] }],
  ])('%s is admitted as a read', async (_name, method, params) => {
    expect(await byMcp(method, params)).toEqual(READ);
  });
});
