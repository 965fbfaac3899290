import 'reflect-metadata';
import type { ServiceName } from '@cds/contracts';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { auditWork, type OpenTask } from '../audit/audit-work.js';
import { bindAuditOperations } from '../audit/trail.js';
import { encodeError } from '../bus/envelope.js';
import { BusServer } from '../bus/server.js';
import { type Sweep, Sweeps } from '../clock/sweeps.js';
import type { SharedConfig } from '../config/environment.js';
import { Deadline } from '../deadline/deadline.js';
import type { Consumer } from '../inbox/consumer.js';
import { bindEventOperations } from '../inbox/event-admin.js';
import { Inbox } from '../inbox/inbox.js';
import { makeLogger, NestLogger } from '../logs/logger.js';
import { Relay } from '../outbox/relay.js';
import type { Republished } from '../outbox/republished.js';
import { Republisher } from '../outbox/republisher.js';
import { bindResetOperation } from '../sandbox/reset-operation.js';
import type { ResetParts } from '../sandbox/resets.js';
import { readingOf } from '../telemetry/metrics.js';
import { startTelemetry } from '../telemetry/telemetry.js';
import { type AdvanceClock, clockAdvancer } from './advance-clock.js';
import { operationsModule } from './controller.js';
import { answerRequest, bindHandlers, bindJobOperation } from './dispatch.js';
import { failpointModule } from './failpoint-endpoint.js';
import { healthModule, type Indicator } from './health.js';
import { startListening } from './listening.js';
import { portOf } from './ops-port.js';
import { type BaseShell, openShell, type Shell } from './shell.js';
import { stopSteps } from './stop-steps.js';
import { stopInSteps } from './stopping.js';

/** The parts of one service, wired in its `<service>.module.ts`. */
export type ServiceParts = {
  handlers: object;
  deps: object;
  consumers?: readonly Consumer[];
  /**
   * How each of the service's events is republished from its database. The service does not start if one is missing.
   */
  republished?: readonly Republished[];
  sweeps?: readonly Sweep[];
  /** What the service removes when a sandbox is reset. */
  reset?: ResetParts;
  /** How a task of the operator's team is opened; by the service's own event if absent. */
  openTask?: OpenTask;
  indicators?: readonly Indicator[];
  /** The migration of further databases of the service. */
  migrate?: () => Promise<void>;
  /** Runs after the migration and before the first request: loads what must be in memory. */
  beforeListening?: () => Promise<void>;
  /** Receives control of the queue group, for a service that leaves it while its memory is out of date. */
  attach?: (queueGroup: { leave: () => Promise<void>; join: () => void }) => void;
  /** Further endpoints of the process (the gateway's HTTP server). */
  open?: () => Promise<void>;
  shut?: () => Promise<void>;
  /** Runs after the last request, event and sweep: waits for what they left running. */
  close?: () => Promise<void>;
  /** Runs after the last request was answered: closes further connections of the service. */
  release?: () => Promise<void>;
};

type ServiceDefinition<S extends ServiceName> = {
  service: S;
  config: SharedConfig;
  wire: (shell: Shell<S>, settle: AdvanceClock) => Promise<ServiceParts> | ServiceParts;
};

const PING_MS = 2_000;

/** Serves until SIGTERM or SIGINT; with `migrate`, creates collections and ends (docs/operating.md#migration). */
export const runService = async <S extends ServiceName>(definition: ServiceDefinition<S>): Promise<void> => {
  const [, , task, ...rest] = process.argv;
  if (task === undefined) return void (await startService(definition));
  if (task !== 'migrate' || rest.length > 0)
    throw new Error(
      `"${[task, ...rest].join(' ')}" is not a task of ${definition.service}. Leave it out, or "migrate".`,
    );
  const log = makeLogger(definition.service, definition.config.logLevel, definition.config.env);
  const { shell, parts } = await assemble(definition, log);
  await migrate(shell, parts);
  await parts.release?.();
  await shell.connection.close();
  await shell.store.close();
  log.info('the collections and indexes are in place');
  process.exit(0);
};

/** Connects a service and puts its parts together, which declares every collection. Nothing runs yet. */
const assemble = async <S extends ServiceName>({ service, config, wire }: ServiceDefinition<S>, log: Logger) => {
  const shell = await openShell(service, config, log);
  const relay = new Relay(service, shell.connection, shell.store, shell.outbox, log);

  const late: { sweeps?: Sweeps; inbox?: Inbox } = {};
  const parts = await wire(shell, clockAdvancer(shell, relay, late));
  const inbox = new Inbox(service, shell.connection, shell.store, parts.consumers ?? [], log);
  const republisher = new Republisher(service, shell.connection, shell.store, relay, parts.republished ?? [], log);
  shell.events.open({ inbox, republisher });
  mustBeComplete(service, inbox, republisher);
  const auditing = auditWork(shell, parts.openTask);
  const sweeps = new Sweeps(shell.clocks, [...(parts.sweeps ?? []), ...auditing.sweeps], log, shell.jobs);
  late.sweeps = sweeps;
  late.inbox = inbox;
  return { shell, relay, parts, inbox, republisher, auditing, sweeps };
};

const migrate = async (shell: BaseShell, parts: ServiceParts): Promise<void> => {
  await shell.store.migrate();
  await parts.migrate?.();
  await shell.store.backfill();
};

/** Starts a service, and returns a function that stops it, for tests. */
export const startService = async <S extends ServiceName>(
  definition: ServiceDefinition<S>,
): Promise<{ stop: () => Promise<void> }> => {
  const { service, config } = definition;
  const log = makeLogger(service, config.logLevel, config.env);
  const telemetry = await startTelemetry(service, config.telemetry);
  const { shell, relay, parts, inbox, republisher, auditing, sweeps } = await assemble(definition, log);

  await migrate(shell, parts);
  // Before the first frame, whose deadline is a time of the database.
  await shell.store.about();
  relay.start();
  republisher.start();
  await parts.beforeListening?.();

  let draining = false;
  const bound = new Map([
    ...bindHandlers(service, parts.handlers, parts.deps),
    ...bindEventOperations(service, shell.events),
    ...bindAuditOperations(service, shell.trail),
    ...bindJobOperation(service, shell.jobs),
    ...bindResetOperation(service, shell.commands, parts.reset ?? NOTHING_RESET),
  ]);
  const health = healthModule({
    alive: () => shell.connection.alive,
    metrics: telemetry.metrics,
    indicators: [
      { name: 'draining', check: () => (draining ? 'stopping' : null) },
      { name: 'bus', check: () => (shell.connection.up ? null : 'the bus is unavailable') },
      { name: 'consumers', check: () => detachedProblem(inbox.detached) },
      { name: 'database', check: () => ping(shell) },
      ...(parts.indicators ?? []),
    ],
  });
  const operations = operationsModule(bound, (one, data) =>
    answerRequest(service, config.ctxKeys.from, shell, one, data, log),
  );
  const failpoints = config.env === 'test' ? [failpointModule(shell.failpoints)] : [];
  const { app, server } = await openApplication([operations, health, ...failpoints], shell);
  readingOf('cds_requests_running', () => server.running);
  readingOf('cds_database_clock_offset_seconds', async () => (await shell.store.clockOffsetMs()) / 1_000);
  await app.startAllMicroservices();
  parts.attach?.({ leave: () => server.leave(), join: () => (draining ? undefined : server.join()) });
  await startListening('OPS', config.ops, ({ host, port }) => app.listen(port, host));
  inbox.start();
  sweeps.start();
  await parts.open?.();
  log.info({ ops_port: portOf(app.getHttpServer()) }, 'ready');

  const stop = async (): Promise<void> => {
    if (draining) return;
    draining = true;
    await stopInSteps(
      stopSteps({ shell, parts, server, inbox, sweeps, auditing, republisher, relay, app, telemetry }),
      log,
    );
  };
  onSignals(stop, log);
  return { stop };
};

const NOTHING_RESET: ResetParts = { collections: [] };

const openApplication = async (modules: Type[], { connection, log }: BaseShell) => {
  const app = await NestFactory.create<NestFastifyApplication>(rootModule(modules), new FastifyAdapter(), {
    logger: new NestLogger(log),
    abortOnError: false,
  });
  const server = new BusServer(connection, () =>
    encodeError({
      code: 'unavailable',
      message: 'The service is handling too many requests. Retry in a second.',
      details: { retry_after: 1 },
    }),
  );
  app.connectMicroservice<MicroserviceOptions>({ strategy: server }, { inheritAppConfig: true });
  return { app, server };
};

/** An event without a consumer, or without a way to republish it, would be lost silently. */
const mustBeComplete = (service: ServiceName, inbox: Inbox, republisher: Republisher): void => {
  const problems = [
    ...inbox.unhandled.map((event) => `no consumer for ${event}; add one in events/`),
    ...republisher.missing.map((event) => `${event} cannot be republished; add it to \`republished\``),
  ];
  if (problems.length > 0) throw new Error(`${service} cannot start: ${problems.join('; ')}`);
};

const detachedProblem = (detached: readonly string[]): string | null =>
  detached.length === 0 ? null : `no events arrive from ${detached.join(', ')}`;

const ping = async (shell: BaseShell): Promise<string | null> => {
  try {
    const missing = await Deadline.in(PING_MS).run(async () => {
      await shell.store.db.command({ ping: 1 });
      return shell.store.missingIndexes();
    });
    return missing.length === 0 ? null : `missing indexes: ${missing.join(', ')}`;
  } catch {
    return 'the database is unavailable';
  }
};

const rootModule = (imports: Type[]): DynamicModule => {
  class RootModule {}
  Module({})(RootModule);
  return { module: RootModule, imports };
};

const onSignals = (stop: () => Promise<void>, log: Logger): void => {
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
