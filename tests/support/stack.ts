import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Input, type OperationName, operationMap, pathOf, SERVICES } from '@cds/contracts';
import {
  type SeededWorkspace,
  type Stack,
  type StackOptions,
  seedBrand,
  seedNetwork,
  startStack,
} from '../../tools/lib/stack.js';
import { MOVABLE_CLOCKS } from './clocks.js';
import { startCollector } from './collector.js';

export type { SeededKey, SeededWorkspace, Stack } from '../../tools/lib/stack.js';

/** A whole system on real engines in one call: six services, its own nats-server and a seeded network. */
export const startWholeStack = async ({
  creators = 400,
  ...options
}: StackOptions & { creators?: number } = {}): Promise<Stack> => {
  const stack = await startStack(options);
  if (creators > 0) await seedNetwork(stack, { creators, seed: 1 });
  return stack;
};

/**
 * Systems for several suites: one that they share when they only bring brands of their own into it, and stop, change or
 * count nothing of others; two processes of each service; one whose processes may be killed and whose clocks may be
 * moved; one that logs and traces all it can.
 */
const KEPT = {
  shared: () => ({ creators: 400, env: { CDS_WEBHOOK_ALLOW_LOOPBACK: '1' } }),
  pairs: () => ({ creators: 900, replicas: Object.fromEntries(SERVICES.map((service) => [service, 2])) }),
  faults: () => ({ creators: 300, env: { CDS_WEBHOOK_ALLOW_LOOPBACK: '1' }, ...MOVABLE_CLOCKS }),
  observed: async () => ({
    creators: 200,
    env: { CDS_LOG_LEVEL: 'trace', CDS_OTEL_ENDPOINT: await startCollector(), CDS_OTEL_SAMPLE: '1' },
  }),
} as const satisfies Record<string, () => Wanted | Promise<Wanted>>;
type Wanted = StackOptions & { creators: number };
const kept = new Map<string, Promise<Stack>>();

/**
 * A whole system that the suites of one Jest use one after the other, and that ends with it: a start costs as much as
 * most suites. A suite brings brands of its own, restarts what it kills, puts back what it changes for all, and never
 * stops the system.
 */
export const keptStack = async (name: keyof typeof KEPT): Promise<Stack> => {
  const started = kept.get(name) ?? Promise.resolve(KEPT[name]()).then(startWholeStack);
  kept.set(name, started);
  const stack = await started;
  // A suite that failed may have left one dead; the next must not fail for it.
  for (const [service, processes] of Object.entries(stack.services))
    for (const [index, one] of processes.entries()) if (!one.isAlive()) await stack.restartService(service, index);
  await stack.whenReady();
  return stack;
};

/** The part of a stack that needs no handle on its processes. */
export type SharedStack = Pick<
  Stack,
  | 'appUrl'
  | 'apiUrl'
  | 'mcpUrl'
  | 'guestMcpUrl'
  | 'opsUrl'
  | 'appUrls'
  | 'opsToken'
  | 'relayToken'
  | 'mongodbUri'
  | 'natsUrl'
  | 'prefix'
  | 'home'
>;

/** The system that suites share. */
export const sharedStack = (): Promise<SharedStack> => keptStack('shared');

/** A new approved brand with its live and its sandbox workspace, once catalog knows their audience. */
export const aBrand = async (stack: SharedStack): Promise<{ live: SeededWorkspace; sandbox: SeededWorkspace }> => {
  const workspaces = await seedBrand(stack, { name: `brand-${randomUUID().slice(0, 8)}` });
  const live = workspaces.find((one) => one.kind === 'live');
  const sandbox = workspaces.find((one) => one.kind === 'sandbox');
  if (live === undefined || sandbox === undefined) throw new Error('a seeded brand lacks a workspace');
  for (const workspace of [live, sandbox])
    await eventually(
      () => ask(stack, secretOf(workspace, 'muted'), 'inventory', {}),
      (body: { segments: unknown[] }) => body.segments.length > 0,
    );
  return { live, sandbox };
};

export const secretOf = (workspace: SeededWorkspace, name: string): string => {
  const key = workspace.keys.find((one) => one.name === name);
  if (key === undefined) throw new Error(`${workspace.name} has no key ${name}`);
  return key.secret;
};

export const anIdempotencyKey = (): string => `test-${randomUUID()}`;

export type Answer = { status: number; body: unknown; headers: Headers };

/** One request by REST, as its declaration says; `key` null sends no credential. */
export const ask = async <N extends OperationName>(
  stack: SharedStack,
  key: string | null,
  name: N,
  input: Partial<Input<N>> & Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const operation = operationMap[name];
  if (!('rest' in operation)) throw new Error(`${name} has no REST route`);
  const rest: Record<string, unknown> = { ...input };
  const path = pathOf(operation as never).replace(/\{(\w+)\}/g, (_all, field: string) => {
    const value = encodeURIComponent(String(rest[field]));
    delete rest[field];
    return value;
  });
  const url = new URL(path, stack.appUrl);
  const isGet = operation.rest.method === 'GET';
  if (isGet) for (const [field, value] of Object.entries(rest)) url.searchParams.set(field, String(value));
  const response = await fetch(url, {
    method: operation.rest.method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(isGet ? {} : { 'content-type': 'application/json' }),
      ...(operation.effect === 'write' ? { 'idempotency-key': anIdempotencyKey() } : {}),
      ...headers,
    },
    ...(isGet || operation.rest.method === 'DELETE' ? {} : { body: JSON.stringify(rest) }),
  });
  const text = await response.text();
  const isText = response.headers.get('content-type') === 'text/event-stream';
  const body = isText ? text : text === '' ? null : JSON.parse(text);
  return { status: response.status, body, headers: response.headers };
};

const TRIES = 10;

/**
 * Sends a write, and repeats it under its Idempotency-Key while the answer is 503, as an agent does: a clock that moves
 * far on a busy machine takes more than one request. Returns the last answer.
 */
export const retried = async <T extends { status: number }>(
  send: (idempotencyKey: string) => Promise<T>,
): Promise<T> => {
  const idempotencyKey = anIdempotencyKey();
  for (let left = TRIES - 1; ; left -= 1) {
    const answer = await send(idempotencyKey);
    if (answer.status !== 503 || left === 0) return answer;
  }
};

/**
 * Asks again while the request runs out of time, for suites that take any other failure for a fault: twelve services
 * that start beside other suites can keep a machine busy for longer than a read may take.
 */
export const inTime = async (send: () => Promise<Answer>): Promise<Answer> => {
  for (let left = TRIES - 1; ; left -= 1) {
    const answer = await send();
    const { error } = (answer.body ?? {}) as { error?: { message: string } };
    if (answer.status !== 503 || left === 0 || error?.message.startsWith('The request took too long') !== true)
      return answer;
  }
};

export const advanceClock = (stack: SharedStack, key: string, seconds: number): Promise<Answer> =>
  retried((id) => ask(stack, key, 'sandbox_clock_advance', { seconds }, { 'idempotency-key': id }));

/**
 * Asks until the answer is as wanted, for state that arrives by events. Gives up after `withinMs` and returns the last
 * answer.
 */
export const eventually = async (
  probe: () => Promise<Answer>,
  good: (body: never) => boolean,
  withinMs = 30_000,
): Promise<Answer> => {
  const end = performance.now() + withinMs;
  for (let wait = 50; ; wait = Math.min(2 * wait, 1_000)) {
    const answer = await probe();
    if ((answer.status < 300 && good(answer.body as never)) || performance.now() > end) return answer;
    await delay(wait);
  }
};
