import { ownProtocol, SMALL_CALL, sdkProtocol } from '@cds/gateway/bench';
import { getRequest } from '../fixture.js';
import { goal, rateRatio } from '../goals.js';
import { requestBytes } from '../http-load.js';
import { runRounds } from '../rounds.js';
import type { Scenario } from '../scenario.js';
import { ENGINES, ROUNDS, SECONDS, say } from '../settings.js';
import { httpVariant, inTurn, loopVariant, pidsOf } from '../variants.js';

const CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'inventory', arguments: {} },
});

const IN_FLIGHT = 16;

const protocolAlone = async () => {
  const variants = Object.entries({ sdk: sdkProtocol(), own: ownProtocol() }).map(([name, answer]) =>
    loopVariant(name, IN_FLIGHT, { process: [process.pid], ...ENGINES }, async () => {
      // Work that never yields would keep the loop from its turn.
      await new Promise(setImmediate);
      const text = await answer(SMALL_CALL);
      if (!text.includes('"structuredContent"')) throw new Error(`${name} answered ${text}`);
    }),
  );
  return runRounds(variants, { rounds: Math.min(ROUNDS, 6), seconds: Math.min(SECONDS, 1), progress: say });
};

/** MCP tools/call of the inventory against REST, and the protocol alone against the SDK's server: gates 12 and 18. */
export const mcp: Scenario = async ({ stack, readers }) => {
  const { host, pathname } = new URL(stack.mcpUrl);
  const headers = (secret: string) => ({
    host,
    authorization: `Bearer ${secret}`,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  });
  const calls = readers.map(({ secret }) => requestBytes('POST', pathname, headers(secret), CALL));
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
    const alone = await protocolAlone();
    return {
      comparisons: {
        'MCP tools/call of a tool that does nothing, without HTTP, 16 in flight': alone,
        'MCP tools/call inventory against REST, 64 connections': found,
      },
      goals: [
        goal(12, 'MCP tools/call inventory against REST', '>=', 0.75, rateRatio(found, 'mcp', 'rest')),
        goal(
          18,
          "MCP tools/call, the protocol alone against the SDK's own server",
          '>=',
          4,
          rateRatio(alone, 'own', 'sdk'),
        ),
      ],
    };
  } finally {
    rest.close();
    tools.close();
  }
};
