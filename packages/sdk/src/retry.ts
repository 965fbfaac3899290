import { ApiFailure, ConnectionError } from './errors.js';
import type { Clock, RetryOptions } from './options.js';

/** The first wait where the answer names none, in milliseconds; it doubles with each attempt. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 16_000;
/** How much a wait may be lengthened, so that callers that failed together do not come back together. */
const JITTER = 0.25;
const LONGEST_JITTER_MS = 2_000;

export const RETRY: Required<RetryOptions> = { totalMs: 60_000, attempts: 6 };

/** How long an attempt may take, in milliseconds. */
export const TIMEOUT_MS = 30_000;

/** Reads are harmless to repeat, and writes carry the same Idempotency-Key (docs/guides/errors.md#retrying). */
export const mayRetry = (error: unknown): error is ApiFailure | ConnectionError =>
  error instanceof ConnectionError || (error instanceof ApiFailure && error.retryable);

/** At least what the answer said, otherwise doubled from one second. Jitter only lengthens, so nobody is early. */
export const waitAfter = (attempt: number, retryAfterSeconds: number | null, random: number): number => {
  const least =
    retryAfterSeconds === null
      ? Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS)
      : retryAfterSeconds * 1_000;
  return Math.round(least + random * Math.min(JITTER * least, LONGEST_JITTER_MS));
};

/** Seconds of a Retry-After header, which is a number or a date; null if there is none. */
export const retryAfterOf = (header: string | null, now: number): number | null => {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1_000));
};

type Attempt = { number: number; leftMs: number };
type Retrying = {
  options: RetryOptions | false;
  clock: Clock;
  random: () => number;
  signal: AbortSignal | undefined;
  onRetry: (attempt: number, waitMs: number, error: Error) => void;
};

/** Sends until an attempt succeeds, cannot succeed, or its wait would end after the total time. */
export const retried = async <T>(send: (attempt: Attempt) => Promise<T>, retrying: Retrying): Promise<T> => {
  const { options, clock, random, signal, onRetry } = retrying;
  const { totalMs, attempts } =
    options === false ? { totalMs: Number.POSITIVE_INFINITY, attempts: 1 } : { ...RETRY, ...options };
  const start = clock.now();
  for (let number = 1; ; number += 1) {
    const leftMs = totalMs - (clock.now() - start);
    try {
      return await send({ number, leftMs });
    } catch (error) {
      if (!mayRetry(error) || number >= attempts) throw error;
      const waitMs = waitAfter(number, error instanceof ApiFailure ? error.retryAfter : null, random());
      if (clock.now() - start + waitMs >= totalMs) throw error;
      onRetry(number, waitMs, error);
      await clock.sleep(waitMs, signal);
    }
  }
};

export const CLOCK: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};
