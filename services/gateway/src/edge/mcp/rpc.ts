import type { ErrorBody, ErrorCode } from '@cds/contracts';
import { type Answer, JSON_TYPE, type Outcome, outcomeOf, retryHeaders, statusOf } from '../http/answer.js';

/** The id of a JSON-RPC request, null when it could not be read. */
export type RpcId = string | number | null;

/** The codes of JSON-RPC and of MCP, and two of our own for what is refused by HTTP status. */
export const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
  refused: -32000,
  unauthorized: -32001,
} as const;

export const rpcError = (
  status: number,
  rpc: { code: number; message: string; data?: unknown },
  id: RpcId,
  headers: Record<string, string>,
  outcome: Outcome,
): Answer => ({
  status,
  headers: { 'Content-Type': JSON_TYPE, ...headers },
  body: JSON.stringify({ jsonrpc: '2.0', error: rpc, id }),
  ...outcome,
});

const rpcCodeOf = (code: ErrorCode): number => {
  switch (code) {
    case 'bad_request':
      return RPC.invalidRequest;
    case 'unauthorized':
      return RPC.unauthorized;
    default:
      return RPC.refused;
  }
};

/** An error by HTTP status: a JSON-RPC body whose `data` holds our code and details (docs/domain/mcp.md#mcp). */
export const rpcRefusal = (
  error: ErrorBody,
  status: number | undefined,
  headers: Record<string, string> = {},
  id: RpcId = null,
): Answer => {
  const final = statusOf(error, status);
  const data = { code: error.code, ...(error.details === undefined ? {} : { details: error.details }) };
  return rpcError(
    final,
    { code: rpcCodeOf(error.code), message: error.message, data },
    id,
    { ...retryHeaders(error, final), ...headers },
    outcomeOf(error),
  );
};
