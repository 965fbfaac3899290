import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { AppError, operationOfTool } from '@cds/contracts';
import { publicError } from '@cds/service';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { LIMIT_MS } from '../edge/context.js';
import type { Edge } from '../edge/edge.js';
import type { Endpoint } from '../edge/endpoint.js';
import { type Answer, headersOf, JSON_TYPE } from '../edge/http/answer.js';
import { type Exchange, headerValues } from '../edge/http/exchange.js';
import { EdgeRefusal } from '../edge/http/refusal.js';
import { admit } from '../edge/lifecycle.js';
import { admitKey, type Caller } from '../edge/steps/caller.js';
import { TOOLS_PATH } from '../edge/steps/host.js';
import { mcpUnauthorized, unauthorizedAnswer } from './challenge.js';
import { type MessageRead, readMessage } from './message.js';
import { protocolFault, VERSION_HEADER } from './protocol.js';
import { rpcError, rpcRefusal } from './rpc.js';
import { type ToolRequest, toolServer } from './server.js';

/** The headers that the protocol reads; no other header of a caller reaches it. */
const PROTOCOL_HEADERS = [VERSION_HEADER, 'mcp-method', 'mcp-name'] as const;

/** The request as the protocol's SDK takes it. The answer is one JSON body, whatever else the client accepts. */
const webRequest = (edge: Edge, exchange: Exchange, signal: AbortSignal): Request => {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' });
  for (const name of PROTOCOL_HEADERS) {
    for (const value of headerValues(exchange.raw, name)) headers.append(name, value);
  }
  return new Request(`${edge.appUrl}${TOOLS_PATH}`, { method: 'POST', headers, signal });
};

/** Whether a message calls a write, so that the credential is read with majority concern. */
const effectOf = (read: MessageRead): 'read' | 'write' => {
  if (!('message' in read) || read.message['method'] !== 'tools/call') return 'read';
  const { params } = read.message as { params?: { name?: unknown } };
  const name = typeof params === 'object' && params !== null ? params.name : undefined;
  return typeof name === 'string' && operationOfTool(name)?.effect === 'write' ? 'write' : 'read';
};

/**
 * The caller after steps 4 to 6. A tool call beyond the minute window goes on to the protocol, which answers the
 * refusal as a result; every other message beyond it is refused by HTTP status.
 */
const admitted = async (
  exchange: Exchange,
  identified: Promise<Caller>,
  read: MessageRead,
): Promise<Caller | AppError> => {
  try {
    return await admit(exchange, identified);
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited' && isToolCall(read)) return error;
    throw error;
  }
};

const isToolCall = (read: MessageRead): boolean =>
  'message' in read && read.message['method'] === 'tools/call' && read.id !== null;

const answerOf = async (response: Response, request: ToolRequest): Promise<Answer> => {
  if (request.refusal !== null) return request.refusal;
  const type = response.headers.get('content-type') ?? '';
  const allow = response.headers.get('allow');
  const failed = response.status >= 400 ? { code: 'bad_request' } : request.outcome;
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

/**
 * The MCP endpoint (docs/domain/access.md#mcp): the steps of a request around the SDK, for clients of both protocol
 * revisions.
 */
export const mcpEndpoint = (edge: Edge): { endpoint: Endpoint; close: () => Promise<void> } => {
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
      const identified = admitKey(edge, exchange, effectOf(read), mcpUnauthorized(edge.appUrl));
      const caller = await admitted(exchange, identified, read);
      if ('wrong' in read) return rpcError(400, read.wrong, read.id, {}, { code: 'bad_request' });
      const fault = protocolFault(read.message, headerValues(exchange.raw, VERSION_HEADER));
      if (fault !== null) return rpcError(fault.status, fault.error, read.id, {}, { code: 'bad_request' });
      return await serve({ exchange, caller, id: read.id, refusal: null, outcome: { code: 'ok' } }, read.message);
    } catch (error) {
      if (error instanceof EdgeRefusal && error.code === 'unauthorized')
        return unauthorizedAnswer(edge.appUrl, error, read.id);
      const { body, status } = publicError(error, edge.log, 'mcp');
      return rpcRefusal(body, status, error instanceof AppError ? headersOf(error) : {}, read.id);
    }
  };

  return { endpoint: { limitMs: LIMIT_MS.write, answer }, close: () => modern.close() };
};

/** The request that the SDK passes through as unknown. */
const requestOf = (extra: Record<string, unknown> | undefined): ToolRequest => {
  const request = extra?.['request'];
  if (request === undefined) throw new Error('an MCP server was created without its request');
  return request as ToolRequest;
};

/** Revision 2025-11-25, stateless: a new server and transport for each request, with a plain JSON answer. */
const serveLegacy = async (
  edge: Edge,
  request: ToolRequest,
  web: Request,
  message: Record<string, unknown>,
): Promise<Response> => {
  const server = toolServer(edge, request);
  // Without sessionIdGenerator, even as undefined, the transport keeps no sessions.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(web, { parsedBody: message });
  } finally {
    await server.close();
  }
};
