import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { AppError, operationByName } from '@cds/contracts';
import { publicError } from '@cds/service';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Door } from '../edge/lifecycle.js';
import { type Answer, headersOf, JSON_TYPE } from '../edge/http/answer.js';
import { admitKey, type Caller } from '../edge/steps/caller.js';
import { LIMIT_MS } from '../edge/context.js';
import type { Edge } from '../edge/edge.js';
import { type Exchange, headerValues } from '../edge/http/exchange.js';
import { TOOLS_PATH } from '../edge/steps/host.js';
import { windowStage } from '../edge/steps/rate.js';
import { EdgeRefusal } from '../edge/http/refusal.js';
import { suspendedStage } from '../edge/steps/scope.js';
import { mcpUnauthorized, unauthorizedAnswer } from './challenge.js';
import { type MessageRead, readMessage } from './message.js';
import { rpcError, rpcRefusal } from './rpc.js';
import { type ToolRequest, toolServer } from './server.js';

/** The headers that the protocol reads; no other header of a caller reaches it. */
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/** The protocol's own view of a request. Every answer is one JSON body, whatever the client would also take. */
const webRequest = (edge: Edge, exchange: Exchange, signal: AbortSignal): Request => {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' });
  for (const name of PROTOCOL_HEADERS) {
    for (const value of headerValues(exchange.raw, name)) headers.append(name, value);
  }
  return new Request(`${edge.appUrl}${TOOLS_PATH}`, { method: 'POST', headers, signal });
};

/** Whether a message will write, so that the credential's statement asks for a majority; no more is believed of it here. */
const effectOf = (read: MessageRead): 'read' | 'write' => {
  if (!('message' in read) || read.message['method'] !== 'tools/call') return 'read';
  const { params } = read.message as { params?: { name?: unknown } };
  const name = typeof params === 'object' && params !== null ? params.name : undefined;
  return typeof name === 'string' && operationByName(name)?.effect === 'write' ? 'write' : 'read';
};

const answerOf = async (response: Response, request: ToolRequest): Promise<Answer> => {
  if (request.refusal !== null) return request.refusal;
  const type = response.headers.get('content-type') ?? '';
  const allow = response.headers.get('allow');
  const failed = response.status >= 400 ? { code: 'bad_request' } : request.told;
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

/** The keyed tool server (domain 4-doors 14): the edge's stages around the protocol, for clients of both eras. */
export const mcpDoor = (edge: Edge): { door: Door; close: () => Promise<void> } => {
  const modern = createMcpHandler(({ authInfo }: McpRequestContext) => toolServer(edge, requestOf(authInfo?.extra)), {
    legacy: 'reject',
  });

  const serve = async (request: ToolRequest, message: Record<string, unknown>): Promise<Answer> => {
    const gone = new AbortController();
    const { socket } = request.exchange.raw;
    const leave = () => gone.abort();
    socket.once('close', leave);
    try {
      const web = webRequest(edge, request.exchange, gone.signal);
      if (await isLegacyRequest(web, message))
        return await answerOf(await serveLegacy(edge, request, web, message), request);
      const authInfo = { token: '', clientId: request.exchange.keyId, scopes: [], extra: { request } };
      return await answerOf(await modern.fetch(web, { authInfo, parsedBody: message }), request);
    } finally {
      socket.off('close', leave);
    }
  };

  const answer = async (exchange: Exchange): Promise<Answer> => {
    const read = await readMessage(exchange);
    try {
      const caller = await admitTool(edge, exchange, effectOf(read)); // 4 to 6
      if ('wrong' in read) return rpcError(400, read.wrong, read.id, {}, { code: 'bad_request' }); // 9
      return await serve({ exchange, caller, id: read.id, refusal: null, told: { code: 'ok' } }, read.message);
    } catch (error) {
      if (error instanceof EdgeRefusal && error.code === 'unauthorized')
        return unauthorizedAnswer(edge.appUrl, error, read.id);
      const { body, status } = publicError(error, edge.log, 'mcp');
      return rpcRefusal(body, status, error instanceof AppError ? headersOf(error) : {}, read.id);
    }
  };

  return { door: { limitMs: LIMIT_MS.write, answer }, close: () => modern.close() };
};

const admitTool = async (edge: Edge, exchange: Exchange, effect: 'read' | 'write'): Promise<Caller> => {
  const caller = await admitKey(edge, exchange, effect, mcpUnauthorized(edge.appUrl));
  windowStage(exchange.rate);
  suspendedStage(caller.suspended);
  return caller;
};

/** The request that the handler passes through to the factory; its own type knows it as unknown. */
const requestOf = (extra: Record<string, unknown> | undefined): ToolRequest => {
  const request = extra?.['request'];
  if (request === undefined) throw new Error('a tool server was asked for without its request');
  return request as ToolRequest;
};

/** 2025-11-25, stateless: a fresh server and transport per request, answering plain JSON. */
const serveLegacy = async (
  edge: Edge,
  request: ToolRequest,
  web: Request,
  message: Record<string, unknown>,
): Promise<Response> => {
  const server = toolServer(edge, request);
  // Left out, and not undefined: the generator is what makes a transport keep sessions.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(web, { parsedBody: message });
  } finally {
    await server.close();
  }
};
