import { under } from './platform/platform.js';
import { anActor, type Blow, Scheduler } from './platform/scheduler.js';
import { Agents } from './world/agents.js';
import { faultsAtRest, Watch, waitingFacts } from './world/checks.js';
import { moneyIsAtRest } from './world/money.js';
import { drawnHappenings, happeningsOf, signAndPay } from './world/payments.js';
import { RememberedKeys } from './world/remembered-keys.js';
import type { Scenario } from './world/scenarios.js';
import { type Act, actsOf, drawnActs, type Size, type Workspace, workspaceOf } from './world/workload.js';
import { type Faults, FINE, World } from './world/world.js';

export type Outcome = {
  violations: string[];
  trace: string[];
  /** Steps of replicas until every agent was answered; at each of them a replica can die. */
  points: number;
  steps: number;
  simulatedMs: number;
};

/** Every so many schedules the first key has children, so that they race it for its last cents. */
const FAMILY_EVERY = 3;

/** Every so many schedules a key is revoked, and often the workspace suspended. */
const ENDS_EVERY = 4;

/** By when everything begun must be final, counted from the last fault. */
const HEALING_MS = 45_000;
/** The same for payments: an event without its payment is parked, and the reconciler has its minute. */
const PAID_MS = 200_000;
const AT_REST_MS = 1_500;

/** Schedules from this number on are about the payment of signed orders, the others about signing them. */
export const PAYMENTS_FROM = 1_000_000_000;

/** Schedules from this number on are about keys that gateways remember. */
export const KEYS_FROM = 2_000_000_000;

/** How long everybody may take to be answered after the last fault. */
const ANSWERED_MS = 1_000_000;

const simulateKeys = (scheduler: Scheduler): Promise<Outcome> =>
  under(scheduler, async () => {
    const world = new RememberedKeys(scheduler);
    let ended: unknown = null;
    world.run().then(
      () => {
        ended = true;
      },
      (error: unknown) => {
        ended = error;
      },
    );
    await scheduler.run(() => ended !== null, ANSWERED_MS);
    if (ended !== true) world.violations.push(`not everybody was answered: ${ended}`);
    world.atRest();
    const { violations } = world;
    return { violations, trace: scheduler.trace, points: 0, steps: scheduler.mortalSteps, simulatedMs: scheduler.now };
  });

/** One random schedule: what is done, what fails and who dies when, all drawn from the seed. */
export const simulate = (seed: number, traced = false): Promise<Outcome> => {
  const scheduler = new Scheduler(seed, traced);
  if (seed >= KEYS_FROM) return simulateKeys(scheduler);
  const pays = seed >= PAYMENTS_FROM;
  return under(scheduler, async () => {
    const { random } = scheduler;
    const spanMs = random.one([20, 200, 2_000]);
    const rough = random.chance(0.7);
    const faults: Faults = rough
      ? {
          ...FINE,
          until: spanMs + random.between(0, 5_000),
          statementLost: random.one([0, 0.01, 0.03]),
          statementLate: random.one([0, 0.01, 0.02]),
          replyLost: random.one([0, 0.01, 0.03]),
          messageLost: random.one([0, 0.05, 0.15]),
          messageDoubled: random.one([0, 0.1]),
          messageLate: random.one([0, 0.03, 0.1]),
          slow: random.one([0.02, 0.1, 0.3]),
        }
      : { ...FINE, until: spanMs + 2_000, slow: random.one([0, 0.1]) };
    if (pays) Object.assign(faults, drawnRail(scheduler, 3 * spanMs + 1_000));
    const world = new World(scheduler, faults, random.chance(0.2), pays);
    const watch = new Watch(world);
    const agents = new Agents(scheduler, world.gateway(anActor('gateway')));
    const size = {
      keys: 1 + random.below(2),
      plans: 1 + random.below(3),
      linesPerPlan: 1 + random.below(2),
      drafts: random.below(3),
      capPlans: random.one([0.9, 1, 1.5, 2, 5]),
      childCapPlans: seed % FAMILY_EVERY === 0 ? [1, 2] : [],
      ends: seed % ENDS_EVERY === 0,
    };
    const workspace = workspaceOf(world, pays ? { ...size, ...ONE_KEY, plans: 1 + random.below(2) } : size);
    start(world);
    if (pays) pay(world, agents, workspace, spanMs);
    else play(scheduler, agents, drawnActs(world, agents, workspace, spanMs, size));
    const kills = rough ? random.one([0, 0.002, 0.01]) : 0;
    const pauses = rough ? random.one([0, 0, 0.003]) : 0;
    scheduler.strike = () => {
      if (scheduler.now >= faults.until) return null;
      const drawn = random.next();
      if (drawn < kills) return 'kill';
      return drawn < kills + pauses ? random.between(50, 9_000) : null;
    };
    if (rough && random.chance(0.2)) failOver(world, faults.until);
    return outcomeAtRest(world, agents, watch);
  });
};

/** A live workspace whose one key can sign all of its plans: the orders are what matters. */
const ONE_KEY: Pick<Size, 'keys' | 'drafts' | 'capPlans' | 'childCapPlans' | 'live'> = {
  keys: 1,
  drafts: 0,
  capPlans: 5,
  childCapPlans: [],
  live: true,
};

const drawnRail = ({ random }: Scheduler, until: number): Partial<Faults> => ({
  until,
  railLost: random.one([0, 0.05, 0.2]),
  railLate: random.one([0, 0.05, 0.1]),
  railSilent: random.one([0, 0.05, 0.2]),
  railRefuses: random.one([0, 0, 0.2]),
  eventLate: random.one([0, 0.3, 0.8]),
  eventRepeated: random.one([0, 0.3]),
  eventForgotten: random.one([0, 0, 0.1]),
});

const start = (world: World): void => {
  for (let replica = 0; replica < 2; replica += 1) {
    world.start('billing');
    world.start('planning');
  }
};

const pay = (world: World, agents: Agents, workspace: Workspace, spanMs: number): void => {
  const { random } = world.scheduler;
  const can = happeningsOf(world, agents);
  for (const nth of workspace.plans.keys())
    signAndPay(
      agents,
      workspace,
      nth,
      random.one(['checkout', 'checkout', 'invoice']),
      drawnHappenings(world, can, spanMs),
    );
};

/** The one fault of a scenario: it hits whichever replica takes this step. */
export type Struck = { point: number; blow: Blow };

export const enact = (scenario: Scenario, struck: Struck | null, traced = false): Promise<Outcome> => {
  const scheduler = new Scheduler(scenario.seed, traced);
  return under(scheduler, async () => {
    const { signed } = scenario;
    const world = new World(scheduler, { ...FINE }, false, signed !== undefined);
    const watch = new Watch(world);
    const agents = new Agents(scheduler, world.gateway(anActor('gateway')));
    const workspace = workspaceOf(world, scenario.size);
    start(world);
    if (signed === undefined) play(scheduler, agents, scenario.acts(actsOf(world, agents, workspace), workspace));
    else signAndPay(agents, workspace, 0, 'checkout', signed(happeningsOf(world, agents)));
    scheduler.strike = (_actor, step) => (step === struck?.point ? struck.blow : null);
    agents.timeoutMs = 300;
    agents.gatewayMs = [25_000];
    return outcomeAtRest(world, agents, watch);
  });
};

const play = (scheduler: Scheduler, agents: Agents, acts: readonly Act[]): void => {
  const begins = anActor('agents');
  for (const act of acts)
    agents.begin(async () => {
      await new Promise<void>((resolve) => {
        scheduler.after(act.at, begins, act.does, resolve);
      });
      await act.run();
    });
};

/** The primary of one database steps down at some moment. */
const failOver = (world: World, until: number): void => {
  const { scheduler } = world;
  const { random } = scheduler;
  scheduler.after(random.between(0, until), anActor('database'), '', () =>
    world.failOver(random.one(['billing', 'planning']), random.between(20, 9_000)),
  );
};

const outcomeAtRest = async (world: World, agents: Agents, watch: Watch): Promise<Outcome> => {
  const { scheduler } = world;
  await scheduler.run(() => agents.idle && scheduler.now > world.faults.until, world.faults.until + 200_000);
  const points = scheduler.mortalSteps;
  const end = scheduler.now + (world.cards === null ? HEALING_MS : PAID_MS);
  // A statement that lands late begins it all again.
  do {
    await scheduler.run(() => isAtRest(world), end);
    await scheduler.run(() => !isAtRest(world), scheduler.now + AT_REST_MS);
  } while (!isAtRest(world) && scheduler.now < end);
  return {
    violations: [...new Set(faultsAtRest(world, agents, watch))],
    trace: scheduler.trace,
    points,
    steps: scheduler.mortalSteps,
    simulatedMs: scheduler.now,
  };
};

const isAtRest = (world: World): boolean =>
  world.databases.billing.documents('authority').every((one) => (one['holds'] as unknown[]).length === 0) &&
  (!world.relays || waitingFacts(world).length === 0) &&
  moneyIsAtRest(world);
