import { setTimeout as delay } from 'node:timers/promises';
import type { Databases } from '../support/audits/audit.js';
import { wrongAtRest } from '../support/audits/audits.js';
import { Agent } from './agent.js';
import { WRITE_TIMEOUT_MS } from './caller.js';
import { wrongEffects } from './effects.js';
import { History } from './history.js';
import { dieAt, FAILPOINTS, type Failpoint, stopAt } from './kinds/failpoint.js';
import type { Fault, Readings } from './kinds/fault.js';
import { KINDS, type KindName } from './kinds/table.js';
import { Random } from './random.js';
import type { System } from './system.js';

export type FaultPlan = {
  seed: number;
  faults: Record<KindName, number>;
  /** How often a process dies at each failpoint, and how often it stops there. */
  deathsEach: number;
  stopsEach: number;
  agents: number;
};

export type FaultReport = {
  seed: number;
  faults: Record<KindName, Record<string, number>>;
  failpoints: Record<Failpoint, Met>;
  /** What was measured, in milliseconds, over faults that were alone. */
  readings: Record<string, Figures>;
  writes: number;
  retries: number;
  /** How often faults paused until a write was answered that had waited for long. */
  pauses: number;
  approvals: number;
  /** Sentences, each a violated invariant or a write without a final answer; empty when all is well. */
  violations: string[];
};
type Met = { deaths: number; stops: number };
type Figures = { count: number; p50: number; p99: number; most: number };

/** One fault of a run's schedule, drawn before the run begins. */
type Planned = { kind: KindName; afterMs: number; alone: boolean; fault: Fault };

/** A write that has waited for so long is let through; its caller gives up at WRITE_TIMEOUT_MS. */
const STARVED_MS = 60_000;
const LOOK_EVERY_MS = 100;
/** With more at once, too little runs to go wrong. */
const AT_ONCE = 2;
/** After it every post of a launch window has its last reading, and every line its end. */
const DAYS_TO_THE_END = 60;
/** How long a process stops at a failpoint: less than the deadline of a write. */
const STOPPED_MS = [1_000, 20_000] as const;
/** docs/reliability.md#recovery: a signing that a fault interrupted is final by then. */
const SETTLED_MS = 10_000;
/** The share of faults that come alone; only those are measured. */
const ALONE = 0.5;

/**
 * docs/reliability.md#layers: inflicts every kind of fault at random moments while agents retry their writes, and kills
 * processes at every named failpoint. Then it compares the agents' answers with the databases (I01, I02, I11) and runs
 * every audit.
 */
export const runFaults = async (system: System, plan: FaultPlan, say: (text: string) => void): Promise<FaultReport> => {
  const random = new Random(plan.seed);
  const run = new Run(system, new History(), random, say);
  await run.underLoad(schedule(random.fork(), plan.faults), plan.agents);
  await run.failpoints(plan.deathsEach, plan.stopsEach);
  await run.toTheEnd();
  return run.report(plan.seed);
};

/** Which faults come, in which order and when: all of it follows from the seed. */
const schedule = (random: Random, counts: Record<KindName, number>): Planned[] => {
  const kinds = (Object.keys(KINDS) as KindName[]).flatMap((kind) => Array<KindName>(counts[kind]).fill(kind));
  return random.shuffled(kinds).map((kind) => ({
    kind,
    afterMs: random.between(100, 1_200),
    // A kill may always meet another fault.
    alone: kind !== 'kill' && random.next() < ALONE,
    fault: KINDS[kind].draw(random.fork()),
  }));
};

class Run {
  private readonly faults = Object.fromEntries(
    (Object.keys(KINDS) as KindName[]).map((kind) => [kind, {}]),
  ) as FaultReport['faults'];
  private readonly readings = new Map<string, number[]>();
  private readonly met = Object.fromEntries(
    Object.keys(FAILPOINTS).map((name) => [name, { deaths: 0, stops: 0 }]),
  ) as FaultReport['failpoints'];
  private readonly lasting = new Map<string, Promise<void>>();
  private readonly problems: string[] = [];
  private worked = false;
  private pauses = 0;

  constructor(
    private readonly system: System,
    private readonly history: History,
    private readonly random: Random,
    private readonly say: (text: string) => void,
  ) {}

  async underLoad(planned: readonly Planned[], agents: number): Promise<void> {
    let stop = false;
    this.worked = planned.length > 0;
    this.system.agents = Array.from(
      { length: agents },
      (_none, index) => new Agent(this.system.stack, `agent${index}`, this.random.fork(), this.history, () => stop),
    );
    const running = this.system.agents.map((agent, index) =>
      agent.run().catch((error: unknown) => {
        this.problems.push(`agent ${index} gave up: ${String(error)}`);
      }),
    );
    while (this.system.agents.some(({ keyId }) => keyId === '')) await delay(20);
    for (const [done, one] of planned.entries()) {
      if (done % 10 === 0) this.say(`${done} of ${planned.length} faults, ${this.history.writes.length} writes`);
      await delay(one.afterMs);
      await this.letThrough();
      const room = one.alone ? 0 : AT_ONCE - 1;
      while (this.lasting.size > room || this.lasting.has(one.fault.target)) await Promise.race(this.lasting.values());
      await this.inflict(one);
      if (one.alone) await Promise.all(this.lasting.values());
    }
    await Promise.all(this.lasting.values());
    while (planned.length > 0 && !this.hasPaidLines()) await delay(LOOK_EVERY_MS);
    stop = true;
    await Promise.all(running);
  }

  private hasPaidLines(): boolean {
    return this.system.agents.some(
      ({ workspace }) => this.history.succeeded(workspace, 'sandbox_order_payment').length > 0,
    );
  }

  /**
   * Inflicts nothing more while a write waits all of whose tries met a fault, until its caller has an answer or gives
   * up: faults without a pause prove nothing about the recovery.
   */
  private async letThrough(): Promise<void> {
    const waiting = this.history.waitingFor(STARVED_MS, WRITE_TIMEOUT_MS);
    if (waiting === undefined) return;
    this.pauses += 1;
    this.say(`nothing more until ${waiting.operation} ${waiting.key} is answered: ${waiting.lastUnknown}`);
    const end = waiting.begunAt + WRITE_TIMEOUT_MS;
    while (waiting.answers.length === 0 && performance.now() < end) await delay(LOOK_EVERY_MS);
  }

  /** Lets each agent's last sandbox run to its end, so that the faults' traces in its lines come to light. */
  async toTheEnd(): Promise<void> {
    await Promise.all(
      this.system.agents.map((agent) =>
        agent.pass(DAYS_TO_THE_END).catch((error: unknown) => this.problems.push(String(error))),
      ),
    );
  }

  /**
   * Every line of a paid order has ended: proved, or cancelled with its price credited. There is at least one such
   * line, or nothing was looked at.
   */
  private async unexplained(databases: Databases): Promise<string[]> {
    const lines = databases.of('proposals').collection<EndedLine>('offer_lines');
    const paid = await lines
      .find({ ws: { $in: this.system.agents.map(({ workspace }) => workspace) }, order_state: 'paid' })
      .toArray();
    if (paid.length === 0) return ['I29: no line of a paid order was found in the sandboxes of the agents'];
    return paid
      .filter(({ cancelled, post, credits = [], price_cents }) => {
        const owed = credits.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
        return cancelled ? owed !== price_cents : post?.status !== 'completed';
      })
      .map(({ _id, cancelled }) => `${cancelled ? 'I68' : 'I29'}: line ${_id} of a paid order has no end`);
  }

  private async inflict({ kind, alone, fault }: Planned): Promise<void> {
    const failed = (error: unknown): void => {
      this.problems.push(`${kind} of ${fault.target} was not recovered from: ${String(error)}`);
    };
    try {
      const { hit, recovery } = await fault.inflict(this.system);
      this.faults[kind][hit] = (this.faults[kind][hit] ?? 0) + 1;
      const lasting = recovery()
        .then((readings) => {
          if (alone) this.note(kind, readings);
        }, failed)
        .finally(() => this.lasting.delete(fault.target));
      this.lasting.set(fault.target, lasting);
    } catch (error) {
      failed(error);
    }
  }

  private note(kind: string, readings: Readings): void {
    for (const [name, values] of Object.entries(readings)) {
      const all = this.readings.get(`${kind} ${name}`) ?? [];
      this.readings.set(`${kind} ${name}`, [...all, ...values]);
    }
  }

  /** Kills and stops the process at each failpoint; the signing is final soon after the process works again. */
  async failpoints(deathsEach: number, stopsEach: number): Promise<void> {
    const agent = new Agent(this.system.stack, 'points', this.random.fork(), this.history, () => false);
    const stops = this.random.fork();
    for (const failpoint of Object.keys(FAILPOINTS) as Failpoint[]) {
      const met = this.met[failpoint];
      const inTurn = async (times: number, once: () => Promise<void>): Promise<void> => {
        for (let round = 0; round < times; round += 1)
          await once().catch((error: unknown) => {
            this.problems.push(`${failpoint} was not recovered from: ${String(error)}`);
          });
      };
      const by = { system: this.system, agent, history: this.history };
      const settled = (what: string, ms: number | null): number => {
        if (ms !== null) this.note(`signing ${what}`, { settled: [ms] });
        return ms === null ? 0 : 1;
      };
      await inTurn(deathsEach, async () => {
        met.deaths += settled('killed', await dieAt(failpoint, by));
      });
      await inTurn(stopsEach, async () => {
        met.stops += settled('stopped', await stopAt(failpoint, by, stops.between(...STOPPED_MS)));
      });
      this.say(`${failpoint}: died ${met.deaths} of ${deathsEach} times, stopped ${met.stops} of ${stopsEach}`);
    }
  }

  async report(seed: number): Promise<FaultReport> {
    const { databases } = this.system;
    const readings = Object.fromEntries([...this.readings].map(([name, values]) => [name, figures(values)]));
    await this.system.allReady().catch((error: unknown) => this.problems.push(String(error)));
    const violations = [
      ...this.problems,
      ...overLimits(readings, this.faults),
      ...lateSignings(readings),
      ...this.history.faults(),
      ...(await wrongAtRest(databases)),
      ...(await wrongEffects(this.history, databases)),
      ...(this.worked ? await this.unexplained(databases) : []),
    ];
    const approvals = this.history.writes.filter(
      (one) => one.operation === 'approve_plan' && one.answers[0]?.status === 200,
    );
    return {
      seed,
      faults: this.faults,
      failpoints: this.met,
      readings,
      writes: this.history.writes.length,
      retries: this.history.writes.reduce((sum, one) => sum + one.unknown, 0),
      pauses: this.pauses,
      approvals: approvals.length,
      violations,
    };
  }
}

type EndedLine = {
  _id: string;
  ws: string;
  order_state: string;
  cancelled: boolean;
  price_cents: number;
  credits?: { amount_cents: number }[];
  post: { status: string } | null;
};

const figures = (values: readonly number[]): Figures => {
  const sorted = values.map(Math.round).sort((one, other) => one - other);
  const at = (share: number): number => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), most: at(1) };
};

/** A few on a busy machine say nothing about the system. */
const lateSignings = (readings: FaultReport['readings']): string[] =>
  Object.entries(readings)
    .filter(([name, { count, most }]) => name.startsWith('signing ') && count >= ENOUGH && most > SETTLED_MS)
    .map(([name, { most }]) => `${name} ${most} ms after the process worked again, later than ${SETTLED_MS}`);

/** So many faults of a kind have a meaningful 99th percentile; a single one next to a busy process does not. */
const ENOUGH = 20;

const overLimits = (readings: FaultReport['readings'], faults: FaultReport['faults']): string[] =>
  Object.entries(KINDS).flatMap(([kind, { limits = {} }]: [string, (typeof KINDS)[KindName]]) =>
    Object.entries(limits).flatMap(([name, limitMs]) => {
      const read = readings[`${kind} ${name}`];
      const inflicted = Object.values(faults[kind as KindName]).reduce((total, count) => total + count, 0);
      if (inflicted < ENOUGH || read === undefined || read.p99 <= limitMs) return [];
      return [`${kind}: ${name} took ${read.p99} ms at the 99th percentile, more than ${limitMs}`];
    }),
  );
