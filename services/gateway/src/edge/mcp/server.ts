import { API_VERSION } from '@cds/contracts';
import { type CallToolResult, ProtocolError, Server } from '@modelcontextprotocol/server';
import { CACHE_MS, type Ending, type Offer, type ToolRequest } from './offer.js';
import { resultJson } from './result.js';
import { RPC } from './rpc.js';

/** What the server says of itself; revision 2026-07-28 has it in each result. */
export const SERVER_INFO = {
  name: 'creator-distribution-service',
  title: 'Creator Distribution Service',
  version: API_VERSION,
} as const;

/** The public documents and prompts are the same for everyone. */
const DOCUMENTS_CACHE = { ttlMs: CACHE_MS, cacheScope: 'public' } as const;

const NOTHING: CallToolResult = { content: [] };

export const sdkServer = (offer: Offer, request: ToolRequest, ending: Ending): Server => {
  const server = new Server(SERVER_INFO, {
    capabilities: offer.capabilities,
    instructions: offer.instructions,
    cacheHints: {
      'tools/list': offer.listCache,
      'resources/list': DOCUMENTS_CACHE,
      'resources/templates/list': DOCUMENTS_CACHE,
      'resources/read': DOCUMENTS_CACHE,
      'prompts/list': DOCUMENTS_CACHE,
    },
  });
  offer.extend?.(server, request, ending);
  server.setRequestHandler('tools/list', async () => ({ tools: [...(await offer.toolsFor(request)).list] }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const called = await offer.call(request, params.name, params.arguments ?? {});
    if ('refusal' in called) {
      ending.refusal = called.refusal;
      return NOTHING;
    }
    ending.outcome = called.outcome;
    if ('unknown' in called) throw new ProtocolError(RPC.invalidParams, called.unknown);
    return JSON.parse(resultJson(called.result)) as CallToolResult;
  });
  return server;
};
