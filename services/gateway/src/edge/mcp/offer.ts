import type { AppError } from '@cds/contracts';
import type { Server, ServerCapabilities } from '@modelcontextprotocol/server';
import type { Caller } from '../callers.js';
import type { Answer, Outcome } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import type { ToolResult } from './result.js';
import type { RpcId } from './rpc.js';
import type { ToolSet } from './tools.js';

export type ToolRequest = {
  exchange: Exchange;
  /** Who calls, or why no tool runs for it: the minute window is used up. */
  caller: Caller | AppError;
  id: RpcId;
};

export type ToolCalled =
  | { result: ToolResult; outcome: Outcome }
  | { refusal: Answer }
  | { unknown: string; outcome: Outcome };

/** How a request ended that the SDK served. A `refusal` is answered by HTTP status, instead of by the protocol. */
export type Ending = { refusal: Answer | null; outcome: Outcome };

export type Offer = {
  path: string;
  instructions: string;
  capabilities: ServerCapabilities;
  /** What revision 2026-07-28 says of how long the list of tools may be kept, and by whom. */
  listCache: { ttlMs: number; cacheScope: 'private' | 'public' };
  toolsFor: (request: ToolRequest) => Promise<ToolSet>;
  call: (request: ToolRequest, name: string, args: Record<string, unknown>) => Promise<ToolCalled>;
  extend?: (server: Server, request: ToolRequest, ending: Ending) => void;
};

/** How long a client may cache a list, or a document, in milliseconds. */
export const CACHE_MS = 300_000;
