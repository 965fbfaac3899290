#!/usr/bin/env node
/**
 * `node tools/fetch.js promtool etcd kube-apiserver`: fetches programs into the cache that some tests need and the
 * system does not. promtool tests the alert rules; kube-apiserver, which needs etcd, judges the manifests. Without them
 * these tests are skipped.
 */
import { ENGINES, resolveEngine } from './lib/engines.js';
import { Failure, printFailure } from './lib/failure.js';
import { createProgress } from './lib/progress.js';

/** @typedef {import('./lib/engines.js').EngineName} EngineName */

const NAMES = /** @type {EngineName[]} */ (Object.keys(ENGINES));

async function main() {
  const progress = createProgress();
  const words = process.argv.slice(2);
  const unknown = words.find((word) => !NAMES.some((name) => name === word));
  if (unknown !== undefined || words.length === 0)
    throw new Failure(unknown === undefined ? 'No program is named.' : `There is no program ${unknown}.`, [
      `node tools/fetch.js [${NAMES.join(' | ')}]...`,
    ]);
  for (const name of NAMES.filter((one) => words.includes(one)))
    await progress.step(name, async (say) => {
      const { version, origin } = await resolveEngine(name, { say, note: progress.note, external: false });
      return `${version} from ${origin}`;
    });
}

main().catch((error) => {
  printFailure(error);
  process.exit(1);
});
