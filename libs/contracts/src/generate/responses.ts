import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { ERROR_CODES, ErrorResource } from '../error.js';
import type { OperationDeclaration } from '../operation.js';
import { refusalsOf } from '../refusals.js';

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

const OF_REFUSAL = {
  'Retry-After': { 'Retry-After': header('RetryAfter') },
  'WWW-Authenticate': { 'WWW-Authenticate': header('Challenge') },
};

/** The errors of an operation as OpenAPI responses. */
export const errorResponses = (operation: OperationDeclaration): Record<string, ZodOpenApiResponseObject> =>
  Object.fromEntries(
    refusalsOf(operation).map(
      ({ codes, description, header: own, status = ERROR_CODES[codes[0] ?? 'internal'].status }) => {
        const response: ZodOpenApiResponseObject = {
          description: `${codes.join(', ')}: ${description}`,
          headers: {
            ...ALWAYS,
            ...(operation.scope === null || status === 401 ? {} : RATE),
            ...(own === undefined ? {} : OF_REFUSAL[own]),
          },
          content: { 'application/json': { schema: ErrorResource } },
        };
        return [String(status), response];
      },
    ),
  );
