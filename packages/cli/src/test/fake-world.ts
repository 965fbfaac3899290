import type { World } from '../world.js';

export const KEY = `cds_test_abcdefghijkl_${'k'.repeat(49)}`;
export const URL_OF_SERVICE = 'https://cds.example';

export const NOW = Date.parse('2026-11-24T12:00:00.000Z');

type Reply = { status?: number; body: unknown };

const bodyOf = (text: string, headers: Headers): unknown =>
  headers.get('content-type') === 'application/json' ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));

/** A terminal, a person who types, and a service that replies by method and path. */
export const aWorld = ({
  folder = '/nowhere',
  replies = {},
  answers = [],
  input = '',
  terminal = {},
  key = KEY,
  noColor = false,
  now = NOW,
  listen = async () => Promise.reject(new Error('nobody listens here')),
}: {
  folder?: string;
  replies?: Record<string, Reply>;
  answers?: string[];
  input?: string;
  terminal?: Partial<World['terminal']>;
  key?: string | null;
  noColor?: boolean;
  now?: number;
  listen?: World['listen'];
} = {}) => {
  const said = { out: '', err: '' };
  const sent: { request: string; body: unknown; key: string | null; idempotencyKey: string | null }[] = [];
  const opened: string[] = [];
  const asked: { question: string; hidden: boolean }[] = [];
  const interrupt = new AbortController();
  const world: World = {
    config: { url: URL_OF_SERVICE, key: key ?? undefined, noColor, folder, host: 'laptop' },
    fetch: async (address, init) => {
      const { pathname, search, host } = new URL(String(address));
      const request = `${init?.method ?? 'GET'} ${pathname}${search}`;
      const headers = new Headers(init?.headers);
      const body = typeof init?.body === 'string' ? bodyOf(init.body, headers) : undefined;
      sent.push({ request, body, key: headers.get('authorization'), idempotencyKey: headers.get('idempotency-key') });
      const reply = replies[request] ??
        replies[`${host}${pathname}`] ?? {
          status: 404,
          body: { error: { code: 'not_found', message: `Nothing at ${request}.` } },
        };
      const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
      return new Response(text, { status: reply.status ?? 200, headers: { 'x-request-id': 'req-7' } });
    },
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    terminal: { out: false, err: false, in: false, columns: 80, ...terminal },
    ask: async (question, { hidden = false } = {}) => {
      asked.push({ question, hidden });
      return answers.shift() ?? '';
    },
    readInput: async () => input,
    openBrowser: async (url) => {
      opened.push(url);
      return true;
    },
    listen,
    now: () => now,
    signal: interrupt.signal,
  };
  return { world, said, sent, opened, asked, interrupt };
};
