import { resolveEngine } from '../lib/engines.js';
import { build, ensureDependencies } from '../lib/install.js';

/** @typedef {ReturnType<typeof import('../lib/progress.js').createProgress>} Progress */

/**
 * The engines, the packages and the build: what every lane needs, with a line of progress each.
 * @param {Progress} progress
 */
export async function prepare(progress) {
  if (!process.env.CDS_NODE_CHOSEN) progress.note('Node', process.versions.node);
  const engines = await testEngines(progress);
  await progress.step('Dependencies', ensureDependencies);
  // Whoever sets it has built what its suites need; most run on the sources.
  if (!process.env.CDS_TEST_BUILT) await progress.step('Build', build);
  return engines;
}

/**
 * The binaries of mongod and nats-server; fetched or built when this machine has none.
 * @param {Progress} progress
 */
export async function testEngines(progress) {
  /** @param {Parameters<typeof resolveEngine>[0]} name */
  const engine = (name) => (/** @type {(text: string) => void} */ say) =>
    resolveEngine(name, { say, note: progress.note, external: false }).then((found) => ({
      ...found,
      detail: `${found.version} from ${found.origin}`,
    }));
  const mongod = await progress.step('MongoDB', engine('mongod'));
  const nats = await progress.step('NATS', engine('nats'));
  return { mongod, nats };
}
