import { createSecretKey } from 'node:crypto';
import { type OperationName, operationByName, type ServiceName, subjectOf } from '@cds/contracts';
import {
  Audit,
  AuditTrail,
  answerRequest,
  type Bound,
  BusClient,
  type BusConnection,
  Clocks,
  Commands,
  Counters,
  EventAdmin,
  Failpoints,
  Jobs,
  Outbox,
  type PairKeys,
  RequestMux,
  type Shell,
  Store,
  type WriteShell,
} from '@cds/service';
import { Frames } from '@cds/service/testing';
import type { Bus } from '../bus/bus.js';
import type { Actor, Scheduler } from '../platform/scheduler.js';
import type { Connection } from '../store/driver.js';

const SERVICES: readonly ServiceName[] = ['gateway', 'catalog', 'planning', 'billing', 'proposals', 'metrics'];

/** One key for all pairs: who may forge what is no part of a simulation. */
const KEY = createSecretKey(Buffer.alloc(32, 1));
export const KEYS: PairKeys = new Map(SERVICES.map((service) => [service, KEY]));

/** A log that keeps what an operator would be called for. */
export const aLog = (scheduler: Scheduler, alarms: string[]) => {
  const say = (level: string) => (facts: Record<string, unknown> | string, text?: string) => {
    const { alarm, err } = typeof facts === 'string' ? {} : facts;
    const cause = err instanceof Error ? ` (${err.message})` : '';
    scheduler.note(() => `${scheduler.current.name} ${level}: ${text ?? String(facts)}${cause}`);
    if (level === 'error') alarms.push(`${typeof alarm === 'string' ? alarm : 'error'}: ${text ?? ''}${cause}`);
  };
  // The code in a simulation logs at these levels only.
  return { info: say('info'), warn: say('warn'), error: say('error') } as unknown as Shell<'billing'>['log'];
};

/** The store of a replica: the real one, over a simulated connection. Its constructor is private. */
export const storeOver = (connection: Connection, name: string): Store =>
  new (Store as unknown as new (connection: Connection, name: string) => Store)(connection, name);

/** A connection to the simulated bus, with what the real code calls of one. BusConnection's constructor is private. */
export const connectionTo = (bus: Bus, actor: Actor, service: ServiceName): BusConnection =>
  bus.connect(actor, service) as unknown as BusConnection;

/** The shell of a replica, as openShell makes it: everything is the real code but database, bus and time. */
export const shellOver = <S extends ServiceName>(
  service: S,
  of: { connection: Connection; bus: Bus; actor: Actor; log: Shell<S>['log'] },
): Shell<S> => {
  const store = storeOver(of.connection, service);
  const connection = connectionTo(of.bus, of.actor, service);
  const audit = new Audit(store);
  const mux = new RequestMux(connection);
  const client = new BusClient(mux, service, KEYS, store.time);
  return {
    service,
    config: {} as Shell<S>['config'],
    log: of.log,
    store,
    connection,
    bus: client,
    counters: new Counters(connection, mux),
    calls: client.typed<S>(),
    commands: new Commands(store),
    outbox: new Outbox(store),
    audit,
    trail: new AuditTrail(service, store, audit),
    clocks: new Clocks(store),
    frames: new Frames(store),
    failpoints: new Failpoints(''),
    events: new EventAdmin(service, store),
    jobs: new Jobs(service, store),
  };
};

export const serve = (
  service: ServiceName,
  of: { bus: Bus; actor: Actor; shell: WriteShell & { frames: Frames }; log: Shell<'billing'>['log'] },
  bound: ReadonlyMap<string, Bound>,
  served: readonly OperationName[],
): void => {
  const { nats } = of.bus.connect(of.actor, service);
  for (const name of served) {
    const one = bound.get(name);
    const operation = operationByName(name);
    if (one === undefined || operation === undefined) throw new Error(`${service} does not serve ${name}`);
    nats.subscribe(subjectOf(operation), {
      queue: service,
      callback: (_error, message) => {
        void answerRequest(service, KEYS, of.shell, one, message.data, of.log).then((data) => message.respond(data));
      },
    });
  }
};
