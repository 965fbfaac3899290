import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ErrorResource, type Problem } from '@cds/contracts';

export type HttpAnswer = { status: number; headers: Headers; text: string; json: unknown };

/** The parts of an error body. Any other body fails the test. */
export const errorOf = (answer: HttpAnswer): { code: string; details: Record<string, unknown>; fields: string[] } => {
  const { error } = ErrorResource.parse(answer.json);
  const details = error.details ?? {};
  const problems = (details['problems'] ?? []) as Problem[];
  return { code: error.code, details, fields: problems.map((problem) => problem.field) };
};

export type Ask = {
  method?: string;
  key?: string;
  /** A whole Cookie header. A write with it is sent as from our own page. */
  cookie?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** A body sent unchanged, without a default content type. */
  raw?: string;
};

/** Sends one request to a running gateway. */
export const ask = async (
  url: string,
  path: string,
  { method = 'GET', key, cookie, headers = {}, body, raw }: Ask = {},
): Promise<HttpAnswer> => {
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(cookie === undefined ? {} : { cookie, ...(method === 'GET' ? {} : { origin: new URL(url).origin }) }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(raw === undefined ? {} : { body: raw }),
  });
  // A stream has no end to wait for.
  const streams = response.headers.get('content-type') === 'text/event-stream';
  if (streams) await response.body?.cancel();
  const text = streams ? '' : await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
};

/** Sends raw bytes and returns everything received until the connection ends. */
export const askRaw = (url: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });

let keys = 0;
/** An Idempotency-Key that no other request of this test run uses. */
export const freshKey = (): string => {
  keys += 1;
  return `key-of-test-${keys}`;
};

/** Repeats a request until it gets the awaited answer, for what takes effect within moments. */
export const askUntil = async (
  again: () => Promise<HttpAnswer>,
  awaited: (answer: HttpAnswer) => boolean,
): Promise<HttpAnswer> => {
  const end = performance.now() + 20_000;
  for (;;) {
    const answer = await again();
    if (awaited(answer) || performance.now() > end) return answer;
    await delay(100);
  }
};
