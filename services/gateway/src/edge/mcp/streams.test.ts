import { expect, test } from '@jest/globals';
import { CONFORMANCE_FIXTURES } from '../../test/conformance-fixtures.js';
import { makeBrand, startEdgeApp } from '../../test/edge-app.js';

test('a stream of MCP tells proxies to neither keep nor buffer it', async () => {
  const edge = await startEdgeApp('gateway_mcp_streams', 'test', [], undefined, CONFORMANCE_FIXTURES);
  try {
    const { live } = await makeBrand(edge);
    const response = await fetch(`${edge.url}/api/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${live['full']}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'test_tool_with_progress', arguments: {}, _meta: { progressToken: 'p' } },
      }),
    });
    expect(await response.text()).toContain('notifications/progress');
    expect(['content-type', 'cache-control', 'x-accel-buffering'].map((name) => response.headers.get(name))).toEqual([
      'text/event-stream',
      'no-store',
      'no',
    ]);
  } finally {
    await edge.stop();
  }
});
