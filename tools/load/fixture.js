import { randomUUID } from 'node:crypto';
import { makeBrand, operator } from '../lib/seed.js';

/** Keys that may read, of those that a development brand has. */
const READING = ['reader', 'writer', 'muted'];
const AT_ONCE = 4;

/**
 * Makes brands with their keys through the operators' API; limits are on, so load needs many of them.
 * @param {{ system: import('../load.js').System, brands: number, say: import('../lib/progress.js').Say }} options
 */
export async function makeFixture({ system, brands, say }) {
  const ops = operator(system);
  const prefix = `load-${randomUUID().slice(0, 8)}`;
  /** @type {import('../lib/seed.js').SeededWorkspace[]} */
  const workspaces = [];
  for (let made = 0; made < brands; made += AT_ONCE) {
    say(`${made} of ${brands} brands`);
    const some = Array.from({ length: Math.min(AT_ONCE, brands - made) }, (_none, at) => {
      const name = `${prefix}-${made + at}`;
      return makeBrand(ops, { name, audience: 'startup founders and AI builders', sandbox: `${name}-sandbox` });
    });
    workspaces.push(...(await Promise.all(some)).flat());
  }
  /** @param {(workspace: { kind: string }, key: { name: string }) => boolean} wanted */
  const secrets = (wanted) =>
    workspaces.flatMap((workspace) =>
      workspace.keys.filter((key) => wanted(workspace, key)).map(({ secret }) => secret),
    );
  const readers = secrets((_workspace, { name }) => READING.includes(name));
  return {
    app_url: system.appUrl,
    api_url: system.apiUrl,
    mcp_url: system.mcpUrl,
    readers: inTurns(readers, READING.length),
    agents: secrets(({ kind }, { name }) => kind === 'sandbox' && name === 'full'),
    detail: `${readers.length} keys to read with in ${workspaces.length} workspaces`,
  };
}

/**
 * The keys of a workspace stand far apart, since its limits count for all of them.
 * @template T
 * @param {readonly T[]} list
 * @param {number} each
 */
function inTurns(list, each) {
  return Array.from({ length: each }, (_none, first) => list.filter((_one, at) => at % each === first)).flat();
}
