/**
 * `npm run test:mutation`: Stryker changes the rules, one operator, condition or constant at a time, and runs the
 * suites beside them (docs/reliability.md#generated-bugs). Names after `--` choose areas, as in
 * `npm run test:mutation -- billing`.
 *
 *   --only GLOB     of these, the files that match only
 *   --workers N     as many processes, instead of one for each processor
 *
 * The exit code is 1 when more of a bounded folder survives than may, or a listed equivalent is none.
 */
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { argumentsOf, namedOf } from './lib/arguments.ts';
import { copyOfTree } from './lib/copy.ts';
import { engineStep } from './lib/engines.ts';
import { runTool } from './lib/failure.ts';
import { ensureDependencies } from './lib/install.ts';
import { createProgress } from './lib/progress.ts';
import { openScratch } from './lib/scratch.ts';
import { AREAS, BOUNDS } from './mutation/areas.ts';
import { equivalents, type Mutated, tally } from './mutation/verdict.ts';

const progress = createProgress();

async function main() {
  const { values, positionals } = argumentsOf(
    {
      allowPositionals: true,
      options: { only: { type: 'string' }, workers: { type: 'string', default: String(availableParallelism()) } },
    },
    ['npm run test:mutation -- [AREA ...] [--only GLOB] [--workers N]'],
  );
  const areas = namedOf(AREAS, positionals) ?? AREAS.filter(({ byName }) => !byName);
  await progress.step('Dependencies', ensureDependencies);

  const copy = await progress.step('Copy', async () => copyOfTree());
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  process.chdir(copy);
  const engine = areas.some((area) => area.engine) ? await anEngine() : undefined;
  // Stryker refuses to load in an older Node than it needs.
  const { mutate } = await import('./mutation/stryker.ts');
  const mutated: Mutated[] = [];
  try {
    for (const area of areas) mutated.push(...(await mutate(area, copy, values)));
  } finally {
    await engine?.close();
  }
  return print(mutated);
}

/** A mongod for the suites that compare a rule with its filter. */
async function anEngine() {
  const { binary } = await engineStep(progress, 'mongod');
  const scratch = await openScratch(binary);
  process.env.CDS_TEST_MONGODB_URI = scratch.mongod.uri;
  return scratch;
}

function print(mutated: readonly Mutated[]) {
  const { rows, wrong } = tally(mutated, equivalents());
  for (const { survivors } of rows)
    for (const { file, line, from, to } of survivors)
      progress.text(`  survived  ${file}:${line}  ${short(from)}  =>  ${short(to)}\n`);
  for (const { file, from, to } of wrong)
    progress.text(`  listed as equivalent, and is not  ${file}  ${short(from)}  =>  ${short(to)}\n`);

  progress.text('\n  mutants   killed  timeout  survived  equivalent   share\n');
  for (const { folder, mutants, killed, timeout, survivors, equivalent, share, isTooMany } of rows) {
    const counts = [mutants, killed, timeout, survivors.length, equivalent];
    const percent = `${(share * 100).toFixed(1)}%`;
    const most = BOUNDS[folder];
    const bound = most === undefined ? '' : `, at most ${most * 100}%${isTooMany ? ': TOO MANY' : ''}`;
    progress.text(
      `${counts.map((count) => String(count).padStart(9)).join('')} ${percent.padStart(9)}  ${folder}${bound}\n`,
    );
  }
  return wrong.length === 0 && rows.every(({ isTooMany }) => !isTooMany) ? 0 : 1;
}

const short = (text: string) => (text.length > 100 ? `${text.slice(0, 60)} ... ${text.slice(-30)}` : text);

runTool(main);
