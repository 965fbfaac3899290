import type { ServiceName } from '@cds/contracts';
import type { Logger } from 'pino';
import { Audit } from '../audit/audit.js';
import { AuditTrail } from '../audit/trail.js';
import { BusClient, type ClientOf } from '../bus/client.js';
import { BusConnection } from '../bus/connection.js';
import { Counters } from '../bus/counters.js';
import { Frames } from '../bus/frames.js';
import { RequestMux } from '../bus/mux.js';
import { Clocks } from '../clock/clocks.js';
import { Jobs } from '../clock/jobs.js';
import { Commands } from '../commands/commands.js';
import type { WriteShell } from '../commands/run-write.js';
import type { SharedConfig } from '../config/environment.js';
import { EventAdmin } from '../inbox/event-admin.js';
import { Outbox } from '../outbox/outbox.js';
import { type OnUnbounded, Store, type StoreConfig } from '../store/store.js';
import { Failpoints } from './failpoint.js';

/** What every service gets: its own database, the bus, the shell's collections, time and log. */
export type Shell<S extends ServiceName> = BaseShell & {
  /** The operations of other services that this one may call. */
  readonly calls: ClientOf<S>;
};

export type BaseShell = {
  readonly service: ServiceName;
  readonly config: SharedConfig;
  readonly log: Logger;
  readonly store: Store;
  readonly connection: BusConnection;
  readonly bus: BusClient;
  readonly counters: Counters;
  readonly commands: Commands;
  readonly frames: Frames;
  readonly outbox: Outbox;
  readonly audit: Audit;
  readonly trail: AuditTrail;
  readonly clocks: Clocks;
  readonly events: EventAdmin;
  readonly jobs: Jobs;
  readonly failpoints: Failpoints;
  /** Set by a service that knows the right of its callers; see WriteShell. */
  holdCaller?: NonNullable<WriteShell['holdCaller']>;
};

/** Opens this process's database. In tests a command without a time limit ends the process. */
export const openStore = (config: Pick<SharedConfig, 'env'>, store: StoreConfig, log: Logger): Promise<Store> =>
  Store.open(store, log, config.env === 'test' ? endProcess(log) : undefined);

const endProcess =
  (log: Logger): OnUnbounded =>
  (problem) => {
    log.fatal({ problem }, 'a command has no time limit');
    process.nextTick(() => {
      throw new Error(problem);
    });
  };

export const openShell = async <S extends ServiceName>(
  service: S,
  config: SharedConfig,
  log: Logger,
): Promise<Shell<S>> => {
  const [store, connection] = await Promise.all([
    openStore(config, config.store, log),
    BusConnection.open(service, config.bus, log),
  ]);
  const audit = new Audit(store);
  const mux = new RequestMux(connection);
  const bus = new BusClient(mux, service, config.ctxKeys.to, store.time);
  return {
    service,
    config,
    log,
    store,
    connection,
    bus,
    counters: new Counters(connection, mux),
    calls: bus.typed<S>(),
    commands: new Commands(store),
    frames: new Frames(store),
    outbox: new Outbox(store),
    audit,
    trail: new AuditTrail(service, store, audit),
    clocks: new Clocks(store),
    events: new EventAdmin(service, store),
    jobs: new Jobs(service, store),
    failpoints: new Failpoints(config.failpoints),
  };
};
