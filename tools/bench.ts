/**
 * `npm run bench`: the benchmark of loadtest/ on its own real engines; `-- --quick` is a short run that says nothing
 * about speed.
 */
import { spawn } from 'node:child_process';
import { argumentsOf } from './lib/arguments.ts';
import { engineStep } from './lib/engines.ts';
import { runTool } from './lib/failure.ts';
import { REPOSITORY } from './lib/home.ts';
import { build, ensureDependencies } from './lib/install.ts';
import { createProgress } from './lib/progress.ts';
import { openScratch } from './lib/scratch.ts';

const progress = createProgress();

async function main() {
  const options = { quick: { type: 'boolean' }, only: { type: 'string' } } as const;
  argumentsOf({ options }, ['npm run bench -- [--quick] [--only SCENARIO,SCENARIO]']);
  const { binary } = await engineStep(progress, 'mongod');
  const nats = await engineStep(progress, 'nats');
  await progress.step('Dependencies', ensureDependencies);
  await progress.step('Build', build);
  const { home, mongod, close } = await openScratch(binary, { measures: true });
  try {
    const script = ['--import', './tools/lib/run-sources.ts', 'loadtest/src/bench/main.ts'];
    const bench = spawn(process.execPath, [...script, ...process.argv.slice(2)], {
      cwd: REPOSITORY,
      stdio: 'inherit',
      env: {
        ...process.env,
        CDS_TEST_MONGODB_URI: mongod.uri,
        CDS_TEST_NATS_BIN: nats.binary,
        CDS_TEST_HOME: home.folder('stacks'),
        CDS_BENCH_MONGOD_PID: String(mongod.pid),
      },
    });
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => bench.kill(name));
    return await new Promise<number>((resolve, reject) =>
      bench.once('error', reject).once('close', (code) => resolve(code ?? 1)),
    );
  } finally {
    await close();
  }
}

runTool(main);
