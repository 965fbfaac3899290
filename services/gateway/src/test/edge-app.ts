import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import {
  AppError,
  DEFAULT_SWITCHES,
  type OperationName,
  operationByName,
  SERVICES,
  type Switches,
} from '@cds/contracts';
import {
  Audit,
  AuditKey,
  AuditTrail,
  type BusConnection,
  Clocks,
  Commands,
  type Ctx,
  decodeReply,
  EventAdmin,
  encodeError,
  encodeOk,
  Failpoints,
  Inbox,
  Jobs,
  Outbox,
  parseBytes,
  type Relay,
  type Reply,
  Republisher,
  type Shell,
} from '@cds/service';
import { sameStore, TestCounters, type TestStore, testStore } from '@cds/service/testing';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { KeyRow } from '../accounts/keys/store/keys.js';
import type { PeopleModule } from '../accounts/people/module.js';
import type { OAuthServer } from '../accounts/port.js';
import type { GatewayConfig } from '../config.js';
import type { Edge } from '../edge/edge.js';
import type { StandIn } from '../edge/mcp/sdk.js';
import { mcpEndpoints } from '../edge/module.js';
import { makeServer } from '../edge/server.js';
import { dispatch } from '../edge/steps/dispatch.js';
import { type Deps, modulesOf } from '../gateway.module.js';
import { publicEndpoints } from '../gateway.routes.js';

const AUDIT_KEY = new AuditKey(generateKeyPairSync('ed25519').privateKey);

export const OPS_TOKEN = 'cds_ops_of_the_tests_and_long_enough';
export const RELAY_TOKEN = 'cds_relay_of_the_tests_and_long_enough';

/** The answer of a faked service: a value, a thrown AppError, or a whole reply. */
export type FakeAnswer = (ctx: Ctx, input: Record<string, unknown>) => unknown;

export type Sent = { name: OperationName; ctx: Ctx; input: Record<string, unknown> };

const TERMS = {
  version: '2026-11-01',
  number: 1,
  text: 'terms',
  text_sha256: 'a1',
  published_at: '2026-11-01T00:00:00.000Z',
};

/** Default answers of the faked services. */
const DEFAULTS: Record<string, FakeAnswer> = {
  terms_current: () => ({ terms: TERMS }),
  keys_spent: () => ({ spent: [] }),
  gate_raise: (_ctx, input) => ({ min_mandate_version: input['version'] }),
  context_set: () => ({ version: 1 }),
  inventory: () => ({ segments: [], unresolved: false, coverage_as_of: null, channels: [] }),
  campaigns_list: () => ({ campaigns: [] }),
  network_facts: () => ({ approved: 0, priced: 0, as_of: '2026-11-01T00:00:00.000Z' }),
  campaign_input_problems: () => ({ problems: [] }),
  billing_due: () => ({ pending: [] }),
  proposals_due: () => ({ pending: [] }),
  metrics_due: () => ({ pending: [] }),
  ...Object.fromEntries(
    SERVICES.flatMap((service): [string, FakeAnswer][] => [
      [`${service}_audit`, () => ({ entries: [] })],
      [`${service}_audit_chain`, () => ({ entries: [], checkpoints: [] })],
      [`${service}_jobs`, () => ({ jobs: [], leases: [] })],
    ]),
  ),
};

export type EdgeApp = {
  app: FastifyInstance;
  url: string;
  shell: Shell<'gateway'>;
  people: PeopleModule;
  /** Replaces the answer of an operation of another service. */
  answer: (name: string, answer: FakeAnswer) => void;
  /** Every call to another service. */
  sent: Sent[];
  /** What the steps depend on; a test may replace one of its parts. */
  edge: Edge & { oauth: OAuthServer };
  deps: Deps;
  /** Changes keys' rows as no operation does, and has every gateway read them; the windows begin again. */
  changeKeys: (which: Record<string, unknown>, fields: Partial<KeyRow>) => Promise<void>;
  /** What requests are counted in. */
  counters: TestCounters;
  /** Runs one of the gateway's own operations as the edge does, without its first steps. */
  run: (name: string, ctx: Ctx, input?: Record<string, unknown>) => Promise<Ran>;
  /** Writes the request log, as happens each second. */
  flushLog: () => Promise<void>;
  setSwitches: (switches: Partial<Switches>) => Promise<void>;
  /** The commands by which transactions locked keys so far; `stop` throws if there are any. */
  locking: readonly string[];
  stop: () => Promise<void>;
};

/** How an operation ended. */
export type Ran = { status: number; replayed: boolean; body: unknown };

const ran = async (edge: Edge, name: string, ctx: Ctx, input: Record<string, unknown>): Promise<Ran> => {
  const operation = operationByName(name);
  if (operation === undefined) throw new Error(`there is no operation ${name}`);
  const done = await dispatch(edge, ctx, operation, input);
  const body = done.ok ? (JSON.parse(Buffer.from(done.body).toString()) as unknown) : { error: done.error };
  return { status: done.status, replayed: done.replayed, body };
};

/** Another gateway on the database of a running one. */
export const startReplica = (of: EdgeApp): Promise<EdgeApp> => startEdgeApp('', 'test', [], sameStore(of.shell.store));

/**
 * The whole gateway on a real database and port, with the other services faked at the bus. `mcpStandIn` takes the place
 * of the MCP tools.
 */
export const startEdgeApp = async (
  name: string,
  env: 'test' | 'production' = 'test',
  trustedProxies: string[] = [],
  opened: Promise<TestStore> = testStore(name, 'gateway'),
  mcpStandIn?: StandIn,
): Promise<EdgeApp> => {
  const { store, drop } = await opened;
  const counters = await TestCounters.open(store.name);
  // The database may have been another suite's.
  if (name !== '') counters.reset();
  // A lock on a key delays everyone who authenticates with it, so no transaction may take one (ADR 0006).
  const locking: string[] = [];
  store.onCommand(({ commandName, command }) => {
    const { autocommit, [commandName]: collection } = command as Record<string, unknown>;
    if (autocommit === false && collection === 'keys' && commandName !== 'insert') locking.push(commandName);
  });
  const answers = new Map<string, FakeAnswer>(Object.entries(DEFAULTS));
  const sent: Sent[] = [];

  const send = async (operation: OperationName, ctx: Ctx, input: unknown): Promise<Reply> => {
    const fields = (input ?? {}) as Record<string, unknown>;
    sent.push({ name: operation, ctx, input: fields });
    try {
      const value = operation.endsWith('_clock_set')
        ? ((await answers.get(operation)?.(ctx, fields)) ?? { handled: 0, facts: 0, behind: false })
        : await answers.get(operation)?.(ctx, fields);
      if (value instanceof Uint8Array) return decodeReply(value);
      return decodeReply(encodeOk(value ?? {}, 200, false));
    } catch (error) {
      if (error instanceof AppError) return decodeReply(encodeError(error.body(), error.status));
      throw error;
    }
  };
  const calls = new Proxy({} as Shell<'gateway'>['calls'], {
    get: (_target, operation: string) => async (ctx: Ctx, input: unknown) => {
      const reply = await send(operation as OperationName, ctx, input);
      if (!reply.ok) throw new AppError(reply.error.code, reply.error.message, reply.error.details);
      return parseBytes(reply.bytes);
    },
  });

  // Without a bus: dead letters and runs are in the database, which is all that the operators' operations read.
  const events = new EventAdmin('gateway', store);
  const log = pino({ level: 'silent' });
  const noBus = {} as BusConnection;
  events.open({
    inbox: new Inbox('gateway', noBus, store, [], log),
    republisher: new Republisher('gateway', noBus, store, {} as Relay, [], log),
  });

  const audit = new Audit(store);
  // A shell without a bus: what is left out or reduced to a field is only used with one.
  const shell = {
    service: 'gateway',
    config: { env, audit: { directory: '', key: AUDIT_KEY, formerKeys: [] } },
    log,
    store,
    connection: { up: true, nats: { info: { version: '2.12.0', jetstream: true } } },
    bus: { send },
    counters,
    calls,
    commands: new Commands(store),
    outbox: new Outbox(store),
    audit,
    trail: new AuditTrail('gateway', store, audit),
    clocks: new Clocks(store),
    events,
    jobs: new Jobs('gateway', store),
    failpoints: new Failpoints(''),
  } as unknown as Shell<'gateway'>;
  const config: GatewayConfig = {
    CDS_HTTP_HOST: '127.0.0.1',
    CDS_HTTP_PORT: 0,
    CDS_APP_URL: 'http://app.test',
    CDS_KEY_PEPPERS: { 1: createSecretKey(Buffer.alloc(32, 1)), 2: createSecretKey(Buffer.alloc(32, 2)) },
    CDS_SEAL_KEYS: { 1: createSecretKey(Buffer.alloc(32, 3)) },
    CDS_SMTP_URL: '',
    CDS_MAIL_RELAY_TOKEN: RELAY_TOKEN,
    CDS_MAIL_FROM: 'team@app.test',
    CDS_OPS_TOKEN: OPS_TOKEN,
    CDS_ALLOWED_HOSTS: [],
    CDS_TRUSTED_PROXIES: trustedProxies,
    CDS_WEBHOOK_ALLOW_LOOPBACK: env === 'production' ? '0' : '1',
  };

  const { deps, edge } = modulesOf(shell, config);
  const mcp = mcpEndpoints(edge, mcpStandIn);
  const endpoints = await publicEndpoints(edge, calls, mcp.routes, deps, env !== 'production');
  const app = makeServer(edge, endpoints, config.CDS_TRUSTED_PROXIES);
  await store.migrate();
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  edge.hosts.add(new URL(url).host);

  return {
    app,
    url,
    shell,
    people: deps.people,
    answer: (operation, answer) => answers.set(operation, answer),
    sent,
    edge,
    deps,
    counters,
    changeKeys: async (which, fields) => {
      await store.db.collection('keys').updateMany(which, { $set: fields });
      counters.reset();
    },
    run: (operation, ctx, input = {}) => ran(edge, operation, ctx, input),
    flushLog: () => edge.requestLog.flush(),
    setSwitches: async (switches) => {
      await store.db
        .collection<{ _id: string }>('switches')
        .replaceOne({ _id: 'switches' }, { ...DEFAULT_SWITCHES, ...switches }, { upsert: true });
      await deps.switches.everywhere();
    },
    locking,
    stop: async () => {
      deps.feedWatch.close();
      await mcp.close();
      await app.close();
      await counters.close();
      await drop();
      if (locking.length > 0) throw new Error(`a transaction changed keys: ${locking.join(', ')}`);
    },
  };
};

/** The public id in a key's text, which its windows are named by. */
export const publicIdOf = (secret: string): string => secret.split('_')[2] ?? '';

/** A seeded brand's keys: `keys.live.full` is a whole key as it is sent. */
export type Brand = {
  live: Record<string, string>;
  sandbox: Record<string, string>;
  ids: Record<string, string>;
  workspaces: { live: string; sandbox: string };
};

type MadeBrand = {
  workspaces: { kind: 'live' | 'sandbox'; id: string; keys: { name: string; id: string; secret: string }[] }[];
};

let made = 0;

/** Makes a brand through the operator's API, as a development start does. */
export const makeBrand = async ({ url }: Pick<EdgeApp, 'url'>, body: Record<string, unknown> = {}): Promise<Brand> => {
  made += 1;
  const response = await fetch(`${url}/api/ops/dev/brands`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${OPS_TOKEN}`,
      'idempotency-key': `brand-of-test-${made}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: `brand ${made}`, ...body }),
  });
  if (response.status !== 201) throw new Error(`no brand: ${response.status} ${await response.text()}`);
  const { workspaces } = (await response.json()) as MadeBrand;
  const of = (kind: 'live' | 'sandbox') => workspaces.find((workspace) => workspace.kind === kind);
  const secrets = (kind: 'live' | 'sandbox') =>
    Object.fromEntries((of(kind)?.keys ?? []).map((key) => [key.name, key.secret]));
  return {
    live: secrets('live'),
    sandbox: secrets('sandbox'),
    ids: Object.fromEntries((of('live')?.keys ?? []).map((key) => [key.name, key.id])),
    workspaces: { live: of('live')?.id ?? '', sandbox: of('sandbox')?.id ?? '' },
  };
};
