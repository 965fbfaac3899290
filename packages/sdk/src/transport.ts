import { ApiFailure, ConnectionError, TimeoutError, UnexpectedAnswerError } from './errors.js';
import type { ErrorCode } from './generated/errors.js';
import type { Answer, RateWindow } from './options.js';
import { retryAfterOf } from './retry.js';

export type Sending = {
  operation: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  idempotencyKey: string | null;
};

type Attempt = { number: number; timeoutMs: number; signal: AbortSignal | undefined; now: () => number };

/** What the status of a proxy's answer says, where the body says nothing. */
const CODE_OF_GATEWAY: Readonly<Record<number, ErrorCode>> = {
  500: 'internal',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

const numberIn = (headers: Headers, name: string): number => Number(headers.get(name) ?? Number.NaN);

const rateOf = (headers: Headers): RateWindow | null => {
  const limit = numberIn(headers, 'ratelimit-limit');
  const remaining = numberIn(headers, 'ratelimit-remaining');
  const resetSeconds = numberIn(headers, 'ratelimit-reset');
  return Number.isNaN(limit + remaining + resetSeconds) ? null : { limit, remaining, resetSeconds };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

type ErrorBody = { code: ErrorCode; message: string; details?: Record<string, unknown>; receipt_id?: string };

const errorIn = (body: unknown): ErrorBody | undefined => {
  const error = (body as { error?: Partial<ErrorBody> } | null | undefined)?.error;
  return typeof error?.code === 'string' && typeof error.message === 'string' ? (error as ErrorBody) : undefined;
};

const failureOf = (response: Response, text: string, sending: Sending, attempt: Attempt): Error => {
  const facts = { ...sending, attempts: attempt.number };
  const found = errorIn(parsed(text));
  const code = found?.code ?? CODE_OF_GATEWAY[response.status];
  if (code === undefined) return new UnexpectedAnswerError(response.status, facts);
  const details = found?.details ?? {};
  const said = typeof details['retry_after'] === 'number' ? details['retry_after'] : null;
  return new ApiFailure(
    {
      code,
      message: found?.message ?? `The service answered ${response.status}. Send the same request again.`,
      details,
      receiptId: found?.receipt_id ?? null,
    },
    {
      status: response.status,
      requestId: response.headers.get('x-request-id'),
      retryAfter: retryAfterOf(response.headers.get('retry-after'), attempt.now()) ?? said,
    },
    facts,
  );
};

const answerOf = (response: Response, text: string, sending: Sending, attempt: Attempt): Answer<unknown> => {
  const value = text === '' ? null : parsed(text);
  if (value === undefined) throw new UnexpectedAnswerError(response.status, { ...sending, attempts: attempt.number });
  return {
    value,
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    replayed: response.headers.get('idempotent-replayed') === 'true',
    rate: rateOf(response.headers),
    idempotencyKey: sending.idempotencyKey,
  };
};

/** Aborts with the caller's signal or after the timeout. `end` releases both. */
const limited = ({ timeoutMs, signal }: Attempt) => {
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(), Math.max(1, timeoutMs));
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
};

/**
 * Sends one request once. Throws what the caller's signal says, ConnectionError without an answer, ApiFailure for a
 * refusal, and UnexpectedAnswerError for an answer of something else, also for a redirection, which is not followed:
 * the key goes to the address that was named and nowhere else.
 */
export const sendOnce = async (
  fetch: typeof globalThis.fetch,
  sending: Sending,
  attempt: Attempt,
): Promise<Answer<unknown>> => {
  const { method, headers, body } = sending;
  const limit = limited(attempt);
  try {
    const init: RequestInit = { method, headers, redirect: 'manual', signal: limit.signal };
    const response = await fetch(sending.url, body === undefined ? init : { ...init, body });
    const text = await response.text();
    if (!response.ok) throw failureOf(response, text, sending, attempt);
    return answerOf(response, text, sending, attempt);
  } catch (error) {
    if (error instanceof ApiFailure || error instanceof UnexpectedAnswerError) throw error;
    if (attempt.signal?.aborted) throw attempt.signal.reason;
    const facts = { ...sending, attempts: attempt.number };
    if (limit.signal.aborted) throw new TimeoutError(`No answer within ${attempt.timeoutMs} ms.`, facts, error);
    throw new ConnectionError(`${new URL(sending.url).host} does not answer.`, facts, error);
  } finally {
    limit.end();
  }
};
