import { type OperationName, operationMap, toolNameOf } from '@cds/contracts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ask, type SharedStack } from './stack.js';

/** The result of a call over either transport: the value or the Error body, with the status that REST gives it. */
export type CallResult = { status: number; value: unknown; replayed: boolean };

type CallError = { code: string; message: string; details?: Record<string, unknown> };

export const errorOf = (result: CallResult): CallError | undefined =>
  (result.value as { error?: CallError } | null)?.error;

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

/** The result of a tool as a client sees it. `text` is what a model reads. */
export type ToolResult = {
  isError: boolean;
  text: string;
  value: unknown;
  meta: { status?: number; idempotent_replayed?: boolean };
};

export type ToolClient = {
  tools: () => Promise<unknown[]>;
  call: (tool: string, args: Record<string, unknown>) => Promise<ToolResult>;
  close: () => Promise<void>;
};

export const toolClient = async (stack: SharedStack, key: string): Promise<ToolClient> => {
  const client = new Client({ name: 'spine', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(stack.mcpUrl), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport as never);
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (tool, args) => {
      const result = await client.callTool({ name: tool, arguments: args });
      const text = (result.content as { type: string; text: string }[])[0]?.text ?? 'null';
      const isError = result.isError === true;
      const meta = (result._meta ?? {}) as ToolResult['meta'];
      return { isError, text, value: isError ? JSON.parse(text) : result.structuredContent, meta };
    },
    close: () => client.close(),
  };
};

export const mcpEndpoint = async (stack: SharedStack, key: string): Promise<Endpoint> => {
  const client = await toolClient(stack, key);
  return {
    name: 'MCP',
    call: async (operation, input, idempotencyKey) => {
      const args = idempotencyKey === undefined ? input : { ...input, idempotency_key: idempotencyKey };
      const { meta, value } = await client.call(toolNameOf(operationMap[operation]), args);
      return { status: meta.status ?? 0, value, replayed: meta.idempotent_replayed === true };
    },
    close: client.close,
  };
};
