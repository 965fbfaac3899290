import { briefAnswer, type DeprecatedUntil, type ErrorBody, type ToolOperation, type View } from '@cds/contracts';
import { statusOf } from '../http/answer.js';
import { deprecationOf } from '../http/deprecation.js';
import type { Done } from '../steps/dispatch.js';

/** What tools/call answers. The texts are JSON, so that an answer is never parsed on its way to the caller. */
export type ToolResult = {
  isError: boolean;
  text: string;
  /** `structuredContent` as JSON; null for a refusal, which clients would check against the output schema. */
  structured: string | null;
  meta: Record<string, unknown>;
};

const textOf = (body: Uint8Array | string): string =>
  typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');

/** A refusal as a result (docs/domain/mcp.md#mcp). */
export const refusalResult = (
  error: ErrorBody,
  status: number | undefined,
  requestId: string,
  replayed = false,
): ToolResult => ({
  isError: true,
  text: JSON.stringify({ error }),
  structured: null,
  meta: {
    request_id: requestId,
    status: statusOf(error, status),
    error,
    ...(replayed ? { idempotent_replayed: true } : {}),
  },
});

const deprecationMeta = (
  operation: ToolOperation,
  body: Uint8Array | string,
  until: DeprecatedUntil,
): Record<string, unknown> => {
  const found = deprecationOf(operation, body, until);
  return found === null ? {} : { deprecated: found };
};

/** A tool's result: the value that REST answers, or its brief view, and the same JSON as text. */
export const resultOf = (
  done: Done,
  requestId: string,
  { operation, view, until }: { operation: ToolOperation; view: View; until: DeprecatedUntil },
): ToolResult => {
  if (!done.ok) return refusalResult(done.error, done.status, requestId, done.replayed);
  const whole = textOf(done.body);
  const shown = view === 'full' ? whole : JSON.stringify(briefAnswer(operation, JSON.parse(whole)));
  return {
    isError: false,
    text: shown,
    structured: shown,
    meta: {
      request_id: requestId,
      status: done.status,
      ...(done.replayed ? { idempotent_replayed: true } : {}),
      ...(view === 'full' ? deprecationMeta(operation, done.body, until) : {}),
    },
  };
};

/** The members of a result in JSON, for either revision; `more` are members that a revision adds. */
export const resultJson = (
  { isError, text, structured, meta }: ToolResult,
  more: Record<string, unknown> = {},
): string =>
  [
    isError ? '{"isError":true,' : '{',
    `"content":[{"type":"text","text":${JSON.stringify(text)}}],`,
    structured === null ? '' : `"structuredContent":${structured},`,
    ...Object.entries(more).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`),
    `"_meta":${JSON.stringify(meta)}}`,
  ].join('');
