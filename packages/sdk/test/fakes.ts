import type { ClientOptions, Clock } from '../src/options.js';

/** One request as the fake service saw it. */
export type Seen = { method: string; url: string; headers: Headers; body: unknown; at: number };

/** What the fake service does with a request: an answer, no connection, or nothing until the caller gives up. */
export type Reply = { status?: number; body?: unknown; headers?: Record<string, string> } | 'unreachable' | 'silent';

const START = Date.parse('2026-11-24T12:00:00Z');

const answerOf = ({ status = 200, body = {}, headers = {} }: Exclude<Reply, string>): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });

const silent = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/**
 * A service that replies in turn, the last reply for good, and a clock that a wait moves forward. `tookMs` is what each
 * request takes on that clock.
 */
export const aService = (replies: readonly Reply[], { tookMs = 0 } = {}) => {
  const seen: Seen[] = [];
  const waits: number[] = [];
  let now = START;
  const clock: Clock = {
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
  };
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { method = 'GET', headers, body } = init ?? {};
    seen.push({
      method,
      url: String(url),
      headers: new Headers(headers),
      body: typeof body === 'string' ? JSON.parse(body) : undefined,
      at: now,
    });
    now += tookMs;
    const reply = replies[Math.min(seen.length, replies.length) - 1] ?? {};
    if (reply === 'unreachable') throw new TypeError('fetch failed');
    if (reply === 'silent') return silent((init as { signal: AbortSignal }).signal);
    return answerOf(reply);
  };
  const options: ClientOptions = { url: 'https://cds.example', key: 'cds_test_key', fetch, clock, random: () => 0 };
  return { seen, waits, clock, options };
};

/** The body of an error. */
export const anError = (code: string, details: Record<string, unknown> = {}, message = 'No.') => ({
  error: { code, message, details },
});
