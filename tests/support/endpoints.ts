import type { OperationName } from '@cds/contracts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ask, type SharedStack } from './stack.js';

/** The result of a call over either transport: the value or the Error body, with the status that REST gives it. */
export type CallResult = { status: number; value: unknown; replayed: boolean };

type CallError = { code: string; message: string; details?: Record<string, unknown> };

/** The error of an answer, undefined for a value. */
export const errorOf = (result: CallResult): CallError | undefined =>
  (result.value as { error?: CallError } | null)?.error;

/** A REST or MCP endpoint: the same operation with the same arguments works on either. */
export type Endpoint = {
  name: 'REST' | 'MCP';
  call: (operation: OperationName, input: Record<string, unknown>, idempotencyKey?: string) => Promise<CallResult>;
  close: () => Promise<void>;
};

export const restEndpoint = (stack: SharedStack, key: string): Endpoint => ({
  name: 'REST',
  call: async (operation, input, idempotencyKey) => {
    const headers: Record<string, string> = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const answer = await ask(stack, key, operation, input as never, headers);
    return {
      status: answer.status,
      value: answer.body,
      replayed: answer.headers.get('idempotent-replayed') === 'true',
    };
  },
  close: async () => undefined,
});

/** The tool server as a client of the older protocol version uses it, through the official client. */
export const mcpEndpoint = async (stack: SharedStack, key: string): Promise<Endpoint> => {
  const client = new Client({ name: 'spine', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(stack.mcpUrl), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport as never);
  return {
    name: 'MCP',
    call: async (operation, input, idempotencyKey) => {
      const args = idempotencyKey === undefined ? input : { ...input, idempotency_key: idempotencyKey };
      const result = await client.callTool({ name: operation, arguments: args });
      const meta = (result._meta ?? {}) as { status?: number; idempotent_replayed?: boolean };
      const text = (result.content as { type: string; text: string }[])[0]?.text ?? 'null';
      return {
        status: meta.status ?? 0,
        value: result.isError === true ? JSON.parse(text) : result.structuredContent,
        replayed: meta.idempotent_replayed === true,
      };
    },
    close: () => client.close(),
  };
};
