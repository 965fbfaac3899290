/**
 * `node tools/run.js fetch promtool etcd kube-apiserver`: fetches programs into the cache that some tests need and the
 * system does not. promtool tests the alert rules; kube-apiserver, which needs etcd, judges the manifests. Without them
 * these tests are skipped.
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
