import { setTimeout as delay } from 'node:timers/promises';
import { auditSignings, Databases, unfinishedHolds } from '../audits/audit.js';
import { ask, type Stack } from '../stack.js';
import { Agent } from './agent.js';
import { History } from './history.js';
import { Random } from './random.js';

/** The failpoints of the signing saga (reliability 3.5) and the service whose process dies there. */
export const FAILPOINTS = {
  'sign.before_reserve': 'billing',
  'sign.refusal_held': 'billing',
  'sign.reserved': 'billing',
  'sign.request_late': 'billing',
  'sign.planning_in_tx': 'planning',
  'sign.planning_committed': 'planning',
  'sign.planning_refused': 'planning',
  'sign.verdict_received': 'billing',
  'sign.order_written': 'billing',
} as const;
type Failpoint = keyof typeof FAILPOINTS;

const SERVICES = ['gateway', 'catalog', 'planning', 'billing', 'proposals', 'metrics'] as const;

export type FaultPlan = { seed: number; kills: number; perFailpoint: number; agents: number };

export type FaultReport = {
  seed: number;
  kills: Record<string, number>;
  failpoints: Record<string, number>;
  writes: number;
  retries: number;
  approvals: number;
  /** Sentences, each a violated invariant or a write that never settled; empty when all is well. */
  violations: string[];
};

/** How long every signing may take to settle once all services are up again (reliability 6: within 10 s). */
const QUIET_MS = 40_000;

/**
 * T3: kills processes at random moments and at every named failpoint while agents retry their writes, then compares what
 * the agents were told with what the databases hold (I01, I02, I12, I15, I19, I55, I56).
 */
export const runFaults = async (stack: Stack, plan: FaultPlan, say: (text: string) => void): Promise<FaultReport> => {
  const random = new Random(plan.seed);
  const history = new History();
  const run = new Run(stack, history, random, say);
  await run.randomKills(plan.kills, plan.agents);
  await run.failpoints(plan.perFailpoint);
  return run.report(plan.seed);
};

class Run {
  private readonly kills: Record<string, number> = {};
  private readonly hits: Record<string, number> = {};
  private readonly down = new Map<string, Promise<void>>();
  private readonly workspaces = new Set<string>();
  private readonly problems: string[] = [];

  constructor(
    private readonly stack: Stack,
    private readonly history: History,
    private readonly random: Random,
    private readonly say: (text: string) => void,
  ) {}

  async randomKills(kills: number, agents: number): Promise<void> {
    let stop = false;
    const running = Array.from({ length: agents }, (_none, index) =>
      new Agent(this.stack, `agent${index}`, this.random.fork(), this.history, () => stop)
        .run()
        .catch((error: unknown) => {
          this.problems.push(`agent ${index} gave up: ${String(error)}`);
        }),
    );
    const killer = this.random.fork();
    for (let done = 0; done < kills; ) {
      await delay(killer.between(100, 1_200));
      const service = killer.pick(SERVICES);
      if (this.down.has(service)) continue;
      this.kills[service] = (this.kills[service] ?? 0) + 1;
      done += 1;
      if (done % 10 === 0) this.say(`${done} of ${kills} kills, ${this.history.writes.length} writes`);
      await this.stack.kill(service);
      this.revive(service, killer.between(0, 300));
      // At most two are down at once: with the whole system away nothing would happen that could go wrong.
      if (this.down.size >= 2) await Promise.race(this.down.values());
    }
    stop = true;
    await Promise.all(this.down.values());
    await Promise.all(running);
  }

  async failpoints(perFailpoint: number): Promise<void> {
    const agent = new Agent(this.stack, 'points', this.random.fork(), this.history, () => false);
    for (const failpoint of Object.keys(FAILPOINTS) as Failpoint[]) {
      for (let round = 0; round < perFailpoint; round += 1) await this.oneFailpoint(agent, failpoint);
      this.say(`${failpoint}: ${this.hits[failpoint] ?? 0} of ${perFailpoint} times`);
    }
  }

  /** Signs with a failpoint armed; the process dies there and comes back while the agent retries. */
  private async oneFailpoint(agent: Agent, failpoint: Failpoint): Promise<void> {
    const service = FAILPOINTS[failpoint];
    let settled = false;
    let died = false;
    const watch = async () => {
      while (!settled) {
        if (this.stack.services[service]?.[0]?.isAlive() === false) {
          died = true;
          this.revive(service, 0);
          await this.down.get(service);
          return;
        }
        await delay(20);
      }
    };
    let watching: Promise<void> = Promise.resolve();
    await agent.job(async (plan) => {
      await this.arm(service, `${failpoint}=kill:1`);
      watching = watch();
      if (failpoint === 'sign.refusal_held')
        await agent.send('approve_plan', { id: plan.plan_id, terms_fingerprint: 'x'.repeat(43) });
      if (failpoint === 'sign.planning_refused') await this.refuseInsideSigning(agent, plan);
    });
    settled = true;
    await watching;
    if (died) this.hits[failpoint] = (this.hits[failpoint] ?? 0) + 1;
  }

  /** A price that moves after the terms were read and before they are signed: billing waits there meanwhile. */
  private async refuseInsideSigning(
    agent: Agent,
    plan: { plan_id: string; terms_fingerprint: string; lines: { unit_id: string | null }[] },
  ): Promise<void> {
    await this.arm('billing', 'sign.request_late=wait:1500');
    const approval = agent.send('approve_plan', { id: plan.plan_id, terms_fingerprint: plan.terms_fingerprint });
    await delay(400);
    await agent.send('sandbox_unit_set', { unit_id: plan.lines[0]?.unit_id, off_sale: true });
    await approval;
    await agent.send('sandbox_unit_clear', { unit_id: plan.lines[0]?.unit_id });
  }

  private async arm(service: string, text: string): Promise<void> {
    const port = this.stack.services[service]?.[0]?.opsPort();
    const response = await fetch(`http://127.0.0.1:${port}/failpoints`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ arm: text }),
    });
    if (!response.ok) throw new Error(`could not arm ${text}`);
  }

  private revive(service: string, afterMs: number): void {
    const back = delay(afterMs)
      .then(() => this.stack.restartService(service))
      .catch((error: unknown) => {
        this.problems.push(`${service} did not come back: ${String(error)}`);
      })
      .finally(() => this.down.delete(service));
    this.down.set(service, back);
  }

  async report(seed: number): Promise<FaultReport> {
    const databases = await Databases.open(this.stack.mongodbUri, this.stack.prefix);
    try {
      const violations = [
        ...this.problems,
        ...this.history.faults(),
        ...(await quiet(databases)),
        ...(await auditSignings(databases)),
        ...(await this.effects(databases)),
      ];
      const approvals = this.history.writes.filter(
        (one) => one.operation === 'approve_plan' && one.answers[0]?.status === 200,
      );
      return {
        seed,
        kills: this.kills,
        failpoints: this.hits,
        writes: this.history.writes.length,
        retries: this.history.writes.reduce((sum, one) => sum + one.unknown, 0),
        approvals: approvals.length,
        violations,
      };
    } finally {
      await databases.close();
    }
  }

  /** I01: every write that was told as done happened once, and none that was refused happened. */
  private async effects(databases: Databases): Promise<string[]> {
    const wrong: string[] = [];
    for (const write of this.history.writes) this.workspaces.add(write.workspace);
    for (const workspace of this.workspaces) {
      const told = this.history.succeeded(workspace, 'create_campaign').length;
      const campaigns = await databases.of('planning').collection('campaigns').countDocuments({ ws: workspace });
      if (campaigns !== told)
        wrong.push(`I01: workspace ${workspace} was told of ${told} campaigns and has ${campaigns}`);
      const signed = this.history.succeeded(workspace, 'approve_plan').length;
      const orders = await databases.of('billing').collection('orders').countDocuments({ ws: workspace });
      if (orders !== signed)
        wrong.push(`I01: workspace ${workspace} was told of ${signed} signatures and has ${orders} orders`);
    }
    for (const write of this.history.writes.filter(
      (one) => one.operation.startsWith('plan_') && (one.answers[0]?.status ?? 500) < 300,
    )) {
      wrong.push(...(await this.editHappenedOnce(databases, write.answers[0]?.body as EditAnswer)));
    }
    return wrong;
  }

  /** An edit's answer names its line; a line added is there once unless a later edit took it away. */
  private async editHappenedOnce(databases: Databases, answer: EditAnswer): Promise<string[]> {
    if (answer.line_id === undefined) return [];
    const plan = await databases
      .of('planning')
      .collection<{ _id: string; version: number; lines: { id?: string; line_id?: string }[] }>('plans')
      .findOne({ _id: answer.plan.plan_id });
    const times = plan?.lines.filter((line) => (line.id ?? line.line_id) === answer.line_id).length ?? 0;
    if (times > 1) return [`I01: line ${answer.line_id} stands ${times} times`];
    if (plan === null || plan.version < answer.plan.version)
      return [`I11: plan ${answer.plan.plan_id} lost version ${answer.plan.version}`];
    return [];
  }
}

type EditAnswer = { line_id?: string; plan: { plan_id: string; version: number } };

/** Waits until every signing is settled; what is left after that is a violation. */
const quiet = async (databases: Databases): Promise<string[]> => {
  const end = performance.now() + QUIET_MS;
  for (;;) {
    const left = await unfinishedHolds(databases);
    if (left.length === 0) return [];
    if (performance.now() > end)
      return left.map((hold) => `I55: signing ${hold.signing_id} is not settled after ${QUIET_MS / 1000} s`);
    await delay(200);
  }
};

/** Whether the gateway answers; a run starts on a whole system. */
export const answers = async (stack: Stack): Promise<boolean> =>
  (await ask(stack, null, 'network_facts', {})).status === 200;
