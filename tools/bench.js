#!/usr/bin/env node
/**
 * `npm run bench`: the benchmark of loadtest/ on its own real engines; `-- --quick` is a short run that says nothing
 * about speed.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argumentsOf } from './lib/arguments.js';
import { BENCH_OPTIONS } from './lib/bench-options.js';
import { resolveEngine } from './lib/engines.js';
import { printFailure } from './lib/failure.js';
import { openHome, REPOSITORY } from './lib/home.js';
import { build, ensureDependencies } from './lib/install.js';
import { startMongod } from './lib/mongod.js';
import { ensureNode } from './lib/node-runtime.js';
import { createProgress } from './lib/progress.js';

const progress = createProgress();

async function main() {
  await ensureNode({ floor: [22, 12, 0], progress });
  argumentsOf({ options: BENCH_OPTIONS }, ['npm run bench -- [--quick] [--only SCENARIO,SCENARIO] [--profile]']);
  const home = openHome(mkdtempSync(join(realpathSync(tmpdir()), `cds-bench-${process.pid}-`)));
  /** @param {import('./lib/engines.js').EngineName} name */
  const engine = (name) => /** @param {import('./lib/progress.js').Say} say */ (say) =>
    resolveEngine(name, { say, note: progress.note, external: false }).then((found) => ({
      ...found,
      detail: `${found.version} from ${found.origin}`,
    }));
  const mongodEngine = await progress.step('MongoDB', engine('mongod'));
  const natsEngine = await progress.step('NATS', engine('nats'));
  await progress.step('Dependencies', ensureDependencies);
  await progress.step('Build', build);
  const mongod = await startMongod({ home, binary: mongodEngine.binary });
  try {
    const bench = spawn(process.execPath, [join('loadtest', 'dist', 'bench', 'main.js'), ...process.argv.slice(2)], {
      cwd: REPOSITORY,
      stdio: 'inherit',
      env: {
        ...process.env,
        CDS_TEST_MONGODB_URI: mongod.uri,
        CDS_TEST_NATS_BIN: natsEngine.binary,
        CDS_TEST_HOME: home.folder('stacks'),
        CDS_BENCH_MONGOD_PID: String(mongod.pid),
      },
    });
    for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(name, () => bench.kill(name));
    return await new Promise((resolve, reject) => bench.once('error', reject).once('close', resolve));
  } finally {
    await mongod.stop();
    rmSync(home.root, { recursive: true, force: true });
  }
}

main().then(
  (code) => process.exit(code ?? 1),
  (error) => {
    printFailure(error);
    process.exit(1);
  },
);
