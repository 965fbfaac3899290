import { getRequest } from '../fixture.js';
import { gate, rateRatio } from '../gates.js';
import { requestBytes } from '../http-load.js';
import { runRounds } from '../rounds.js';
import type { Scenario } from '../scenario.js';
import { ROUNDS, SECONDS, say } from '../settings.js';
import { httpVariant, inTurn, pidsOf } from '../variants.js';

/** MCP tools/call of the inventory against REST, on the same system: gate 12. */
export const mcp: Scenario = async ({ stack, readers }) => {
  const { host, pathname } = new URL(stack.mcpUrl);
  const call = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'inventory', arguments: {} },
  });
  const headers = (secret: string) => ({
    host,
    authorization: `Bearer ${secret}`,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  });
  const calls = readers.map(({ secret }) => requestBytes('POST', pathname, headers(secret), call));
  const reads = readers.map(({ secret }) => getRequest(stack, '/api/v1/inventory', secret));

  const at = { port: Number(new URL(stack.appUrl).port), pids: pidsOf(stack, ['gateway', 'catalog']) };
  const rest = await httpVariant('rest', at, inTurn(reads));
  const tools = await httpVariant('mcp', at, inTurn(calls));
  try {
    const found = await runRounds([rest.variant, tools.variant], {
      rounds: Math.min(ROUNDS, 6),
      seconds: SECONDS,
      progress: say,
    });
    return {
      comparisons: { 'MCP tools/call inventory against REST, 64 connections': found },
      gates: [gate(12, 'MCP tools/call inventory against REST', '>=', 0.5, rateRatio(found, 'mcp', 'rest'))],
    };
  } finally {
    rest.close();
    tools.close();
  }
};
