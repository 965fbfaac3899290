import { createSecretKey } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { billingModule, formTokenOf, receiptKeyOf } from '@cds/billing/testing';
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
import { CardRail } from '../rail/card-rail.js';
import { type Change, Database } from '../store/database.js';
import { BLOCKED_PAUSE_MS, Connection, type Fate } from '../store/driver.js';
import { Blocked } from '../store/failures.js';
import { aLog, connectionTo, KEYS, serve, shellOver } from './shell.js';

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
  /** The chance that a statement, a message or a call of the rail takes long. */
  slow: number;
  /** Chances of one call of the rail, and that it refuses a refund for good. */
  railLost: number;
  railLate: number;
  railSilent: number;
  railRefuses: number;
  /** Chances of one event of the rail. */
  eventLate: number;
  eventRepeated: number;
  eventForgotten: number;
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
  railLost: 0,
  railLate: 0,
  railSilent: 0,
  railRefuses: 0,
  eventLate: 0,
  eventRepeated: 0,
  eventForgotten: 0,
};

type Served = 'billing' | 'planning';

/** The sweeps that have something to do: of signings alone, and with a card rail. */
const SIGNING_SWEEPS: ReadonlySet<string> = new Set(['signings', 'payment events']);
const PAYMENT_SWEEPS: ReadonlySet<string> = new Set([...SIGNING_SWEEPS, 'refunds', 'unpaid orders', 'rail reconciler']);
const SERVED = {
  billing: [
    'approve_plan',
    'gate_raise',
    'terms_publish',
    'quote_facts',
    'sandbox_order_payment',
    'pay_checkout',
    'pay_rail',
    'rail_event',
    'order_cancel',
    'ops_order_cancel',
    'ops_order_refund',
    'ops_order_invoice_sent',
    'ops_order_invoice_withdrawn',
    'ops_order_invoice_paid',
    'ops_credit_refund',
    'ops_credit_waive',
  ],
  planning: [
    'plan_terms',
    'plan_sign',
    'plan_sign_close',
    'write_refusal_get',
    'plan_remove_creator',
    'rename_campaign',
    'delete_campaign',
  ],
} as const satisfies Record<Served, readonly OperationName[]>;

const OWN = {
  CDS_APP_URL: 'http://app.example',
  CDS_SANDBOX_RAIL_SECRET: 'simulated-rail-secret',
  CDS_PAY_TOKEN_KEYS: { 1: createSecretKey(Buffer.alloc(32, 7)) },
  CDS_PAY_FORM_KEY: createSecretKey(Buffer.alloc(32, 8)),
  CDS_RECEIPT_KEYS: { 1: receiptKeyOf(Buffer.alloc(32, 9)) },
  CDS_STRIPE_SECRET_KEY: '',
  CDS_STRIPE_WEBHOOK_SECRETS: [],
  CDS_STRIPE_API_URL: '',
  CDS_SELLER_NAME: 'A seller',
  CDS_SELLER_ADDRESS: [],
  CDS_SELLER_TAX_ID: '',
  CDS_SELLER_EMAIL: 'billing@app.example',
  CDS_SELLER_BANK: [],
};
/** A sandbox's clock is never moved here. */
const NOTHING_DUE = { handled: 0, facts: 0, behind: false };
/** Longer than the reconciler leaves a session alone. */
const RECONCILED_MS = 1_000_000;
const RESTART_MS = [50, 1_500] as const;
/** How long the bus still sends to a replica that died. */
const FORGOTTEN_AFTER_MS = 300;
/** How far a node may be ahead of the others when it is lost. */
const UNREPLICATED_MS = 20;

/** Replicas of billing and planning on simulated databases, a bus between them, and a catalog that never fails. */
export class World {
  readonly databases: Record<Served, Database> = { billing: new Database(), planning: new Database() };
  readonly units = new Map<string, UnitFacts>();
  readonly alarms: string[] = [];
  /** What was answered: by key the newest version of its mandate, and by right below which version it has ended. */
  readonly answered = { mandates: new Map<string, number>(), ends: new Map<string, number>() };
  readonly bus: Bus;
  /** The rail of live orders by card; null where nothing is paid by card. */
  readonly cards: CardRail | null;
  /** Called for every commit. */
  onCommit: (service: Served, changes: readonly Change[]) => void = () => undefined;
  /**
   * Runs begin, are renewed and are given up without a majority (docs/reliability.md#idempotency): what happened to
   * them in the last moment may be lost with the node that acknowledged it.
   */
  private readonly unreplicated: Record<Served, { at: number; change: Change }[]> = { billing: [], planning: [] };
  private readonly server = anActor('database');
  private readonly downUntil: Record<Served, number> = { billing: 0, planning: 0 };
  private started = 0;

  constructor(
    readonly scheduler: Scheduler,
    readonly faults: Faults,
    /** Whether replicas publish their events too; it doubles the cost of a run. */
    readonly relays: boolean,
    paysByCard = false,
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
        // The log is in order: what a majority has, it has with everything before.
        if (change !== undefined && isOfRun(change)) this.unreplicated[service].push({ at: scheduler.now, change });
        else this.unreplicated[service] = [];
        this.onCommit(service, changes);
      };
    this.serveCatalog();
    this.serveProposals();
    this.cards = paysByCard ? this.cardRail(bad) : null;
  }

  gateway(actor: Actor): BusClient {
    const connection = connectionTo(this.bus, actor, 'gateway');
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

  formToken(token: string): string {
    return formTokenOf(OWN.CDS_PAY_FORM_KEY, token);
  }

  /** The last day to pay an order comes, or its session has been open for a while: time jumps for it alone. */
  async timePasses(order: string, what: 'its last day' | 'a quarter of an hour'): Promise<void> {
    const now = this.scheduler.date();
    const field = what === 'its last day' ? 'pay_expires_at' : 'session.opened_at';
    const time = what === 'its last day' ? now : new Date(now.getTime() - RECONCILED_MS);
    const filter = what === 'its last day' ? { _id: order } : { _id: order, 'session.state': { $exists: true } };
    // As whoever changes an order does: one that was read before is not saved over this.
    const update = { $set: { [field]: time }, $inc: { rev: 1 } };
    const statement = { kind: 'update', collection: 'orders', filter, update, upsert: false, many: false } as const;
    this.scheduler.note(() => `${what} passes for an order`);
    for (;;)
      try {
        this.databases.billing.execute(statement, null, now);
        return;
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        await delay(BLOCKED_PAUSE_MS);
      }
  }

  /** The primary of a database steps down: open transactions end, nothing answers for a while. */
  failOver(service: Served, ms: number): void {
    this.scheduler.note(() => `the database of ${service} fails over for ${Math.round(ms)} ms`);
    this.databases[service].abortAll();
    const young = this.unreplicated[service].filter(({ at }) => at > this.scheduler.now - UNREPLICATED_MS).reverse();
    for (const { change } of young) this.databases[service].restore(change.collection, change.id, change.before);
    this.unreplicated[service] = [];
    this.downUntil[service] = this.scheduler.now + ms;
  }

  private startBilling(actor: Actor): void {
    const log = aLog(this.scheduler, this.alarms);
    const shell = shellOver('billing', { connection: this.connect('billing', actor), bus: this.bus, actor, log });
    const parts = billingModule(shell, async () => NOTHING_DUE, OWN, this.cards?.client(actor) ?? null);
    void shell.store.migrate();
    serve(
      'billing',
      { bus: this.bus, actor, shell, log },
      bindHandlers('billing', parts.handlers, parts.deps),
      SERVED.billing,
    );
    const due = this.cards === null ? SIGNING_SWEEPS : PAYMENT_SWEEPS;
    const sweeps = parts.sweeps.filter((sweep) => due.has(sweep.name));
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

  private cardRail(bad: (chance: number) => boolean): CardRail {
    const { scheduler, faults } = this;
    const { random } = scheduler;
    const fate = (): Fate => {
      if (bad(faults.railLost)) return 'lost';
      if (bad(faults.railLate)) return 'late';
      return bad(faults.railSilent) ? 'reply_lost' : 'arrives';
    };
    const weather = {
      fate,
      latencyMs: () => (bad(faults.slow) ? random.between(5, 500) : random.between(1, 5)),
      refuses: () => bad(faults.railRefuses),
      eventMs: () => (bad(faults.eventLate) ? random.between(50, 8_000) : random.between(1, 20)),
      repeated: () => bad(faults.eventRepeated),
      forgotten: () => bad(faults.eventForgotten),
    };
    const gateway = (actor: Actor): BusClient => this.gateway(actor);
    return new CardRail(scheduler, weather, gateway, ({ order }) => {
      scheduler.after(weather.latencyMs(), this.server, '', () => {
        void this.timePasses(order, 'a quarter of an hour');
      });
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

  /** No line is on offer in this world, so a cancelled order owes the prices. */
  private serveProposals(): void {
    const operation = operationByName('line_cancel_credits');
    if (operation === undefined) throw new Error('line_cancel_credits is not declared');
    const { nats } = this.bus.connect(anActor('proposals'), 'proposals');
    nats.subscribe(subjectOf(operation), {
      queue: 'proposals',
      callback: (_error, message) => message.respond(encodeOk({ lines: [] }, 200, false)),
    });
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

/** Whether a change only begins, renews or gives up a run; its outcome waits for a majority. */
const isOfRun = ({ collection, before, after }: Change): boolean =>
  collection === 'commands' && (after ?? before)?.['run'] !== undefined;

export type { Served, ServiceName };
