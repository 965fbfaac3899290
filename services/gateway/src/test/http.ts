import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ErrorResource, type Problem } from '@cds/contracts';

/** An answer as a test reads it. */
export type Heard = { status: number; headers: Headers; text: string; json: unknown };

/** What an error body says; a body that is no Error fails the test. */
export const errorOf = (heard: Heard): { code: string; details: Record<string, unknown>; fields: string[] } => {
  const { error } = ErrorResource.parse(heard.json);
  const details = error.details ?? {};
  const problems = (details['problems'] ?? []) as Problem[];
  return { code: error.code, details, fields: problems.map((problem) => problem.field) };
};

export type Ask = {
  method?: string;
  key?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** A body as it is, with no content type of its own. */
  raw?: string;
};

/** Sends one request to a running gateway. */
export const ask = async (
  url: string,
  path: string,
  { method = 'GET', key, headers = {}, body, raw }: Ask = {},
): Promise<Heard> => {
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(raw === undefined ? {} : { body: raw }),
  });
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
};

/** Sends bytes that no client would send, and answers what comes back until the connection ends. */
export const askRaw = (url: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk.toString();
    });
    socket.on('close', () => resolve(heard));
    socket.on('error', reject);
  });

let keys = 0;
/** An Idempotency-Key that no other request of this test run has. */
export const freshKey = (): string => {
  keys += 1;
  return `key-of-test-${keys}`;
};

/** Asks again until the answer is the awaited one, for what takes effect within a moment. */
export const askUntil = async (again: () => Promise<Heard>, awaited: (heard: Heard) => boolean): Promise<Heard> => {
  const end = performance.now() + 5_000;
  for (;;) {
    const heard = await again();
    if (awaited(heard) || performance.now() > end) return heard;
    await delay(100);
  }
};
