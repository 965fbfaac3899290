import { createSecretKey } from 'node:crypto';
import { billingModule } from '@cds/billing/testing';
import {
  type Input,
  type OperationName,
  operationByName,
  type ServiceName,
  subjectOf,
  type UnitFacts,
} from '@cds/contracts';
import { planningModule } from '@cds/planning/testing';
import {
  type BaseShell,
  BusClient,
  bindHandlers,
  decodeRequest,
  encodeOk,
  Relay,
  RequestMux,
  Sweeps,
} from '@cds/service';
import { Bus } from '../bus/bus.js';
import { type Actor, anActor, type Scheduler } from '../platform/scheduler.js';
import { type Change, Database } from '../store/database.js';
import { Connection, type Fate } from '../store/driver.js';
import { aLog, KEYS, serve, shellOver } from './shell.js';

/** How often things fail; all faults end at `until`, after which everything must recover. */
export type Faults = {
  until: number;
  /** Chances of one statement. */
  statementLost: number;
  statementLate: number;
  replyLost: number;
  /** Chances of one message. */
  messageLost: number;
  messageDoubled: number;
  messageLate: number;
  /** The chance that a statement or message takes long. */
  slow: number;
};

export const FINE: Faults = {
  until: 0,
  statementLost: 0,
  statementLate: 0,
  replyLost: 0,
  messageLost: 0,
  messageDoubled: 0,
  messageLate: 0,
  slow: 0,
};

type Served = 'billing' | 'planning';

const BILLING_SWEEPS: ReadonlySet<string> = new Set(['signings', 'payment events']);
const SERVED = {
  billing: ['approve_plan', 'gate_raise', 'terms_publish', 'quote_facts', 'sandbox_order_payment', 'pay_checkout'],
  planning: ['plan_terms', 'plan_sign', 'plan_sign_close', 'plan_remove_creator', 'rename_campaign', 'delete_campaign'],
} as const satisfies Record<Served, readonly OperationName[]>;

const OWN = {
  CDS_APP_URL: 'http://app.example',
  CDS_SANDBOX_RAIL_SECRET: 'simulated-rail-secret',
  CDS_PAY_TOKEN_KEYS: { 1: createSecretKey(Buffer.alloc(32, 7)) },
  CDS_PAY_FORM_KEY: createSecretKey(Buffer.alloc(32, 8)),
};
/** A sandbox's clock is never moved here. */
const NOTHING_DUE = { handled: 0, facts: 0, behind: false };
const RESTART_MS = [50, 1_500] as const;
/** How long the bus goes on sending to a replica that died. */
const FORGOTTEN_AFTER_MS = 300;
/** How far a node may be ahead of the others when it is lost. */
const UNREPLICATED_MS = 20;

/** Replicas of billing and planning on simulated databases, a bus between them, and a catalog that never fails. */
export class World {
  readonly databases: Record<Served, Database> = { billing: new Database(), planning: new Database() };
  readonly units = new Map<string, UnitFacts>();
  readonly alarms: string[] = [];
  readonly bus: Bus;
  /** Called for every commit. */
  onCommit: (service: Served, changes: readonly Change[]) => void = () => undefined;
  /**
   * Leases are acknowledged by one node (docs/reliability.md#idempotency): those of the last moment may be lost with
   * it.
   */
  private readonly leases: Record<Served, { at: number; change: Change }[]> = { billing: [], planning: [] };
  private readonly server = anActor('database');
  private readonly downUntil: Record<Served, number> = { billing: 0, planning: 0 };
  private started = 0;

  constructor(
    readonly scheduler: Scheduler,
    readonly faults: Faults,
    /** Whether replicas publish their events too; it doubles the cost of a run. */
    readonly relays: boolean,
  ) {
    const { random } = scheduler;
    const bad = (chance: number): boolean => scheduler.now < faults.until && random.chance(chance);
    this.bus = new Bus(scheduler, {
      latencyMs: () =>
        bad(faults.messageLate)
          ? random.between(500, 12_000)
          : bad(faults.slow)
            ? random.between(1, 300)
            : random.between(0.1, 1),
      lost: () => bad(faults.messageLost),
      doubled: () => bad(faults.messageDoubled),
    });
    scheduler.onKilled = (actor) => this.replace(actor);
    for (const service of ['billing', 'planning'] as const)
      this.databases[service].onCommit = (changes) => {
        const [change] = changes;
        if (change?.collection === 'command_leases') this.leases[service].push({ at: scheduler.now, change });
        this.onCommit(service, changes);
      };
    this.serveCatalog();
  }

  /** The client of an agent's gateway. */
  gateway(actor: Actor): BusClient {
    const connection = this.bus.connect(actor, 'gateway') as unknown as ConstructorParameters<typeof RequestMux>[0];
    return this.scheduler.as(actor, () => new BusClient(new RequestMux(connection), 'gateway', KEYS));
  }

  start(service: Served): void {
    this.started += 1;
    const actor = anActor(`${service}-${this.started}`, {
      mortal: true,
      skewMs: this.scheduler.random.between(-100, 100),
    });
    this.scheduler.as(actor, () => (service === 'billing' ? this.startBilling(actor) : this.startPlanning(actor)));
  }

  /** The primary of a database steps down: open transactions end, nothing answers for a while. */
  failOver(service: Served, ms: number): void {
    this.scheduler.note(() => `the database of ${service} fails over for ${Math.round(ms)} ms`);
    this.databases[service].abortAll();
    const young = this.leases[service].filter(({ at }) => at > this.scheduler.now - UNREPLICATED_MS).reverse();
    for (const { change } of young) this.databases[service].restore(change.collection, change.id, change.before);
    this.leases[service] = [];
    this.downUntil[service] = this.scheduler.now + ms;
  }

  private startBilling(actor: Actor): void {
    const log = aLog(this.scheduler, this.alarms);
    const shell = shellOver('billing', { connection: this.connect('billing', actor), bus: this.bus, actor, log });
    const parts = billingModule(shell, async () => NOTHING_DUE, OWN);
    void shell.store.migrate();
    serve(
      'billing',
      { bus: this.bus, actor, shell, log },
      bindHandlers('billing', parts.handlers, parts.deps),
      SERVED.billing,
    );
    const sweeps = parts.sweeps.filter((sweep) => BILLING_SWEEPS.has(sweep.name));
    new Sweeps(shell.clocks, sweeps, log).start();
    this.relay(shell);
  }

  private startPlanning(actor: Actor): void {
    const log = aLog(this.scheduler, this.alarms);
    const shell = shellOver('planning', { connection: this.connect('planning', actor), bus: this.bus, actor, log });
    const parts = planningModule(shell, async () => NOTHING_DUE);
    void shell.store.migrate();
    serve(
      'planning',
      { bus: this.bus, actor, shell, log },
      bindHandlers('planning', parts.handlers, parts.deps),
      SERVED.planning,
    );
    this.relay(shell);
  }

  private relay(shell: BaseShell): void {
    if (this.relays) new Relay(shell.service, shell.connection, shell.store, shell.outbox, shell.log).start();
  }

  private connect(service: Served, actor: Actor): Connection {
    const { scheduler, faults } = this;
    const { random } = scheduler;
    const fate = (): Fate => {
      if (scheduler.now >= faults.until) return 'arrives';
      const drawn = random.next();
      if (drawn < faults.statementLost) return 'lost';
      if (drawn < faults.statementLost + faults.statementLate) return 'late';
      return drawn < faults.statementLost + faults.statementLate + faults.replyLost ? 'reply_lost' : 'arrives';
    };
    return new Connection(scheduler, actor, this.server, this.databases[service], {
      fate,
      latencyMs: () =>
        scheduler.now < faults.until && random.chance(faults.slow) ? random.between(1, 200) : random.between(0.1, 0.6),
      downUntil: () => this.downUntil[service],
    });
  }

  private replace(dead: Actor): void {
    const { scheduler } = this;
    const service = dead.name.startsWith('billing') ? 'billing' : 'planning';
    scheduler.after(FORGOTTEN_AFTER_MS, this.server, '', () => this.bus.forget(dead));
    scheduler.after(scheduler.random.between(...RESTART_MS), this.server, `a ${service} starts`, () =>
      this.start(service),
    );
  }

  private serveCatalog(): void {
    const name: OperationName = 'unit_facts';
    const operation = operationByName(name);
    if (operation === undefined) throw new Error(`${name} is not declared`);
    const { nats } = this.bus.connect(anActor('catalog'), 'catalog');
    nats.subscribe(subjectOf(operation), {
      queue: 'catalog',
      callback: (_error, message) => {
        const { input } = decodeRequest(message.subject, message.data, 'catalog', KEYS);
        const { unit_ids } = input as Input<typeof name>;
        const units = unit_ids.flatMap((id) => this.units.get(id) ?? []);
        message.respond(encodeOk({ units }, 200, false));
      },
    });
  }
}

export type { Served, ServiceName };
