/** The facts for `findings.ts`. Reads only, and needs Node alone. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { arch, platform, totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { findOnPath } from '../lib/command.ts';
import { resolveEngine } from '../lib/engines.ts';
import { Failure } from '../lib/failure.ts';
import { REPOSITORY, readJson, shortPath } from '../lib/home.ts';
import { whatIsMissing } from '../lib/install.ts';
import { mongoClient } from '../lib/mongo-client.ts';
import { readNatsInfo } from '../lib/nats.ts';
import { isFree, portOwner } from '../lib/ports.ts';
import { isAlive } from '../lib/process-table.ts';
import type { Runtime } from '../lib/runtime-file.ts';
import { processorHasAvx } from './avx.ts';
import type { BusServer, Check, DatabaseMember, Facts } from './findings.ts';

const ASK_MS = 3_000;
/** Without its database the gateway answers after the 8 s that the driver looks for a primary. */
const CHECKS_MS = 10_000;
const PRIVATE = ['secrets.json', 'runtime.json', 'mongod.key'];

export async function collectFacts(): Promise<Facts> {
  const path = resolve(process.env.CDS_HOME || join(REPOSITORY, '.cds'));
  const runtime = readOrNothing<Runtime>(join(path, 'runtime.json'));
  const [mongod, nats] = await Promise.all([engineFacts('mongod'), engineFacts('nats')]);
  const mongodbUri = runtime?.mongodb_uri ?? process.env.MONGODB_URI;
  const natsUrl = runtime?.nats_url ?? process.env.NATS_URL;
  return {
    node: process.versions.node,
    machine: { platform: platform(), arch: arch(), avx: processorHasAvx(), memoryBytes: totalmem() },
    home: homeFacts(path),
    mongod,
    nats,
    dependencies: whatIsMissing() ?? null,
    port: await portFacts(runtime?.app_url),
    secrets: secretFacts(join(path, 'secrets.json')),
    database: mongodbUri ? await databaseFacts(mongodbUri) : null,
    bus: natsUrl ? await busFacts(natsUrl) : null,
    system: runtime ? await systemFacts(runtime) : null,
  };
}

function readOrNothing<T>(file: string): T | undefined {
  try {
    return readJson<T>(file);
  } catch {
    return undefined;
  }
}

function homeFacts(path: string) {
  const exists = existsSync(path);
  const place = exists ? path : nearestParent(path);
  const stat = statSync(place);
  const open = PRIVATE.filter(
    (name) => existsSync(join(path, name)) && (statSync(join(path, name)).mode & 0o077) !== 0,
  );
  return {
    path: shortPath(path),
    exists,
    isFolder: stat.isDirectory(),
    isOurs: process.getuid === undefined || stat.uid === process.getuid() || process.getuid() === 0,
    isWritable: mayWrite(place),
    mode: exists ? stat.mode & 0o777 : 0o700,
    open,
    freeBytes: freeBytes(place),
    hasData: existsSync(join(path, 'mongo')) || existsSync(join(path, 'mongo-1')),
  };
}

const nearestParent = (path: string): string => (existsSync(path) ? path : nearestParent(dirname(path)));

function mayWrite(path: string) {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function freeBytes(path: string) {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return null;
  }
}

async function engineFacts(name: 'mongod' | 'nats') {
  try {
    const found = await resolveEngine(name, { say: () => {}, note: () => {}, offline: true });
    return found.uri === undefined ? { version: found.version, origin: found.origin } : { uri: found.origin };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const reasons = error.details.filter((line) => !/--offline|not on PATH/.test(line));
    return { reasons, fetchable: fetchable[name]() };
  }
}

const fetchable = {
  mongod: () => platform() === 'linux' && arch() === 'x64' && findOnPath('python3').length > 0,
  nats: () => findOnPath('go').length > 0 || (findOnPath('apt-get').length > 0 && findOnPath('dpkg').length > 0),
};

async function portFacts(appUrl: string | undefined) {
  const wanted = process.env.CDS_PORT || '8080';
  const number = Number(wanted);
  if (!/^\d+$/.test(wanted) || number > 65_535) return { wanted, number: null, owner: null, isOurs: false };
  const isOurs = appUrl !== undefined && Number(new URL(appUrl).port) === number;
  const owner = number === 0 || (await isFree(number)) ? null : portOwner(number);
  return { wanted, number, owner, isOurs };
}

/** The lengths of the keys, never the keys. */
function secretFacts(file: string): Facts['secrets'] {
  if (!existsSync(file)) return { state: 'absent' };
  const values = readOrNothing<Record<string, string | Record<string, string>>>(file);
  if (values === undefined) return { state: 'unreadable' };
  const keys = Object.entries(values).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string'
      ? [[name, value]]
      : /_(keys|peppers)$/.test(name)
        ? Object.entries(value).map(([version, key]) => [`${name} ${version}`, key])
        : [],
  );
  const named = keys.filter(([name]) => /(key|keys|peppers|master|secret|token)( \d+)?$/.test(name));
  const repeated = named.filter(([name, key]) => named.some(([other, same]) => other !== name && same === key));
  return {
    state: 'read',
    keys: named.map(([name, key]) => ({
      name,
      bytes: name.endsWith('_token') ? key.length : Buffer.from(key, 'base64').length,
    })),
    repeated: repeated.map(([name]) => name),
  };
}

/** Each member that a URI names, asked by itself: one that has no primary answers too. */
async function databaseFacts(uri: string): Promise<readonly DatabaseMember[] | string> {
  if (!existsSync(join(REPOSITORY, 'node_modules', 'mongodb')))
    return 'not asked: its driver is one of the packages that are not installed yet';
  // A URL of several hosts is none to Node.
  const [, credentials = '', hosts = ''] = /^mongodb(?:\+srv)?:\/\/(?:([^@/]*)@)?([^/?]+)/.exec(uri) ?? [];
  if (uri.startsWith('mongodb+srv:') || hosts === '') return 'not asked: its members are not in MONGODB_URI';
  const [username = '', password = ''] = credentials.split(':').map(decodeURIComponent);
  const auth = username === '' ? {} : { auth: { username, password } };
  return Promise.all(hosts.split(',').map((host) => memberFacts(host, auth)));
}

async function memberFacts(
  host: string,
  auth: { auth?: { username: string; password: string } },
): Promise<DatabaseMember> {
  const client = await mongoClient(`mongodb://${host}/?directConnection=true`, {
    ...auth,
    ...(auth.auth && { authSource: 'admin' }),
    serverSelectionTimeoutMS: ASK_MS,
  });
  try {
    const { version } = await client.db('admin').command({ buildInfo: 1 });
    const sentAt = Date.now();
    const hello = await client.db('admin').command({ hello: 1 });
    const time = hello.localTime.getTime();
    return {
      host,
      version,
      set: hello.setName ?? null,
      awaitsInitiation: hello.isreplicaset === true,
      role: hello.isWritablePrimary ? 'primary' : hello.secondary ? 'secondary' : 'other',
      offsetMs: sure(sentAt - time, Date.now() - time),
    };
  } catch (error) {
    return { host, error: error instanceof Error ? error.message : String(error) };
  } finally {
    await client.close();
  }
}

/** What is sure of an offset between two bounds: the smaller, or 0 between them. */
const sure = (least: number, most: number) => (least > 0 ? least : Math.min(0, most));

const busFacts = (url: string): Promise<readonly BusServer[]> =>
  Promise.all(
    url.split(',').map(async (one) => {
      const { hostname, port, host } = new URL(one.includes('://') ? one : `nats://${one}`);
      const info = await readNatsInfo(hostname, Number(port) || 4222);
      return info ? { host, version: info.version, jetstream: info.jetstream === true } : { host, error: 'no answer' };
    }),
  );

async function systemFacts({ app_url: url, ops_url: opsUrl, ops_token: token, processes }: Runtime) {
  const { launcher, ...others } = processes;
  const dead = Object.entries(others)
    .filter(([, pids]) => [pids].flat().some((pid) => pid !== null && !isAlive(pid)))
    .map(([name]) => name);
  return { url, isLaunched: isAlive(launcher), dead, checks: await askedChecks(opsUrl, token) };
}

async function askedChecks(opsUrl: string, token: string): Promise<NonNullable<Facts['system']>['checks']> {
  try {
    const answer = await fetch(`${opsUrl}/checks`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(CHECKS_MS),
    });
    if (!answer.ok) return { status: answer.status };
    const { checks } = (await answer.json()) as { checks: Check[] };
    return checks;
  } catch (error) {
    return error.cause?.message ?? error.message;
  }
}
