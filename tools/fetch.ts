/**
 * `node tools/run.js fetch promtool`: fetches programs into the cache that the system does not need:
 * promtool tests the alert rules, and k6 makes load. Without promtool its tests are skipped.
 */
import { ENGINES, type EngineName, engineStep } from './lib/engines.ts';
import { Failure, runTool } from './lib/failure.ts';
import { createProgress } from './lib/progress.ts';

const NAMES = Object.keys(ENGINES) as EngineName[];

runTool(async () => {
  const progress = createProgress();
  const words = process.argv.slice(2);
  const unknown = words.find((word) => !NAMES.some((name) => name === word));
  if (unknown !== undefined || words.length === 0)
    throw new Failure(unknown === undefined ? 'No program is named.' : `There is no program ${unknown}.`, [
      `node tools/run.js fetch [${NAMES.join(' | ')}]...`,
    ]);
  for (const name of NAMES.filter((one) => words.includes(one))) await engineStep(progress, name);
});
