import 'reflect-metadata';
import type { Output, ServiceName } from '@cds/contracts';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Deadline } from '../bus/deadline.js';
import { encodeError } from '../bus/envelope.js';
import { BusServer } from '../bus/server.js';
import { type Sweep, Sweeps } from '../clock/sweeps.js';
import type { SharedConfig } from '../config/environment.js';
import type { Consumer } from '../inbox/consumer.js';
import { bindEventOperations } from '../inbox/event-desk.js';
import { Inbox } from '../inbox/inbox.js';
import { makeLogger, NestLogger } from '../logs/logger.js';
import { Relay } from '../outbox/relay.js';
import type { Republished } from '../outbox/republished.js';
import { Republisher } from '../outbox/republisher.js';
import { gaugeOf } from '../telemetry/counter.js';
import { startTelemetry } from '../telemetry/telemetry.js';
import { operationsModule } from './controller.js';
import { answerRequest, bindHandlers } from './dispatch.js';
import { failpointModule } from './failpoint-door.js';
import { healthModule, type Indicator } from './health.js';
import { type BaseShell, openShell, type Shell } from './shell.js';
import { stopInSteps } from './stopping.js';

/** Runs due sweeps of one sandbox and waits until what they caused has left; answers how the service stands then. */
export type Settle = (workspace: string, offsetMs: number, deadline: Deadline) => Promise<Output<'billing_clock_set'>>;

/** The parts of one service, wired in its `<service>.module.ts`. */
export type ServiceParts = {
  handlers: object;
  deps: object;
  consumers?: readonly Consumer[];
  /** How each of the service's events is published again from its database; one without a way fails the start. */
  republished?: readonly Republished[];
  sweeps?: readonly Sweep[];
  indicators?: readonly Indicator[];
  /** After the migration, before the first request: what must be in memory to answer. */
  beforeListening?: () => Promise<void>;
  /** The place in the queue group, for a service that leaves it while what it holds in memory is behind. */
  attach?: (standing: { leave: () => Promise<void>; join: () => void }) => void;
  /** Doors of the process's own (the gateway's HTTP server). */
  open?: () => Promise<void>;
  shut?: () => Promise<void>;
  /** After the last request, fact and sweep: waits for what they left running. */
  close?: () => Promise<void>;
  /** After the last request was answered: further connections of the service's own. */
  release?: () => Promise<void>;
};

export type ServiceDefinition<S extends ServiceName> = {
  service: S;
  config: SharedConfig;
  wire: (shell: Shell<S>, settle: Settle) => Promise<ServiceParts> | ServiceParts;
};

/** How long the database may take to tell that it is well, in milliseconds. */
const PING_MS = 2_000;

/**
 * When a stop has left the queue group, how long running work may go on (reliability 3.20), and when the process has
 * ended whatever hangs; milliseconds after the stop was asked for.
 */
const LEFT_BY_MS = 3_000;
const WORK_BY_MS = 25_000;
const STOPPED_BY_MS = 30_000;

/**
 * Starts a service and keeps it until SIGTERM or SIGINT: telemetry, database, bus, migration, wiring, then the hybrid
 * Nest application of bus strategy and small port. Answers a stop for tests.
 */
export const startService = async <S extends ServiceName>({
  service,
  config,
  wire,
}: ServiceDefinition<S>): Promise<{ stop: () => Promise<void> }> => {
  const log = makeLogger(service, config.logLevel);
  const telemetry = await startTelemetry(service, config.telemetry);
  const shell = await openShell(service, config, log);
  const relay = new Relay(service, shell.connection, shell.store, shell.outbox, log);

  const late: { sweeps?: Sweeps; inbox?: Inbox } = {};
  const parts = await wire(shell, settling(shell, relay, late));
  const inbox = new Inbox(service, shell.connection, shell.store, parts.consumers ?? [], log);
  const republisher = new Republisher(service, shell.connection, shell.store, relay, parts.republished ?? [], log);
  shell.events.open({ inbox, republisher });
  mustBeComplete(service, inbox, republisher);
  const sweeps = new Sweeps(shell.clocks, parts.sweeps ?? [], log);
  late.sweeps = sweeps;
  late.inbox = inbox;

  await shell.store.migrate();
  relay.start();
  republisher.start();
  await parts.beforeListening?.();

  let draining = false;
  const bound = new Map([
    ...bindHandlers(service, parts.handlers, parts.deps),
    ...bindEventOperations(service, shell.events),
  ]);
  const health = healthModule({
    alive: () => shell.connection.alive,
    metrics: telemetry.metrics,
    indicators: [
      { name: 'draining', check: () => (draining ? 'stopping' : null) },
      { name: 'bus', check: () => (shell.connection.up ? null : 'the bus is away') },
      { name: 'consumers', check: () => detachedSay(inbox.detached) },
      { name: 'database', check: () => ping(shell) },
      ...(parts.indicators ?? []),
    ],
  });
  const operations = operationsModule(bound, (one, data) =>
    answerRequest(service, config.ctxKeys.from, shell, one, data, log),
  );
  const app = await NestFactory.create<NestFastifyApplication>(
    rootModule([operations, health, ...(config.env === 'test' ? [failpointModule(shell.failpoints)] : [])]),
    new FastifyAdapter(),
    {
      logger: new NestLogger(log),
      abortOnError: false,
    },
  );
  const server = new BusServer(shell.connection, () =>
    encodeError({
      code: 'unavailable',
      message: 'The service is at its limit of concurrent requests. Retry in a second.',
      details: { retry_after: 1 },
    }),
  );
  gaugeOf('cds_requests_running', 'requests that the service runs now', () => server.running);
  app.connectMicroservice<MicroserviceOptions>({ strategy: server }, { inheritAppConfig: true });
  await app.startAllMicroservices();
  parts.attach?.({ leave: () => server.leave(), join: () => (draining ? undefined : server.join()) });
  await app.listen(config.ops.port, config.ops.host);
  inbox.start();
  sweeps.start();
  await parts.open?.();
  log.info({ ops_port: config.ops.port }, 'ready');

  const stop = async (): Promise<void> => {
    if (draining) return;
    draining = true;
    await stopInSteps(
      [
        // First of all, so that another replica gets what is asked from now on.
        [{ name: 'queue group', byMs: LEFT_BY_MS, run: () => server.leave() }],
        [
          { name: 'doors', byMs: WORK_BY_MS, run: () => parts.shut?.() },
          { name: 'requests', byMs: WORK_BY_MS, run: () => server.close() },
          { name: 'consumers', byMs: WORK_BY_MS, run: () => inbox.stop() },
          { name: 'sweeps', byMs: WORK_BY_MS, run: () => sweeps.stop() },
          { name: 'publishing again', byMs: WORK_BY_MS, run: () => republisher.stop() },
        ],
        [{ name: 'work after answers', byMs: WORK_BY_MS + 1_000, run: () => parts.close?.() }],
        [{ name: 'facts', byMs: WORK_BY_MS + 2_000, run: () => relay.flush().finally(() => relay.stop()) }],
        [{ name: 'application', byMs: STOPPED_BY_MS - 2_000, run: () => app.close() }],
        [
          { name: 'bus', byMs: STOPPED_BY_MS - 1_000, run: () => shell.connection.close() },
          { name: 'database', byMs: STOPPED_BY_MS - 1_000, run: () => shell.store.close() },
          { name: 'own connections', byMs: STOPPED_BY_MS - 1_000, run: () => parts.release?.() },
        ],
        [{ name: 'telemetry', byMs: STOPPED_BY_MS, run: () => telemetry.stop() }],
      ],
      log,
    );
  };
  onSignals(stop, log);
  return { stop };
};

/**
 * Waits for the effect of an advanced clock: others' facts in, own sweeps, own facts out. What it answers is stored state
 * alone, so that any replica may be asked in any round (ADR 0009). The facts are counted before they go out: each that is
 * counted has left when this answers.
 */
const settling =
  (shell: BaseShell, relay: Relay, late: { sweeps?: Sweeps; inbox?: Inbox }): Settle =>
  async (workspace, offsetMs, deadline) => {
    await shell.clocks.set(workspace, offsetMs);
    const caughtUp = (await late.inbox?.settled(deadline.atMost(3_000))) ?? true;
    if (!caughtUp) shell.log.warn('facts were still arriving when a sandbox clock was advanced');
    const handled = (await late.sweeps?.runDue(workspace)) ?? 0;
    const facts = await shell.outbox.countOf(workspace);
    await relay.flush();
    return { handled, facts, behind: !caughtUp };
  };

/** An event without a handler, or without a way to be published again, would be lost in silence. */
const mustBeComplete = (service: ServiceName, inbox: Inbox, republisher: Republisher): void => {
  const problems = [
    ...inbox.unhandled.map((event) => `no consumer for ${event}; add one in events/`),
    ...republisher.missing.map((event) => `no way to publish ${event} again; name one in \`republished\``),
  ];
  if (problems.length > 0) throw new Error(`${service} cannot start: ${problems.join('; ')}`);
};

const detachedSay = (detached: readonly string[]): string | null =>
  detached.length === 0 ? null : `no events arrive by ${detached.join(', ')}`;

const ping = async (shell: BaseShell): Promise<string | null> => {
  try {
    const missing = await Deadline.in(PING_MS).run(async () => {
      await shell.store.db.command({ ping: 1 });
      return shell.store.missingIndexes();
    });
    return missing.length === 0 ? null : `missing indexes: ${missing.join(', ')}`;
  } catch {
    return 'the database is away';
  }
};

const rootModule = (imports: Type[]): DynamicModule => {
  class RootModule {}
  Module({})(RootModule);
  return { module: RootModule, imports };
};

const onSignals = (stop: () => Promise<void>, log: ReturnType<typeof makeLogger>): void => {
  const end = (signal: string) => {
    log.info({ signal }, 'stopping');
    void stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', () => end('SIGTERM'));
  process.once('SIGINT', () => end('SIGINT'));
};
