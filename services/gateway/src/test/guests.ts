import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ask, type HttpAnswer } from './http.js';

/** A tool's result as a test reads it. */
export type GuestResult = {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  _meta: Record<string, unknown> & {
    error?: { code: string; message: string; details?: { problems?: { field: string }[] } & Record<string, unknown> };
  };
};
type Rpc = {
  id: unknown;
  result?: GuestResult & { tools?: unknown[] };
  error?: { code: number; message: string; data?: Record<string, unknown> };
};

let guests = 0;

/** A client address of its own, as a trusted proxy states it. */
export const newAddress = (): string => {
  guests += 1;
  return `198.51.${100 + Math.floor(guests / 250)}.${guests % 250}`;
};

export const guestAt = (url: string, address: string, headers: Record<string, string> = {}) => {
  const path = '/api/mcp/guest';
  const own = { 'x-forwarded-for': address, ...headers };
  const post = (body: unknown, further: Record<string, string> = {}): Promise<HttpAnswer> =>
    ask(url, path, { method: 'POST', body, headers: { ...own, ...further } });
  const call = async (name: string, args: unknown = {}): Promise<{ answer: HttpAnswer; rpc: Rpc }> => {
    const answer = await post({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: args } });
    return { answer, rpc: answer.json as Rpc };
  };
  const requestInit = { headers: own };
  return {
    post,
    call,
    rpcOf: (answer: HttpAnswer): Rpc => answer.json as Rpc,
    /** Connects a client of revision 2025-11-25. */
    oldClient: async () => {
      const client = new OldClient({ name: 'old', version: '1' });
      const transport = new OldTransport(new URL(`${url}${path}`), { requestInit });
      await client.connect(transport as Parameters<OldClient['connect']>[0]);
      return client;
    },
    newClient: async () => {
      const client = new NewClient({ name: 'new', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      await client.connect(new NewTransport(new URL(`${url}${path}`), { requestInit }));
      return client;
    },
  };
};
