import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { ERROR_CODES, type ErrorCode, ErrorResource } from '../error.js';
import type { OperationDeclaration } from '../operation.js';

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** On every response of every endpoint (docs/domain/access.md#every-request). */
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

/** Response headers by component name. */
export const HEADERS = {
  RequestId: text('The id of this request. Quote it when you report a failed or slow call.'),
  RateLimitLimit: whole('Requests per minute for this key.'),
  RateLimitRemaining: whole('Requests left in this minute.'),
  RateLimitReset: whole('Seconds until the minute window ends.'),
  RateLimitPolicy: text('The policy of the window.', '"minute";q=60;w=60'),
  RateLimit: text('The remaining requests, in structured form.', '"minute";r=41;t=17'),
  RetryAfter: { description: 'Seconds to wait, at least 1.', schema: { type: 'integer' as const, minimum: 1 } },
  Replayed: text('true if this is the stored answer of an earlier request with the same Idempotency-Key.', 'true'),
  Deprecation: text('The answer contains a deprecated field.'),
  Sunset: text('When the deprecated field will be removed.'),
  Challenge: text('How to authenticate, or which scope is missing.', 'Bearer'),
};

/** The headers of an operation's own answer. */
export const answerHeaders = (operation: OperationDeclaration) => ({
  ...ALWAYS,
  ...(operation.scope === null ? {} : RATE),
  ...(operation.idempotency === undefined ? {} : { 'Idempotent-Replayed': header('Replayed') }),
  ...(operation.deprecated === undefined ? {} : { Deprecation: header('Deprecation'), Sunset: header('Sunset') }),
});

type Refusal = {
  codes: readonly ErrorCode[];
  description: string;
  headers?: Record<string, { $ref: string }>;
  /** Where it is not the code's own. */
  status?: number;
};

const RETRY = { 'Retry-After': header('RetryAfter') };
const CHALLENGE = { 'WWW-Authenticate': header('Challenge') };

/** The error statuses that one operation can return, with their codes and meaning. */
const refusalsOf = (operation: OperationDeclaration): Refusal[] => {
  const keyed = operation.scope !== null;
  const write = operation.effect === 'write';
  const mandated = operation.scope === 'campaigns:write' || operation.scope === 'plans:approve';
  const reasons = operation.conflicts ?? [];
  const found: (Refusal | false)[] = [
    {
      codes: operation.name === 'creators_search' ? ['bad_request', 'filter_required'] : ['bad_request'],
      description: 'A parameter, header or body field is invalid or not accepted. details.problems lists each one.',
    },
    keyed && { codes: ['unauthorized'], description: 'The key is missing, unknown or revoked.', headers: CHALLENGE },
    keyed && {
      codes: mandated ? ['forbidden', 'mandate_refused'] : ['forbidden'],
      description: mandated
        ? 'The key lacks the scope, or its mandate refuses. details.reason says why, with the limit and the excess.'
        : operation.audience === 'sandbox'
          ? 'Available only in sandbox workspaces.'
          : 'The key lacks the scope.',
      headers: CHALLENGE,
    },
    keyed &&
      (operation.params !== undefined || namesCampaign(operation)) && {
        codes: ['not_found'],
        description: 'Nothing with that id was found.',
      },
    write && {
      codes: [...(reasons.length > 0 ? (['conflict'] as const) : []), 'idempotency_conflict', 'in_progress'],
      description: `${reasons.length > 0 ? `The current state does not allow it (details.reason: ${reasons.join(', ')}). ` : ''}The Idempotency-Key was used for another request, or the same request is still running (Retry-After).`,
      headers: RETRY,
    },
    operation.body !== undefined && {
      codes: ['unprocessable'],
      description: 'A value in the body is missing or invalid. details.problems lists each one.',
    },
    { codes: ['rate_limited'], description: 'A limit has been reached. details.reason names it.', headers: RETRY },
    {
      codes: ['internal'],
      description: 'The service failed unexpectedly. Retry a write with the same Idempotency-Key.',
    },
    operation.name === 'creator_ask_price' && {
      codes: ['unavailable'],
      status: 502,
      description: 'The request did not reach the team and was not saved. Send it again.',
      headers: RETRY,
    },
    {
      codes: ['unavailable'],
      description: 'The service, or writing, is temporarily unavailable. Send the same request again.',
      headers: RETRY,
    },
  ];
  return found.filter((one) => one !== false);
};

const namesCampaign = (operation: OperationDeclaration): boolean =>
  [operation.query, operation.body].some((part) => part !== undefined && 'campaign_id' in part.shape);

/** The errors of an operation as OpenAPI responses. */
export const errorResponses = (operation: OperationDeclaration): Record<string, ZodOpenApiResponseObject> =>
  Object.fromEntries(
    refusalsOf(operation).map(
      ({ codes, description, headers, status = ERROR_CODES[codes[0] ?? 'internal'].status }) => {
        const response: ZodOpenApiResponseObject = {
          description: `${codes.join(', ')}: ${description}`,
          headers: {
            ...ALWAYS,
            ...(operation.scope === null || status === 401 ? {} : RATE),
            ...(headers ?? {}),
          },
          content: { 'application/json': { schema: ErrorResource } },
        };
        return [String(status), response];
      },
    ),
  );
