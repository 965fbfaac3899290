/**
 * The two endpoints for agents. Both take an operation by its tool name and return `{ value, asked }`; a refusal is a
 * Failure. Clients are loaded here, because before the first build there are none.
 */
import { randomUUID } from 'node:crypto';
import type { OperationName, Output } from '@cds/contracts';
import { Failure } from '../lib/failure.ts';

export type Call = <N extends OperationName>(
  operation: N,
  input?: Record<string, unknown>,
) => Promise<{ value: Output<N>; asked: string }>;
export type Endpoint = { name: 'REST' | 'MCP'; call: Call };

export async function restEndpoint({ url, secret }: { url: string; secret: string }): Promise<Endpoint> {
  const { operationByName } = await import('@cds/contracts');
  const { createClient, isApiError } = await import('@cds/sdk');
  const client = createClient({ url, key: secret });
  return {
    name: 'REST',
    async call(operation, input = {}) {
      const { method, path } = operationByName(operation)?.rest ?? {};
      try {
        const { value } = await client.call(operation as never, input as never);
        return { value: value as never, asked: `${method} ${path} ${inShort(input)}` };
      } catch (error) {
        throw isApiError(error) ? refusal(operation, error, error.requestId) : error;
      }
    },
  };
}

export async function mcpEndpoint({ url, secret }: { url: string; secret: string }): Promise<Endpoint> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'demo', version: '1.0.0' });
  const headers = { authorization: `Bearer ${secret}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const { tools } = await client.listTools();
  const reads = new Set(tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name));
  return {
    name: 'MCP',
    async call(operation, input = {}) {
      const args = reads.has(operation) ? input : { ...input, idempotency_key: `demo-${randomUUID()}` };
      const { isError, _meta: meta, structuredContent } = await client.callTool({ name: operation, arguments: args });
      if (isError) throw refusal(operation, meta?.error as Refused, String(meta?.request_id));
      return { value: structuredContent as never, asked: `tools/call ${operation} ${inShort(input)}` };
    },
  };
}

const inShort = (input: object) => {
  const text = JSON.stringify(input);
  return text.length > 90 ? `${text.slice(0, 87)}...` : text;
};

type Refused = { code?: string; message?: string; details?: unknown } | undefined;

function refusal(operation: string, error: Refused, requestId: string | null) {
  return new Failure(
    `${operation} was refused: ${error?.message ?? 'no message'}`,
    ['Check the details above', 'npm run demo  (each run makes a new brand)', 'Check logs/ in the home folder'],
    [`code ${error?.code}, ${JSON.stringify(error?.details ?? {})}`, `x-request-id ${requestId}`],
  );
}
