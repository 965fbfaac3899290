import type { ErrorBody } from '@cds/contracts';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { statusOf } from '../edge/http/answer.js';
import type { Done } from '../edge/steps/dispatch.js';

const textOf = (body: Uint8Array | string): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);

/**
 * A refusal as a result, without `structuredContent`: clients check that against the output schema
 * (docs/domain/access.md#mcp).
 */
export const refusalResult = (
  error: ErrorBody,
  status: number | undefined,
  requestId: string,
  replayed = false,
): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: JSON.stringify({ error }) }],
  _meta: {
    request_id: requestId,
    status: statusOf(error, status),
    error,
    ...(replayed ? { idempotent_replayed: true } : {}),
  },
});

/** A tool's result: the value that REST answers, and the same JSON as text. */
export const resultOf = (done: Done, requestId: string): CallToolResult => {
  if (!done.ok) return refusalResult(done.error, done.status, requestId, done.replayed);
  const text = textOf(done.body);
  return {
    content: [{ type: 'text', text }],
    structuredContent: JSON.parse(text) as Record<string, unknown>,
    _meta: {
      request_id: requestId,
      status: done.status,
      ...(done.replayed ? { idempotent_replayed: true } : {}),
    },
  };
};
