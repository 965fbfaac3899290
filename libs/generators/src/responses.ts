import {
  ERROR_CODES,
  ErrorResource,
  type OperationDeclaration,
  type OperationRefusal,
  refusalsOf,
  TOKEN_PATTERN,
} from '@cds/contracts';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import type { RecordedExample } from './examples.js';

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** On every response of every endpoint (docs/domain/requests.md#every-request). */
const ALWAYS = { 'x-request-id': header('RequestId'), 'Cache-Control': header('CacheControl') };

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

const wait = { description: 'Seconds to wait, at least 1.', schema: { type: 'integer' as const, minimum: 1 } };

export const HEADERS = {
  RequestId: {
    ...text('The id of this request. Quote it when you report a failed or slow call.'),
    schema: { type: 'string' as const, minLength: 8, maxLength: 128, pattern: TOKEN_PATTERN.source },
    required: true,
  },
  CacheControl: text('How long the answer may be kept.', 'no-store'),
  RateLimitLimit: whole('Requests per minute for this key, or for the client address where no key is needed.'),
  RateLimitRemaining: whole('Requests left in this minute, with this one counted.'),
  RateLimitReset: whole('Seconds until the minute window ends.'),
  RateLimitPolicy: text('The policy of the window.', '"minute";q=60;w=60'),
  RateLimit: text('The remaining requests, in structured form.', '"minute";r=41;t=17'),
  RetryAfter: { ...wait, required: true },
  RetryAfterIfRunning: { ...wait, description: 'Only with in_progress: seconds to wait, at least 1.' },
  Replayed: text('true if this is the stored answer of an earlier request with the same Idempotency-Key.', 'true'),
  Deprecation: text('The answer contains a deprecated field.'),
  Sunset: text('When the deprecated field will be removed.'),
  Challenge: text('How to authenticate, or which scope is missing.', 'Bearer'),
};

export const answerHeaders = (operation: OperationDeclaration) => ({
  ...ALWAYS,
  ...RATE,
  ...(operation.idempotency === undefined ? {} : { 'Idempotent-Replayed': header('Replayed') }),
  ...(operation.deprecated === undefined ? {} : { Deprecation: header('Deprecation'), Sunset: header('Sunset') }),
});

/** The statuses whose refusals a write stores under its Idempotency-Key, and replays. */
const REPLAYABLE: ReadonlySet<number> = new Set([403, 409, 422]);

const ownHeader = ({ codes, header: own }: OperationRefusal) => {
  if (own === undefined) return {};
  if (own === 'WWW-Authenticate') return { [own]: header('Challenge') };
  return { [own]: header(codes.includes('in_progress') ? 'RetryAfterIfRunning' : 'RetryAfter') };
};

/** The recorded errors that a refusal can be, and the operation's own where it has one. */
const examplesOf = ({ codes }: OperationRefusal, status: number, recorded: RecordedExample | undefined) => {
  const own = recorded?.answers[status];
  const shared = status === 502 ? ['undelivered'] : codes.filter((code) => code !== 'conflict');
  return {
    ...(own === undefined ? {} : { conflict: { value: own } }),
    ...Object.fromEntries(shared.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
  };
};

export const errorResponses = (
  operation: OperationDeclaration,
  recorded: RecordedExample | undefined,
): Record<string, ZodOpenApiResponseObject> =>
  Object.fromEntries(
    refusalsOf(operation).map((refusal) => {
      const { codes, description, status = ERROR_CODES[codes[0] ?? 'internal'].status } = refusal;
      const response: ZodOpenApiResponseObject = {
        description: `${codes.join(', ')}: ${description}`,
        headers: {
          ...ALWAYS,
          ...(status === 401 ? {} : RATE),
          ...(operation.idempotency !== undefined && REPLAYABLE.has(status)
            ? { 'Idempotent-Replayed': header('Replayed') }
            : {}),
          ...ownHeader(refusal),
        },
        content: { 'application/json': { schema: ErrorResource, examples: examplesOf(refusal, status, recorded) } },
      };
      return [String(status), response];
    }),
  );
