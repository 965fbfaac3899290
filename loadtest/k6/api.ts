import { check } from 'k6';
import http, { type RefinedResponse } from 'k6/http';
import { Counter } from 'k6/metrics';

export type Fixture = {
  app_url: string;
  api_url: string;
  mcp_url: string;
  /** Keys that may only read, of live and sandbox workspaces. */
  readers: string[];
  agents: string[];
};

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by status here, and by their schemas in the tests
export type Json = any;

export type Answer = { status: number; body: Json };

/** Accepted answers besides a success: a limit that refuses is not a failure of the system. */
export type Options = { also?: readonly number[] };

/** k6 has the Web Crypto API and a console; its types do not name them. */
declare const crypto: { randomUUID: () => string };
declare const console: { error: (text: string) => void };

/** Refusals by a limit, counted apart from failures. */
const limited = new Counter('limited');

export const fixture: Fixture = JSON.parse(open(__ENV['CDS_LOAD_FIXTURE'] ?? '')) as Fixture;

export const newKey = (): string => `load-${crypto.randomUUID()}`;

const REPORTED = 3;
let reported = 0;

const judged = (response: RefinedResponse<'text'>, operation: string, { also = [] }: Options): void => {
  if (response.status === 429) limited.add(1, { operation });
  const { status } = response;
  const expected = (status >= 200 && status < 300) || also.includes(status);
  check(response, { 'answers as expected': () => expected });
  if (expected || reported === REPORTED) return;
  reported += 1;
  console.error(`${operation} answered ${status}: ${String(response.body ?? response.error).slice(0, 300)}`);
};

const parsed = (text: string | null): Json => {
  try {
    return text === null || text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
};

/** A REST call. Its operation names it in the report, and in the thresholds. */
export const rest = (
  operation: string,
  key: string,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  options: Options = {},
): Answer => {
  const response = http.request(
    method,
    `${path.startsWith('/api/') ? fixture.app_url : fixture.api_url}${path}`,
    body === undefined ? null : JSON.stringify(body),
    {
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'GET' ? {} : { 'idempotency-key': newKey() }),
      },
      tags: { operation, name: operation },
      responseType: 'text',
      responseCallback: http.expectedStatuses({ min: 200, max: 299 }, 429, ...(options.also ?? [])),
    },
  );
  judged(response, operation, { also: [429, ...(options.also ?? [])] });
  return { status: response.status, body: parsed(response.body) };
};

/** A call of a tool over MCP. The status is that of the operation, as `_meta` says. */
export const tool = (name: string, key: string, args: object = {}, options: Options = {}): Answer => {
  const response = http.post(
    fixture.mcp_url,
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    {
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      tags: { operation: name, name: `mcp ${name}` },
      responseType: 'text',
    },
  );
  const result = parsed(response.body)?.result;
  const status: number = result?._meta?.status ?? response.status;
  judged({ ...response, status }, name, { also: [429, ...(options.also ?? [])] });
  return { status, body: result?.structuredContent ?? result?._meta ?? null };
};

export const inTurn = <T>(list: readonly T[], turn: number): T => {
  const one = list[turn % list.length];
  if (one === undefined) throw new Error('the fixture is empty');
  return one;
};

export const dayAfter = (instant: string, days: number): string =>
  new Date(Date.parse(instant) + days * 86_400_000).toISOString().slice(0, 10);
