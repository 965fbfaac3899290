import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  type McpServer,
  type Server,
  type ServerCapabilities,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Edge } from '../edge.js';
import { type Answer, JSON_TYPE } from '../http/answer.js';
import { type Exchange, headerValues } from '../http/exchange.js';
import type { Ending, Offer, ToolRequest } from './offer.js';
import { VERSION_HEADER } from './protocol.js';
import { sdkServer } from './server.js';

/** The headers that the protocol reads; no other header of a caller reaches it. */
const PROTOCOL_HEADERS = [VERSION_HEADER, 'mcp-method', 'mcp-name'] as const;

/** The request as the SDK takes it. The answer is one JSON body, whatever else the client accepts. */
const webRequest = (url: string, exchange: Exchange, signal: AbortSignal): Request => {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' });
  for (const name of PROTOCOL_HEADERS) {
    for (const value of headerValues(exchange.raw, name)) headers.append(name, value);
  }
  return new Request(url, { method: 'POST', headers, signal });
};

const answerOf = async (response: Response, ending: Ending): Promise<Answer> => {
  if (ending.refusal !== null) return ending.refusal;
  const type = response.headers.get('content-type') ?? '';
  const allow = response.headers.get('allow');
  const failed = response.status >= 400 ? { code: 'bad_request' } : ending.outcome;
  const streams = type.startsWith('text/event-stream') && response.body !== null;
  return {
    status: response.status,
    headers: {
      ...(type === '' ? {} : { 'Content-Type': streams ? type : JSON_TYPE }),
      ...(allow === null ? {} : { Allow: allow }),
    },
    body: streams ? Readable.fromWeb(response.body as WebStream) : await response.text(),
    ...failed,
  };
};

type Passed = { request: ToolRequest; ending: Ending };

const passedOf = (extra: Record<string, unknown> | undefined): Passed => {
  const passed = extra?.['passed'];
  if (passed === undefined) throw new Error('an MCP server was created without its request');
  return passed as Passed;
};

/** What tests serve in place of an offer, to try what no tool does. */
export type StandIn = {
  capabilities: ServerCapabilities;
  server: () => McpServer;
  /** Whether a message of revision 2025-11-25 is answered by a stream, which our tools never need. */
  streams: (message: Record<string, unknown>) => boolean;
};

/** Revision 2025-11-25, stateless: a new server and transport for each request, with a plain JSON answer. */
const serveFormer = async (
  server: Server | McpServer,
  web: Request,
  message: Record<string, unknown>,
  streams: boolean,
): Promise<Response> => {
  // Without sessionIdGenerator, even as undefined, the transport keeps no sessions.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams });
  await server.connect(transport);
  try {
    return await transport.handleRequest(web, { parsedBody: message });
  } finally {
    if (!streams) await server.close();
  }
};

/** Serves a message by the protocol's SDK, in the revision that it speaks. */
export type SdkPath = {
  serve: (request: ToolRequest, message: Record<string, unknown>) => Promise<Answer>;
  close: () => Promise<void>;
};

/** What of the protocol the endpoint does not answer by itself: initialize, discovery, faults and the rest. */
export const sdkPath = ({ appUrl }: Pick<Edge, 'appUrl'>, offer: Offer, standIn?: StandIn): SdkPath => {
  const serverOf = ({ request, ending }: Passed) => standIn?.server() ?? sdkServer(offer, request, ending);
  const stateless = createMcpHandler(({ authInfo }: McpRequestContext) => serverOf(passedOf(authInfo?.extra)), {
    legacy: 'reject',
  });
  return {
    serve: async (request, message) => {
      const gone = new AbortController();
      const { socket } = request.exchange.raw;
      const leave = () => gone.abort();
      socket.once('close', leave);
      const passed: Passed = { request, ending: { refusal: null, outcome: { code: 'ok' } } };
      try {
        const web = webRequest(`${appUrl}${offer.path}`, request.exchange, gone.signal);
        if (await isLegacyRequest(web, message))
          return await answerOf(
            await serveFormer(serverOf(passed), web, message, standIn?.streams(message) ?? false),
            passed.ending,
          );
        const authInfo = { token: '', clientId: request.exchange.keyId, scopes: [], extra: { passed } };
        return await answerOf(await stateless.fetch(web, { authInfo, parsedBody: message }), passed.ending);
      } finally {
        socket.off('close', leave);
      }
    },
    close: () => stateless.close(),
  };
};
