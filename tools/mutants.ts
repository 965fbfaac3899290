/**
 * `npm run test:mutants`: removes one guard after the other (tests/mutants), each in a copy of the tree, and runs the
 * tests that must fail without it. Names after `--` choose single mutants. The exit code is 1 when a mutant is missed
 * or does not compile. One that no longer fits the source or names a test that was renamed is listed as work.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, runTool } from './lib/failure.ts';
import { REPOSITORY } from './lib/home.ts';
import { build, ensureDependencies } from './lib/install.ts';
import { type Catcher, type Mutant, mutants, searchOf } from './lib/mutants.ts';
import { patched } from './lib/patch.ts';
import { createProgress, seconds } from './lib/progress.ts';
import { Copy } from './mutants/copy.ts';
import { runProgram } from './mutants/program.ts';
import type { Result } from './mutants/reporter.ts';
import { red, renamedIn, type Verdict, verdictOf } from './mutants/verdict.ts';

export type Ended = { mutant: Mutant; verdict: Verdict; ms: number };

const LIMIT_MS = 10 * 60_000;
const CONTROL_LIMIT_MS = 30 * 60_000;
const REPORTER = 'tools/mutants/reporter.js';
const progress = createProgress();

async function main() {
  const asked = choose(process.argv.slice(2));
  const chosen = asked.filter(fits);
  await progress.step('Dependencies', ensureDependencies);
  await progress.step('Build', build);

  let copy: Copy | undefined;
  process.once('exit', () => copy?.remove());

  const tested = chosen.filter(({ tests }) => tests !== undefined);
  let renamed: Mutant[] = [];
  if (tested.length > 0) {
    const made = await progress.step('Copy', async () => {
      copy = new Copy();
      return { detail: copy.root, copy };
    });
    renamed = (await progress.step('Without a mutant', () => mustBeGreen(made.copy, tested))).renamed;
  }
  const ended: Ended[] = [];
  const fitting = chosen.filter((one) => !renamed.includes(one));
  for (const [at, mutant] of fitting.entries()) {
    const began = Date.now();
    const verdict = await progress.step(`${at + 1}/${fitting.length} ${mutant.name}`, async (say) => {
      say(`without ${mutant.without}`);
      const one =
        copy !== undefined && mutant.tests !== undefined ? await inSuites(copy, mutant) : await inSimulation(mutant);
      return { ...one, detail: 'caught' in one ? `caught by "${one.caught}"` : `MISSED: ${one.missed}` };
    });
    ended.push({ mutant, verdict, ms: Date.now() - began });
  }
  return print(
    ended,
    asked.filter((one) => !fitting.includes(one)),
  );
}

/** Whether each edit of a mutant still fits the source. */
function fits({ edits }: Mutant) {
  const texts: Map<string, string> = new Map();
  try {
    for (const edit of edits)
      texts.set(edit.file, patched(texts.get(edit.file) ?? readFileSync(join(REPOSITORY, edit.file), 'utf8'), edit));
    return true;
  } catch {
    return false;
  }
}

function choose(names: readonly string[]) {
  const all = mutants();
  const unknown = names.filter((name) => !all.some((one) => one.name === name));
  if (unknown.length > 0)
    throw new Failure(`There is no mutant ${unknown.join(', ')}.`, [
      `Choose from: ${all.map(({ name }) => name).join(' ')}`,
    ]);
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

/**
 * Runs every test that a mutant names, without any mutant: one that is red anyhow catches nothing. Answers the mutants
 * whose test has another name by now.
 */
async function mustBeGreen(copy: Copy, tested: readonly Mutant[]) {
  const { results, said } = await runTests(
    copy,
    tested.flatMap(({ tests = [] }) => tests),
    CONTROL_LIMIT_MS,
  );
  const wrong = results === undefined ? said : red(tested, results);
  if (wrong.length > 0) throw new Failure('Tests of the mutants fail even without a mutant.', [], wrong);
  const passed = results?.filter(({ status }) => status === 'passed') ?? [];
  return { detail: `${passed.length} tests pass`, renamed: renamedIn(tested, passed) };
}

async function inSuites(copy: Copy, mutant: Mutant): Promise<Verdict> {
  const restore = copy.apply(mutant.edits);
  try {
    const { results, said } = await runTests(copy, mutant.tests ?? [], LIMIT_MS, mutant.built);
    return results === undefined ? { missed: `no suite ran: ${said.join(' ')}` } : verdictOf(mutant, results);
  } finally {
    restore();
  }
}

/**
 * Runs tests of the copy: how each ended, or what was said when none ran. `built`: whether the tests run compiled code
 */
async function runTests(
  copy: Copy,
  tests: readonly Catcher[],
  limitMs: number,
  built: boolean = false,
): Promise<{ results: Result[] | undefined; said: string[] }> {
  const report = join(copy.root, 'mutants-report.jsonl');
  rmSync(report, { force: true });
  const suites = [...new Set(tests.map(({ suite }) => `${suite}.test.ts$`))];
  const names = [...new Set(tests.map(({ test }) => escaped(test)))];
  const lines = await runProgram(
    ['tools/test.js', ...suites, '--testNamePattern', names.join('|'), '--reporters', join(copy.root, REPORTER)],
    {
      cwd: copy.root,
      env: { ...process.env, CDS_MUTANT_REPORT: report, ...(built ? {} : { CDS_TEST_BUILT: '1' }) },
      limitMs,
    },
  );
  if (!existsSync(report)) return { results: undefined, said: lines.slice(-8) };
  const results = readFileSync(report, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { results, said: [] };
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

async function inSimulation(mutant: Mutant): Promise<Verdict> {
  const lines = await runProgram(['tools/simulation.js', ...searchOf(mutant)], {
    cwd: REPOSITORY,
    limitMs: LIMIT_MS,
  });
  const found = lines.map((line) => line.trim()).find((line) => mutant.breaks.some((id) => line.startsWith(`${id}`)));
  return found === undefined ? { missed: lines.at(-1) ?? 'nothing was said' } : { caught: `the simulation: ${found}` };
}

function print(ended: readonly Ended[], stale: readonly Mutant[]) {
  const missed = ended.filter(({ verdict }) => 'missed' in verdict);
  progress.text('\n');
  for (const { mutant, verdict, ms } of ended) {
    const what = 'caught' in verdict ? `caught by ${verdict.caught}` : `MISSED ${verdict.missed}`;
    progress.text(`  ${mutant.name}, ${seconds(ms)}: ${what}\n`);
  }
  progress.text(`\n${ended.length - missed.length} caught, ${missed.length} missed\n`);
  if (stale.length > 0)
    progress.text(`To be rewritten, since the source has changed: ${stale.map(({ name }) => name).join(', ')}\n`);
  return missed.length === 0 ? 0 : 1;
}

runTool(main);
