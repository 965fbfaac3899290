/**
 * `npm run test:mutants`: removes one guard after the other (tests/mutants), each in a copy of the tree, and runs the
 * tests that must fail without it. Names after `--` choose single mutants. The exit code is 1 when a mutant is missed
 * or does not compile. One that no longer fits the source or names a test that was renamed is listed as work.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { namedOf } from './lib/arguments.ts';
import { run } from './lib/command.ts';
import { copyOfTree } from './lib/copy.ts';
import { engineStep } from './lib/engines.ts';
import { Failure, runTool } from './lib/failure.ts';
import { REPOSITORY } from './lib/home.ts';
import { build, ensureDependencies } from './lib/install.ts';
import { type Mutant, mutants, patched, searchOf, type Verdict, verdictOf } from './lib/mutants.ts';
import { createProgress } from './lib/progress.ts';
import { openLane } from './test/lanes.ts';
import type { Test } from './test/reporter.ts';

const LIMIT_MS = 10 * 60_000;
const CONTROL_LIMIT_MS = 30 * 60_000;
const LANE = { name: 'units', nice: 0, zone: 'America/Los_Angeles' } as const;
const BUILD = "import('./tools/lib/install.ts').then(({ build }) => build(() => {}))";
const progress = createProgress();
const ends: (() => unknown)[] = [];

async function main() {
  const all = mutants();
  const asked = namedOf(all, process.argv.slice(2)) ?? all;
  await progress.step('Dependencies', ensureDependencies);
  await progress.step('Build', build);
  const programs = {
    mongod: (await engineStep(progress, 'mongod')).binary,
    nats: (await engineStep(progress, 'nats')).binary,
  };
  const copy = await progress.step('Copy', async () => copyOfTree());
  ends.push(() => rmSync(copy, { recursive: true, force: true }));
  const lane = await openLane(LANE, programs, copy);
  ends.push(() => lane.close());

  const inSuites = async (some: readonly Mutant[], limitMs: number): Promise<Test[]> => {
    const tests = some.flatMap((one) => one.tests ?? []);
    const suites = [...new Set(tests.map(({ suite }) => `${suite}.test.ts$`))];
    const names = [...new Set(tests.map(({ test }) => test.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))];
    const args = [...suites, '--testNamePattern', names.join('|')];
    const ran = tests.length === 0 ? [] : await lane.run('mutants', args, { limitMs });
    return ran.flatMap((one) =>
      one.tests.map((test) => ({ ...test, message: stripVTControlCharacters(test.message) })),
    );
  };

  // A test that is red without any mutant catches nothing, and one that has another name by now is not found.
  const control = await progress.step('Without a mutant', () => inSuites(asked.filter(fits), CONTROL_LIMIT_MS));
  const red = control.filter(({ status }) => status === 'failed').map(({ name, message }) => `${name}: ${message}`);
  if (red.length > 0) throw new Failure('Tests of the mutants fail even without a mutant.', [], red);
  const green = control.filter(({ status }) => status === 'passed');
  const fitting = asked.filter(
    (one) => fits(one) && (one.tests ?? []).every(({ test }) => green.some(({ name }) => name.includes(test))),
  );

  let missed = 0;
  for (const [at, mutant] of fitting.entries()) {
    await progress.step(`${at + 1}/${fitting.length} ${mutant.name}`, async (say) => {
      say(`without ${mutant.without}`);
      const restore = apply(copy, mutant);
      const compiled = mutant.built ? await run(process.execPath, ['-e', BUILD], { cwd: copy }) : undefined;
      const verdict: Verdict =
        compiled?.reason !== undefined
          ? { missed: `it does not compile: ${compiled.reason}` }
          : mutant.tests !== undefined
            ? verdictOf(mutant, await inSuites([mutant], LIMIT_MS))
            : await inSimulation(mutant);
      restore();
      if ('missed' in verdict) missed += 1;
      return 'caught' in verdict ? `caught by "${verdict.caught}"` : `MISSED: ${verdict.missed}`;
    });
  }
  progress.text(`\n${fitting.length - missed} caught, ${missed} missed\n`);
  const stale = asked.filter((one) => !fitting.includes(one)).map(({ name }) => name);
  if (stale.length > 0) progress.text(`To be rewritten, since the source has changed: ${stale.join(', ')}\n`);
  return missed === 0 ? 0 : 1;
}

/** The files of a mutant as it makes them; throws when an edit no longer fits. */
function textsOf({ edits }: Mutant, root: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const edit of edits) {
    const path = join(root, edit.file);
    texts.set(path, patched(texts.get(path) ?? readFileSync(path, 'utf8'), edit));
  }
  return texts;
}

function fits(mutant: Mutant) {
  try {
    return textsOf(mutant, REPOSITORY).size > 0;
  } catch {
    return false;
  }
}

function apply(root: string, mutant: Mutant) {
  const texts = textsOf(mutant, root);
  const before = [...texts.keys()].map((path) => [path, readFileSync(path, 'utf8')]);
  for (const [path, text] of texts) writeFileSync(path, text);
  return () => {
    for (const [path, text] of before) writeFileSync(path, text);
  };
}

async function inSimulation(mutant: Mutant): Promise<Verdict> {
  const { lines } = await run(process.execPath, ['tools/simulation.ts', ...searchOf(mutant)], {
    cwd: REPOSITORY,
    limitMs: LIMIT_MS,
  });
  const found = lines.map((line) => line.trim()).find((line) => mutant.breaks.some((id) => line.startsWith(id)));
  return found === undefined ? { missed: lines.at(-1) ?? 'nothing was said' } : { caught: `the simulation: ${found}` };
}

const clean = async () => {
  for (const end of ends.splice(0).reverse()) await end();
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => clean().then(() => process.exit(1)));
runTool(async () => {
  try {
    return await main();
  } finally {
    await clean();
  }
});
