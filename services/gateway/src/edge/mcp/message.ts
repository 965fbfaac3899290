import { BODY_LIMIT, isJson, isTooDeep, readBytes } from '../http/body.js';
import { type Exchange, headerValues } from '../http/exchange.js';
import { RPC, type RpcId } from './rpc.js';

export type MessageRead =
  | { message: Record<string, unknown>; id: RpcId }
  | { wrong: { code: number; message: string }; id: RpcId };

const decoder = new TextDecoder('utf-8', { fatal: true });

const wrong = (code: number, message: string, id: RpcId = null): MessageRead => ({ wrong: { code, message }, id });

const idOf = (message: Record<string, unknown>): RpcId => {
  const { id } = message as { id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};

/** Why an object is not a JSON-RPC message, or null. A client's responses have no method. */
const faultOf = (message: Record<string, unknown>): string | null => {
  const { jsonrpc, id, method } = message as { jsonrpc?: unknown; id?: unknown; method?: unknown };
  if (jsonrpc !== '2.0') return 'jsonrpc must be "2.0".';
  if (id !== undefined && typeof id !== 'string' && !Number.isInteger(id)) return 'id must be a string or an integer.';
  const answers = 'result' in message || 'error' in message;
  return typeof method === 'string' || (method === undefined && answers) ? null : 'method must be a string.';
};

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withoutNulls = (value: unknown): unknown =>
  isFields(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, one]) => (one === null ? [] : [[name, withoutNulls(one)]])),
      )
    : value;

/** Clients in strict languages send null for what they leave out (docs/domain/mcp.md#mcp); arguments of a tool stay. */
const asMeant = (message: Record<string, unknown>): Record<string, unknown> => {
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (!isFields(params)) return message;
  const { arguments: args = null, capabilities, ...others } = params;
  return {
    ...rest,
    params: {
      ...(withoutNulls(others) as object),
      ...(capabilities !== undefined && { capabilities: withoutNulls(capabilities ?? {}) }),
      ...(args !== null && { arguments: rest['method'] === 'tools/call' ? args : withoutNulls(args) }),
    },
  };
};

/** Reads the message of a POST. `wrong` is answered only after the credential was checked. */
export const readMessage = async (exchange: Exchange): Promise<MessageRead> => {
  const bytes = await readBytes(exchange.raw, BODY_LIMIT);
  const types = headerValues(exchange.raw, 'content-type');
  if (bytes === null) return wrong(RPC.invalidRequest, `The message is larger than ${BODY_LIMIT / 1024} KiB.`);
  if (types.length !== 1 || !isJson(types[0]))
    return wrong(RPC.invalidRequest, 'The Content-Type must be application/json in UTF-8.');

  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    return wrong(RPC.parse, 'Parse error: the message is not valid JSON in UTF-8.');
  }
  if (Array.isArray(value))
    return wrong(RPC.invalidRequest, 'Batches are not supported. Send one message per request.');
  if (typeof value !== 'object' || value === null)
    return wrong(RPC.invalidRequest, 'Invalid Request: a JSON-RPC message is an object.');
  if (isTooDeep(value)) return wrong(RPC.invalidRequest, 'Invalid Request: the message has too many levels.');
  const message = value as Record<string, unknown>;
  const id = idOf(message);
  const fault = faultOf(message);
  return fault === null
    ? { message: asMeant(message), id }
    : wrong(RPC.invalidRequest, `Invalid Request: ${fault}`, id);
};
