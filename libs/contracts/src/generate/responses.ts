import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { ERROR_CODES, type ErrorCode, ErrorResource } from '../error.js';
import type { OperationDeclaration } from '../operation.js';

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** Stands on every answer of every door (domain 4-doors 11). */
const ALWAYS = { 'x-request-id': header('RequestId') };

const RATE = {
  'RateLimit-Limit': header('RateLimitLimit'),
  'RateLimit-Remaining': header('RateLimitRemaining'),
  'RateLimit-Reset': header('RateLimitReset'),
  'RateLimit-Policy': header('RateLimitPolicy'),
  RateLimit: header('RateLimit'),
};

const text = (description: string, example?: string) => ({
  description,
  schema: { type: 'string' as const, ...(example === undefined ? {} : { examples: [example] }) },
});
const whole = (description: string) => ({ description, schema: { type: 'integer' as const, minimum: 0 } });

/** The headers of answers, by the names that responses refer to. */
export const HEADERS = {
  RequestId: text('The id of this request; quote it when reporting a failed or slow call.'),
  RateLimitLimit: whole('Requests per minute of this key.'),
  RateLimitRemaining: whole('Requests left in this minute.'),
  RateLimitReset: whole('Seconds until the minute window ends.'),
  RateLimitPolicy: text('The policy of the window.', '"minute";q=60;w=60'),
  RateLimit: text('What is left, in structured form.', '"minute";r=41;t=17'),
  RetryAfter: { description: 'Seconds to wait, at least 1.', schema: { type: 'integer' as const, minimum: 1 } },
  Replayed: text('true on the stored answer of a write sent again with the same Idempotency-Key.', 'true'),
  Deprecation: text('The answer holds a deprecated field.'),
  Sunset: text('When the deprecated field is removed.'),
  Challenge: text('How to authenticate, or the scope that is missing.', 'Bearer'),
};

/** The headers of an operation's own answer. */
export const answerHeaders = (operation: OperationDeclaration) => ({
  ...ALWAYS,
  ...(operation.scope === null ? {} : RATE),
  ...(operation.idempotency === undefined ? {} : { 'Idempotent-Replayed': header('Replayed') }),
  ...(operation.deprecated === undefined ? {} : { Deprecation: header('Deprecation'), Sunset: header('Sunset') }),
});

type Refusal = { codes: readonly ErrorCode[]; says: string; headers?: Record<string, { $ref: string }> };

const RETRY = { 'Retry-After': header('RetryAfter') };
const CHALLENGE = { 'WWW-Authenticate': header('Challenge') };

/** What each status means for one operation, with the codes it may carry; a status that cannot come is left out. */
const refusalsOf = (operation: OperationDeclaration): Refusal[] => {
  const keyed = operation.scope !== null;
  const write = operation.effect === 'write';
  const mandated = operation.scope === 'campaigns:write' || operation.scope === 'plans:approve';
  const reasons = operation.conflicts ?? [];
  const found: (Refusal | false)[] = [
    {
      codes: operation.name === 'creators_search' ? ['bad_request', 'filter_required'] : ['bad_request'],
      says: 'A parameter, header or body field is not valid or not taken; details.problems names each.',
    },
    keyed && { codes: ['unauthorized'], says: 'No key, an unknown key or a revoked key.', headers: CHALLENGE },
    keyed && {
      codes: mandated ? ['forbidden', 'mandate_refused'] : ['forbidden'],
      says: mandated
        ? "The key lacks the scope, or the key's mandate refuses (details.reason, with the limit and the excess)."
        : operation.audience === 'sandbox'
          ? 'The workspace is not a sandbox.'
          : 'The key lacks the scope.',
      headers: CHALLENGE,
    },
    keyed &&
      (operation.params !== undefined || namesCampaign(operation)) && {
        codes: ['not_found'],
        says: 'Nothing of yours has that id.',
      },
    write && {
      codes: [...(reasons.length > 0 ? (['conflict'] as const) : []), 'idempotency_conflict', 'in_progress'],
      says: `${reasons.length > 0 ? `The state refuses (details.reason: ${reasons.join(', ')}). ` : ''}The Idempotency-Key belongs to another request, or the same request still runs (Retry-After).`,
      headers: RETRY,
    },
    operation.body !== undefined && {
      codes: ['unprocessable'],
      says: 'The body is readable but a value is missing or cannot be used; details.problems names each.',
    },
    { codes: ['rate_limited'], says: 'A limit is reached; details.reason names it.', headers: RETRY },
    { codes: ['internal'], says: "Failed on the service's side; a write may be sent again with the same key." },
    {
      codes: ['unavailable'],
      says: 'The service, or writing, is unavailable for now; send the same request again.',
      headers: RETRY,
    },
  ];
  return found.filter((one) => one !== false);
};

const namesCampaign = (operation: OperationDeclaration): boolean =>
  [operation.query, operation.body].some((part) => part !== undefined && 'campaign_id' in part.shape);

/** The refusals of an operation as OpenAPI responses; the status of a code comes from the one table. */
export const errorResponses = (operation: OperationDeclaration): Record<string, ZodOpenApiResponseObject> =>
  Object.fromEntries(
    refusalsOf(operation).map(({ codes, says, headers }) => {
      const status = ERROR_CODES[codes[0] ?? 'internal'].status;
      const response: ZodOpenApiResponseObject = {
        description: `${codes.join(', ')}: ${says}`,
        headers: {
          ...ALWAYS,
          ...(operation.scope === null || status === 401 ? {} : RATE),
          ...(headers ?? {}),
        },
        content: { 'application/json': { schema: ErrorResource } },
      };
      return [String(status), response];
    }),
  );
