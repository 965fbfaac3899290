import { setTimeout as delay } from 'node:timers/promises';
import type { Quote } from '@cds/contracts';
import { Databases } from '../support/audits/audit.js';
import { wrongAtRest } from '../support/audits/audits.js';
import type { Stack } from '../support/stack.js';
import { Agent } from './agent.js';
import { History, type Write } from './history.js';
import { Random } from './random.js';

export type EditFaultPlan = { seed: number; kills: number; agents: number };

export type EditFaultReport = {
  seed: number;
  kills: number;
  /** Kills that met an edit in flight; the gateway may answer it without a retry of its caller. */
  interrupted: number;
  edits: { done: number; refused: number; retries: number };
  plans: number;
  violations: string[];
};

/** The answered edits of a plan, from one version on. */
type Edited = { from: number; writes: Write[] };
type EditAnswer = { plan: Quote };
type StoredPlan = {
  _id: string;
  version: number;
  terms_fingerprint: string;
  lines: { id: string; creator_id: string | null }[];
};

/** How many edits of one plan an agent has in flight at once, so that they race each other as well as the kills. */
const AT_ONCE = 3;
const BURSTS = 6;
/**
 * How long a kill waits until an edit has ended since the last kill, and another is in flight. Without an end between
 * them, kills would only prove that nothing runs on a dead service; while agents create their plans, both may fail.
 */
const MEETING_MS = 10_000;
/**
 * The longest pause between two bursts of an agent. It spreads edits over the kills and over the keys' minute windows.
 */
const PAUSE_MS = 2_000;

/**
 * Kills only planning, at random moments while agents edit plans and retry each edit under its key until it gets a
 * final answer. Afterwards each plan must match the answers to its edits, each applied once (I01, I02, I11, I24).
 */
export const runEditFaults = async (stack: Stack, plan: EditFaultPlan): Promise<EditFaultReport> => {
  const random = new Random(plan.seed);
  const history = new History();
  const plans = new Map<string, Edited>();
  let killing = true;
  let inFlight = 0;
  let ended = 0;
  let interrupted = 0;
  const agents = Array.from({ length: plan.agents }, (_none, index) => {
    const draws = random.fork();
    const agent = new Agent(stack, `edits${index}`, random.fork(), history, () => !killing, 1);
    const edit = async (quote: Quote): Promise<void> => {
      const units = await agent.units();
      const writes: Write[] = [];
      plans.set(quote.plan_id, { from: quote.version, writes });
      for (let burst = 0; burst < BURSTS; burst += 1) {
        await delay(draws.between(0, PAUSE_MS));
        const answers = Array.from({ length: AT_ONCE }, async () => {
          inFlight += 1;
          const answer = await anEdit(agent, quote, units, draws).finally(() => {
            inFlight -= 1;
          });
          ended += 1;
          return answer;
        });
        writes.push(...(await Promise.all(answers)));
      }
    };
    return (async () => {
      while (killing) await agent.job(edit);
    })();
  });

  const killer = random.fork();
  for (let kills = 0; kills < plan.kills; kills += 1) {
    const endedBefore = ended;
    const isEarly = () => inFlight === 0 || ended === endedBefore;
    await delay(killer.between(50, 500));
    const intoIt = killer.between(0, 12);
    const end = performance.now() + MEETING_MS;
    do {
      while (isEarly() && performance.now() < end) await delay(2);
      await delay(intoIt);
    } while (isEarly() && performance.now() < end);
    if (inFlight > 0) interrupted += 1;
    await stack.kill('planning');
    await stack.restartService('planning');
  }
  killing = false;
  await Promise.all(agents);

  const databases = await Databases.open(stack.mongodbUri, stack.prefix);
  try {
    const violations = [...history.faults(), ...(await wrongAtRest(databases))];
    for (const [id, edited] of plans) violations.push(...(await intact(databases, id, edited)));
    const edits = [...plans.values()].flatMap(({ writes }) => writes);
    const done = edits.filter(isDone).length;
    return {
      seed: plan.seed,
      kills: plan.kills,
      interrupted,
      edits: { done, refused: edits.length - done, retries: edits.reduce((sum, one) => sum + one.unknown, 0) },
      plans: plans.size,
      violations,
    };
  } finally {
    await databases.close();
  }
};

const isDone = (write: Write): boolean => (write.answers[0]?.status ?? 500) < 300;

/** Any of the four edits, based on the plan as first quoted: later edits may name lines that others removed. */
const anEdit = (
  agent: Agent,
  { plan_id, lines, launch_window_start, launch_window_end }: Quote,
  units: readonly string[],
  random: Random,
): Promise<Write> => {
  const line = random.pick(lines);
  const choice = random.next();
  if (choice < 0.4) {
    const later = (day: string): string =>
      new Date(Date.parse(day) + Math.floor(random.between(1, 20)) * 86_400_000).toISOString().slice(0, 10);
    return agent.send('plan_move_dates', { id: plan_id, start: launch_window_start, end: later(launch_window_end) });
  }
  if (choice < 0.6) return agent.send('plan_remove_creator', { id: plan_id, line_id: line.id });
  const unit_id = random.pick(units);
  if (choice < 0.8) return agent.send('plan_add_creator', { id: plan_id, unit_id });
  return agent.send('plan_swap_creator', { id: plan_id, line_id: line.id, unit_id });
};

/**
 * Checks that a plan holds exactly what its edits were answered: each success made one version, without a gap; the last
 * one is stored; events and audit show each version once.
 */
const intact = async (databases: Databases, id: string, { from, writes }: Edited): Promise<string[]> => {
  const planning = databases.of('planning');
  const plan = await planning.collection<StoredPlan>('plans').findOne({ _id: id });
  if (plan === null) return [`I11: plan ${id} is gone`];
  const wrong: string[] = [];
  const quotes = writes
    .filter(isDone)
    .flatMap((write) => write.answers.slice(0, 1))
    .map((answer) => (answer.body as EditAnswer).plan);
  const versions = quotes.map((quote) => quote.version).sort((one, other) => one - other);
  const expected = quotes.map((_quote, at) => from + 1 + at);
  if (JSON.stringify(versions) !== JSON.stringify(expected))
    wrong.push(`I01: plan ${id} got the versions ${versions.join(' ')}`);
  if (plan.version !== from + quotes.length)
    wrong.push(`I01: plan ${id} has version ${plan.version} after ${quotes.length} successful edits`);
  const last = quotes.find((quote) => quote.version === plan.version);
  const shown = last?.lines.map((line) => line.id).join(' ');
  if (
    last !== undefined &&
    (last.terms_fingerprint !== plan.terms_fingerprint || shown !== plan.lines.map((line) => line.id).join(' '))
  )
    wrong.push(`I24: plan ${id} does not match the answer to its last edit`);
  if (plan.lines.length === 0) wrong.push(`I25: plan ${id} has no line`);
  const creators = plan.lines.map((line) => line.creator_id);
  if (new Set(creators).size < creators.length) wrong.push(`I26: plan ${id} holds a creator twice`);

  const audited = await planning
    .collection('audit')
    .countDocuments({ object: id, action: /^plan\.(add|remove|swap|move)/ });
  if (audited !== plan.version - 1)
    wrong.push(`I53: plan ${id} has ${audited} audit entries of ${plan.version - 1} edits`);
  const facts = await planning.collection<{ _id: string; version: number }>('outbox').find({ aggregate: id }).toArray();
  const emitted = facts.map((fact) => fact.version);
  if (new Set(emitted).size < emitted.length)
    wrong.push(`I54: plan ${id} published a version twice: ${emitted.join(' ')}`);
  return wrong;
};
