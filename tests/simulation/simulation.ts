import { under } from './platform/platform.js';
import { anActor, type Blow, Scheduler } from './platform/scheduler.js';
import { Agents } from './world/agents.js';
import { faultsAtRest, Watch, waitingFacts } from './world/checks.js';
import type { Scenario } from './world/scenarios.js';
import { type Act, actsOf, drawnActs, workspaceOf } from './world/workload.js';
import { type Faults, FINE, World } from './world/world.js';

export type Outcome = {
  violations: string[];
  trace: string[];
  /** Steps of replicas until every agent was answered; at each of them a replica can die. */
  points: number;
  steps: number;
  simulatedMs: number;
};

/** By when everything begun must be final, counted from the last fault. */
const HEALING_MS = 45_000;
const AT_REST_MS = 1_500;

/** One random schedule: what is done, what fails and who dies when, all drawn from the seed. */
export const simulate = (seed: number, traced = false): Promise<Outcome> => {
  const scheduler = new Scheduler(seed, traced);
  return under(scheduler, async () => {
    const { random } = scheduler;
    const spanMs = random.one([20, 200, 2_000]);
    const rough = random.chance(0.7);
    const faults: Faults = rough
      ? {
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
    const world = new World(scheduler, faults, random.chance(0.2));
    const watch = new Watch(world);
    const agents = new Agents(scheduler, world.gateway(anActor('gateway')));
    const workspace = workspaceOf(world, {
      keys: 1 + random.below(2),
      plans: 1 + random.below(3),
      linesPerPlan: 1 + random.below(2),
      drafts: random.below(3),
      capPlans: random.one([0.9, 1, 1.5, 2, 5]),
    });
    for (let replica = 0; replica < 2; replica += 1) {
      world.start('billing');
      world.start('planning');
    }
    play(scheduler, agents, drawnActs(world, agents, workspace, spanMs));
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

/** The one fault of a scenario: it hits whichever replica takes this step. */
export type Struck = { point: number; blow: Blow };

/** One scenario without other faults, except for one kill or pause. */
export const enact = (scenario: Scenario, struck: Struck | null, traced = false): Promise<Outcome> => {
  const scheduler = new Scheduler(scenario.seed, traced);
  return under(scheduler, async () => {
    const world = new World(scheduler, { ...FINE }, false);
    const watch = new Watch(world);
    const agents = new Agents(scheduler, world.gateway(anActor('gateway')));
    const workspace = workspaceOf(world, scenario.size);
    for (let replica = 0; replica < 2; replica += 1) {
      world.start('billing');
      world.start('planning');
    }
    play(scheduler, agents, scenario.acts(actsOf(world, agents, workspace), workspace));
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
  const end = scheduler.now + HEALING_MS;
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
  (!world.relays || waitingFacts(world).length === 0);
