import type { OperationName } from './errors.js';
import { type EventFeed, type FollowOptions, follow } from './events.js';
import type { Methods, PagedMethods } from './generated/methods.js';
import type { Operations } from './generated/operations.js';
import { API_VERSION, ROUTES } from './generated/routes.js';
import type { Answer, CallOptions, ClientOptions, Route } from './options.js';
import { pagesOf } from './paging.js';
import { CLOCK, retried, TIMEOUT_MS } from './retry.js';
import { type Sending, sendOnce } from './transport.js';

/** A request that has no method. Paths begin at the application's address. */
export type RawRequest = { query?: Record<string, unknown>; body?: unknown };

export type Client = Methods & {
  /** An operation by its name, answered with what the headers said. */
  call<N extends OperationName>(
    operation: N,
    input: Operations[N]['input'],
    options?: CallOptions,
  ): Promise<Answer<Operations[N]['output']>>;
  /** The lists that come in pages, item by item: `for await (const order of client.each.ordersList())`. */
  readonly each: PagedMethods;
  readonly events: {
    /** The workspace's events in order, as they happen, by GET /events. */
    follow(options?: FollowOptions): EventFeed;
  };
  /** A request of your own, with the client's key, retries and errors. */
  request(method: Route['method'], path: string, request?: RawRequest, options?: CallOptions): Promise<Answer<unknown>>;
};

type Fields = Record<string, unknown>;

const EVENTS = '/api/v1/events';

const ON_THIS_MACHINE = /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/;

/** The application's address without the root of the API. */
const rootOf = ({ url, key, allowInsecure }: ClientOptions): string => {
  const parsed = new URL(url);
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') throw new TypeError('url must be http or https.');
  const inClear = parsed.protocol === 'http:' && !ON_THIS_MACHINE.test(parsed.hostname);
  if (inClear && key !== undefined && allowInsecure !== true)
    throw new TypeError('url must be https: a key over http can be read on its way. allowInsecure permits it.');
  return `${parsed.origin}${parsed.pathname.replace(/\/(api\/v1\/?)?$/, '')}`;
};

const randomKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `sdk-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};

const queryOf = (fields: Fields): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
};

/** The path with its parameters filled in, and the fields that are left. */
const placed = (path: string, input: Fields): { path: string; rest: Fields } => {
  const rest = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = rest[name];
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} is required.`);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { path: filled, rest };
};

/** The sender behind all methods: one route with its input, sent until it is answered. */
const senderOf = (options: ClientOptions) => {
  const root = rootOf(options);
  const { fetch = globalThis.fetch, clock = CLOCK, random = Math.random } = options;
  const name = `cds-sdk/${API_VERSION}`;
  const userAgent = options.userAgent === undefined ? name : `${options.userAgent} ${name}`;

  const headersOf = async (route: Route, call: CallOptions, idempotencyKey: string | null) => ({
    accept: 'application/json',
    'user-agent': userAgent,
    ...(route.body ? { 'content-type': 'application/json' } : {}),
    ...(route.keyed && options.key !== undefined
      ? { authorization: `Bearer ${typeof options.key === 'string' ? options.key : await options.key()}` }
      : {}),
    ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
    ...(call.requestId === undefined ? {} : { 'x-request-id': call.requestId }),
  });

  return (route: Route, input: Fields, call: CallOptions): Promise<Answer<unknown>> => {
    const { path, rest } = placed(route.path, input);
    const idempotencyKey = route.write ? (call.idempotencyKey ?? randomKey()) : null;
    const base: Omit<Sending, 'headers'> = {
      operation: route.operation,
      method: route.method,
      url: `${root}${path}${route.body ? '' : queryOf(rest)}`,
      body: route.body ? JSON.stringify(rest) : undefined,
      idempotencyKey,
    };
    const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS;
    return retried(
      async ({ number, leftMs }) =>
        sendOnce(
          fetch,
          { ...base, headers: await headersOf(route, call, idempotencyKey) },
          { number, timeoutMs: Math.min(timeoutMs, leftMs), signal: call.signal, now: clock.now },
        ),
      {
        options: call.retry ?? options.retry ?? {},
        clock,
        random,
        signal: call.signal,
        onRetry: (attempt, waitMs, error) => options.onRetry?.({ operation: route.operation, attempt, waitMs, error }),
      },
    );
  };
};

/**
 * A client of the Creator Distribution Service. It holds no connection and no state, so one may serve many callers.
 * Every method takes the operation's fields by name and throws CdsError: ApiError for a refusal, ConnectionError where
 * no answer arrived. Safe failures are tried again, writes with the same Idempotency-Key.
 */
export const createClient = (options: ClientOptions): Client => {
  const send = senderOf(options);
  const rows = Object.entries(ROUTES);
  const eventsWait = rows.some(([, { method, path, waits }]) => method === 'GET' && path === EVENTS && waits === true);
  const byOperation = new Map(rows.map(([, route]) => [route.operation, route]));

  const methods = Object.fromEntries(
    rows.map(([method, route]) => [
      method,
      async (input: Fields = {}, call: CallOptions = {}) => (await send(route, input, call)).value,
    ]),
  );
  const each = Object.fromEntries(
    rows.flatMap(([method, route]) => {
      const { paging } = route;
      const load = async (input: Fields, call: CallOptions) => (await send(route, input, call)).value as Fields;
      return paging === undefined
        ? []
        : [[method, (input: Fields = {}, call: CallOptions = {}) => pagesOf(load, paging, input, call)]];
    }),
  );

  const request: Client['request'] = (method, path, { query = {}, body } = {}, call = {}) => {
    const isRead = method === 'GET';
    const route = {
      operation: `${method} ${path}`,
      method,
      path,
      keyed: true,
      write: !isRead,
      body: body !== undefined,
    };
    return send(route, body === undefined ? query : (body as Fields), call);
  };
  const named = {
    call: async (operation: string, input: Fields, call: CallOptions = {}) => {
      const route = byOperation.get(operation);
      if (route === undefined) throw new TypeError(`There is no operation ${operation}.`);
      return send(route, input, call);
    },
    each,
    events: {
      follow: (follower: FollowOptions = {}) =>
        follow((query, call) => request('GET', EVENTS, { query }, call), eventsWait, options.clock ?? CLOCK, follower),
    },
    request,
  };
  return { ...methods, ...named } as unknown as Client;
};
