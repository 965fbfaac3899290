import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { type Stack, startStack } from '../../../tools/lib/stack.js';
import { benchBuilder } from './builder.js';
import { type Plans, type Reader, seedPlans, seedReaders } from './fixture.js';
import { printGoals } from './goals.js';
import type { Captured } from './references.js';
import { printFailed, printFigures, printTable } from './report.js';
import type { Findings, Scenario } from './scenario.js';
import { approve } from './scenarios/approve.js';
import { busAway } from './scenarios/bus-away.js';
import { campaigns } from './scenarios/campaigns.js';
import { deadlines } from './scenarios/deadlines.js';
import { edits } from './scenarios/edits.js';
import { idle } from './scenarios/idle.js';
import { mcp } from './scenarios/mcp.js';
import { observing } from './scenarios/observing.js';
import { ownWork } from './scenarios/own-work.js';
import { pages } from './scenarios/pages.js';
import { creators, inventory, quote } from './scenarios/reads.js';
import { rows } from './scenarios/rows.js';
import { signers } from './scenarios/signers.js';
import { BRANDS, isWanted, ONLY, READERS, ROUNDS, SECONDS, say } from './settings.js';

/**
 * `npm run bench`: interleaved slices of the system and its references on the same servers
 * (docs/performance.md#method). Prints median ratios, CPU per request by process, p50/p99 and the goals, and writes
 * loadtest/results/bench.json. It fails when any variant failed a request.
 */
const SCENARIOS: readonly (readonly [name: string, run: Scenario])[] = [
  ['idle', idle],
  ['inventory', inventory],
  ['mcp', mcp],
  ['creators', creators],
  ['quote', quote],
  ['edits', edits],
  ['signers', signers],
  ['approve', approve],
  ['own-work', ownWork],
  ['pages', pages],
  ['campaigns', campaigns],
  ['deadlines', deadlines],
  ['observing', observing],
  // Late: it leaves many rows behind.
  ['rows', rows],
  // Last: it takes the bus away.
  ['bus-away', busAway],
];

const PLANS_EACH = 60;

const read = async (stack: Stack, path: string, secret: string): Promise<string> => {
  const response = await fetch(`${stack.apiUrl}${path}`, { headers: { authorization: `Bearer ${secret}` } });
  if (!response.ok) throw new Error(`GET ${path} responded ${response.status}: ${await response.text()}`);
  return response.text();
};

const capture = async (stack: Stack, readers: readonly Reader[], plans: Plans | null): Promise<Captured> => {
  const secret = readers[0]?.secret ?? '';
  const plan = plans?.readable[0];
  return {
    inventory: await read(stack, '/inventory', secret),
    creators: await read(stack, '/creators', secret),
    quote: plan === undefined ? null : await read(stack, `/plans/${plan.planId}/quote`, plan.secrets[0] ?? ''),
  };
};

const RESULTS = join(import.meta.dirname, '..', '..', 'results');

const write = (found: Findings): void => {
  mkdirSync(RESULTS, { recursive: true });
  const machine = { node: process.version, cores: cpus().length, cpu: cpus()[0]?.model, at: new Date().toISOString() };
  writeFileSync(
    join(RESULTS, 'bench.json'),
    `${JSON.stringify({ machine, rounds: ROUNDS, seconds: SECONDS, ...found }, null, 2)}\n`,
  );
  console.log('\nwritten to loadtest/results/bench.json');
};

const main = async (): Promise<void> => {
  const known = ['builder', ...SCENARIOS.map(([name]) => name)];
  const unknown = (ONLY ?? []).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`--only names unknown scenarios: ${unknown.join(', ')}. Choose from ${known.join(', ')}.`);
  const wanted = SCENARIOS.filter(([name]) => isWanted(name));
  if (wanted.length > 0) await runAgainstSystem(wanted);
  // Needs no system, so it is measured after the system has stopped.
  if (isWanted('builder')) printGoals([benchBuilder()]);
};

const runAgainstSystem = async (wanted: typeof SCENARIOS): Promise<void> => {
  say('starting the system');
  const stack = await startStack();
  try {
    const readers = await seedReaders(stack, READERS);
    const plans = ['quote', 'edits', 'signers', 'approve', 'rows'].some(isWanted)
      ? await seedPlans(stack, BRANDS, PLANS_EACH)
      : null;
    const bench = { stack, readers, plans, captured: await capture(stack, readers, plans) };

    const found: Findings = { comparisons: {}, figures: {}, goals: [] };
    for (const [name, run] of wanted) {
      say(name);
      try {
        const { comparisons, figures, goals } = await run(bench);
        Object.assign(found.comparisons, comparisons);
        Object.assign(found.figures ?? {}, figures);
        found.goals.push(...goals);
      } catch (error) {
        // The others were measured, or will be.
        console.error(`\n${name} failed`, error);
        process.exitCode = 1;
      }
    }

    say('');
    for (const [title, report] of Object.entries(found.comparisons)) printTable(title, report);
    for (const [title, values] of Object.entries(found.figures ?? {})) printFigures(title, values);
    found.goals.sort((one, other) => one.number - other.number);
    printGoals(found.goals);
    write(found);
    if (printFailed(found.comparisons)) process.exitCode = 1;
  } finally {
    await stack.stop();
  }
};

await main();
