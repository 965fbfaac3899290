import { fork } from 'node:child_process';
import { join } from 'node:path';
import { goal, rateRatio } from '../goals.js';
import type { OwnWork } from '../own-work-process.js';
import type { Scenario } from '../scenario.js';
import { NETWORKS, say } from '../settings.js';

const HEAP_MB = 6_000;

/** Catalog's own work in a process of its own, on networks of several sizes, beside MongoDB: gates 5 and 7. */
export const ownWork: Scenario = async ({ stack }) => {
  const found: OwnWork[] = [];
  for (const creators of NETWORKS) {
    say(`catalog's own work on ${creators.toLocaleString('en')} creators`);
    found.push(await measured(stack.mongodbUri, `${stack.prefix}bench_own_${creators}`, creators));
  }
  const at = (creators: number) => found.find((one) => one.creators === creators);
  const [small, big] = [at(2_000), found.at(-1)];
  const compared = at(10_000)?.comparison ?? [];
  return {
    comparisons: { "catalog's own default page at 10,000 creators, meters off, 16 in flight": compared },
    figures: Object.fromEntries(
      found.map(({ comparison, ...one }) => [`Own work at ${one.creators.toLocaleString('en')} creators`, one]),
    ),
    goals: [
      goal(
        5,
        "catalog's own page against MongoDB by the best index, no total",
        '>=',
        8,
        rateRatio(compared, 'memory', 'mongodb'),
      ),
      goal(
        7,
        `default page at ${big?.creators.toLocaleString('en')} creators against 2,000, CPU`,
        '<=',
        1.5,
        (big?.default_page.cpu_us ?? Number.NaN) / (small?.default_page.cpu_us ?? Number.NaN),
      ),
    ],
  };
};

const measured = (uri: string, database: string, creators: number): Promise<OwnWork> =>
  new Promise((resolve, reject) => {
    const file = join(import.meta.dirname, '..', 'own-work-process.ts');
    const child = fork(file, [uri, database, String(creators), ...process.argv.slice(2)], {
      execArgv: [...process.execArgv, '--expose-gc', `--max-old-space-size=${HEAP_MB}`],
    });
    child.once('message', (found) => resolve(found as OwnWork));
    child.once('exit', (code) => reject(new Error(`the own-work process exited with ${code}`)));
  });
