/** How a method is called over HTTP. `body` says whether its fields that are not in the path go into a body. */
export type Route = {
  operation: string;
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  /** Whether the request carries the key. */
  keyed: boolean;
  /** Whether the request carries an Idempotency-Key. */
  write: boolean;
  body: boolean;
  /** Whether the answer may be held back until there is something to answer, by the query field `wait`. */
  waits?: boolean;
  paging?: { by: 'cursor' | 'offset' | 'before'; items: string };
};

/**
 * How long a call may take. `totalMs` bounds all attempts and the waits between them (60 s by default), `attempts`
 * their number (6 by default).
 */
export type RetryOptions = { totalMs?: number; attempts?: number };

export type CallOptions = {
  /**
   * Of a write: 8 to 128 characters from letters, digits and `. _ : -`. The same one with the same input returns the
   * same answer and never runs twice. A random one by default.
   */
  idempotencyKey?: string | undefined;
  /** Ends the call, its waits included; the call then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Of one attempt, in milliseconds. 30,000 by default: the service answers a write within 25 s. */
  timeoutMs?: number | undefined;
  /** `false` sends the request once. */
  retry?: RetryOptions | false | undefined;
  /** Your own id for the request, 8 to 128 characters. The service makes one by default. */
  requestId?: string | undefined;
};

/** Time, so that a test need not wait. `now` is in milliseconds. */
export type Clock = {
  now: () => number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it is aborted. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

export type ClientOptions = {
  /** The application's address, such as https://cds.example; the root of the API, ending in /api/v1, will do. */
  url: string;
  /** An API key, or a function that returns the current one. Operations without a credential need none. */
  key?: string | (() => string | Promise<string>) | undefined;
  /** Goes in front of the client's own name in User-Agent, such as `acme-agent/2.1`. */
  userAgent?: string | undefined;
  timeoutMs?: number | undefined;
  retry?: RetryOptions | false | undefined;
  /** Lets a key travel over plain http to a host other than this machine. */
  allowInsecure?: boolean | undefined;
  /** Called before each wait, for logs and progress. */
  onRetry?: ((retry: RetryNotice) => void) | undefined;
  fetch?: typeof globalThis.fetch | undefined;
  clock?: Clock | undefined;
  /** From 0 to 1, below 1. Math.random by default. */
  random?: (() => number) | undefined;
};

/** What is about to be sent again, and why. `attempt` is the one that failed. */
export type RetryNotice = { operation: string; attempt: number; waitMs: number; error: Error };

/** The key's minute window after a request. */
export type RateWindow = { limit: number; remaining: number; resetSeconds: number };

/** An answer with what its headers said. */
export type Answer<T> = {
  value: T;
  status: number;
  /** Quote it when you report something. */
  requestId: string | null;
  /** Whether this is the stored answer of an earlier request with the same Idempotency-Key. */
  replayed: boolean;
  rate: RateWindow | null;
  /** The key that a write was sent with. */
  idempotencyKey: string | null;
};
