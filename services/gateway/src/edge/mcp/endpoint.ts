import { AppError, operationOfTool } from '@cds/contracts';
import { publicError } from '@cds/service';
import type { Caller } from '../callers.js';
import { LIMIT_MS } from '../context.js';
import type { Edge } from '../edge.js';
import type { Endpoint } from '../endpoint.js';
import { type Answer, headersOf } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { EdgeRefusal } from '../http/refusal.js';
import { admit } from '../lifecycle.js';
import { mcpUnauthorized, unauthorizedAnswer } from './challenge.js';
import { keyOffer } from './key-offer.js';
import { type MessageRead, readMessage } from './message.js';
import { rpcRefusal } from './rpc.js';
import type { StandIn } from './sdk.js';
import { serving } from './serving.js';

/** Whether a message calls a write, so that the credential is read with majority concern. */
const effectOf = (read: MessageRead): 'read' | 'write' => {
  if (!('message' in read) || read.message['method'] !== 'tools/call') return 'read';
  const { params } = read.message as { params?: { name?: unknown } };
  const name = typeof params === 'object' && params !== null ? params.name : undefined;
  return typeof name === 'string' && operationOfTool(name)?.effect === 'write' ? 'write' : 'read';
};

/**
 * Steps 4 to 6. Beyond the minute window, a tool call is refused by a result and every other message by HTTP status.
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

/** The MCP endpoint of keys (docs/domain/mcp.md#mcp). Tests pass their own offer. */
export const mcpEndpoint = (edge: Edge, standIn?: StandIn): { endpoint: Endpoint; close: () => Promise<void> } => {
  const { serve, close } = serving(edge, keyOffer(edge), standIn);

  const answer = async (exchange: Exchange): Promise<Answer> => {
    const read = await readMessage(exchange);
    try {
      const refusal = mcpUnauthorized(edge.appUrl);
      const identified = edge.callers.bearer(exchange, effectOf(read), 'mcp', refusal);
      const caller = await admitted(exchange, identified, read);
      return await serve({ exchange, caller, id: read.id }, read);
    } catch (error) {
      if (error instanceof EdgeRefusal && error.code === 'unauthorized')
        return unauthorizedAnswer(edge.appUrl, error, read.id);
      const { body, status } = publicError(error, edge.log, 'mcp');
      return rpcRefusal(body, status, error instanceof AppError ? headersOf(error) : {}, read.id);
    }
  };

  return { endpoint: { limitMs: LIMIT_MS.write, answer }, close };
};
