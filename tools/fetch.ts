/**
 * `node tools/run.js fetch promtool`: fetches programs into the cache that the system does not need:
 * promtool tests the alert rules, and k6 makes load. Without promtool its tests are skipped.
 */
import { namedOf } from './lib/arguments.ts';
import { ENGINES, type EngineName, engineStep } from './lib/engines.ts';
import { runTool } from './lib/failure.ts';
import { createProgress } from './lib/progress.ts';

const PROGRAMS = (Object.keys(ENGINES) as EngineName[]).map((name) => ({ name }));

runTool(async () => {
  const progress = createProgress();
  for (const { name } of namedOf(PROGRAMS, process.argv.slice(2)) ?? []) await engineStep(progress, name);
});
