import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Exchange } from '../edge/http/exchange.js';
import type { Offer, ToolRequest } from '../edge/mcp/offer.js';
import { serving } from '../edge/mcp/serving.js';
import { toolSet } from '../edge/mcp/tools.js';

const TEXT = JSON.stringify({ available: true, creators: 40 });

/** One call of a tool that does nothing, as a client of revision 2025-11-25 sends it. */
export const SMALL_CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'small', arguments: { days: 7 } },
});

const offer: Offer = {
  path: '/api/mcp',
  instructions: '',
  capabilities: { tools: {} },
  listCache: { ttlMs: 0, cacheScope: 'private' },
  toolsFor: async () => toolSet([]),
  call: async () => ({
    result: { isError: false, text: TEXT, structured: TEXT, meta: {} },
    outcome: { code: 'ok' },
  }),
};

const HEADERS = ['content-type', 'application/json', 'mcp-protocol-version', '2025-11-25'];

/** Answers a message in the way of this endpoint, without HTTP, admission and the tool's own work. */
export const ownProtocol = (): ((body: string) => Promise<string>) => {
  const { serve } = serving({ appUrl: 'http://127.0.0.1' }, offer);
  // The protocol reads nothing else of a request: hence the casts.
  const exchange = { raw: { rawHeaders: HEADERS } } as unknown as Exchange;
  return async (body) => {
    const message = JSON.parse(body) as Record<string, unknown>;
    const id = message['id'] as number;
    const request = { exchange, caller: {}, signedIn: false, id } as unknown as ToolRequest;
    const answer = await serve(request, { message, id });
    return String(answer.body);
  };
};

/** Answers a message by the protocol's SDK as it is documented: a stateless server for each request, without HTTP. */
export const sdkProtocol =
  (): ((body: string) => Promise<string>) =>
  async (body): Promise<string> => {
    const server = new McpServer({ name: 'sdk', version: '1' });
    server.registerTool(
      'small',
      {
        inputSchema: z.object({ days: z.number() }),
        outputSchema: z.object({ available: z.boolean(), creators: z.number() }),
      },
      async () => ({ content: [{ type: 'text', text: TEXT }], structuredContent: JSON.parse(TEXT) }),
    );
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    const headers = { accept: 'application/json, text/event-stream' };
    const request = new Request('http://127.0.0.1/api/mcp', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' },
      body,
    });
    const answer = await transport.handleRequest(request);
    const text = await answer.text();
    await server.close();
    return text;
  };
