import { briefAnswer, type ErrorBody, type ToolOperation, type View } from '@cds/contracts';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { statusOf } from '../edge/http/answer.js';
import { deprecationOf } from '../edge/http/deprecation.js';
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

/** What `_meta` says of the deprecated fields that an answer holds. */
const deprecationMeta = (operation: ToolOperation, body: Uint8Array | string): Record<string, unknown> => {
  const found = deprecationOf(operation, body);
  return found === null ? {} : { deprecated: found };
};

/**
 * A tool's result: the value that REST answers, or its brief view, and the same JSON as text.
 */
export const resultOf = (
  done: Done,
  requestId: string,
  { operation, view, deprecatedShown }: { operation: ToolOperation; view: View; deprecatedShown: boolean },
): CallToolResult => {
  if (!done.ok) return refusalResult(done.error, done.status, requestId, done.replayed);
  const whole = textOf(done.body);
  const value = view === 'full' ? JSON.parse(whole) : briefAnswer(operation, JSON.parse(whole));
  return {
    content: [{ type: 'text', text: view === 'full' ? whole : JSON.stringify(value) }],
    structuredContent: value as Record<string, unknown>,
    _meta: {
      request_id: requestId,
      status: done.status,
      ...(done.replayed ? { idempotent_replayed: true } : {}),
      ...(deprecatedShown && view === 'full' ? deprecationMeta(operation, done.body) : {}),
    },
  };
};
