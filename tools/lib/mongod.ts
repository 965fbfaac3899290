/** One mongod as a one-node replica set. Without its last port or root password its data are repaired first. */
import { existsSync, readFileSync } from 'node:fs';
import { type Child, launch } from './child.ts';
import { Failure } from './failure.ts';
import { type Home, openHome, writePrivate } from './home.ts';
import { type Keeper, keep, type Supervision } from './keeper.ts';
import { addressOf, FIXES, type Root, untilAnswer, untilPrimary, withClient } from './mongo-client.ts';
import { REPLICA_SET, type Run, repair, STOP_GRACE_MS } from './mongod-repair.ts';
import { portOr } from './ports.ts';
import type { Say } from './progress.ts';
import { openSecrets } from './secrets.ts';

export type Prepared = 'ready' | 'moved' | 'locked';
export type Mongod = Keeper & { uri: string; port: number; hadData: boolean };

const ELECTION_TIMEOUT_MS = 3000;
// A new primary waits only this long for a silent former one; it has everything the majority holds.
const CATCH_UP_MS = 500;
// A secondary may keep reporting its progress to a frozen member; the primary then learns of it only by heartbeats, and
// each majority write waits for one: at 500 ms a request of five took 3 s.
const HEARTBEAT_MS = 100;
const LOST_PASSWORD = 'the root password of these data is not in secrets.json; setting a new one';
const UNAUTHORIZED = 13;
const AUTHENTICATION_FAILED = 18;
const ALREADY_INITIALIZED = 23;
const PARAMETERS = [
  'transactionLifetimeLimitSeconds=6',
  // A member that syncs from a frozen one switches within seconds, because majority writes wait for it.
  ...['oplogNetworkTimeoutBufferSeconds=1', 'oplogInitialFindMaxSeconds=2'],
  'oplogFetcherSteadyStateMaxFetcherRestarts=0',
  // Without another member to hand over to, a longer shutdown gains nothing.
  'shutdownTimeoutMillisForSignaledShutdown=100',
  'diagnosticDataCollectionEnabled=false',
];
export const SERVER_OPTIONS = [
  '--nounixsocket',
  // The minimum; with 100,000 creators the whole system stays within 2 GiB.
  ...['--wiredTigerCacheSizeGB', '0.25'],
  ...PARAMETERS.flatMap((parameter) => ['--setParameter', parameter]),
];

// Rows of tests bear the dates of the cases, which may be long past; whether one expires must not depend on today's.
const NOTHING_EXPIRES = ['--setParameter', 'ttlMonitorEnabled=false'];

/** Starts mongod; `note` reports anything unusual. With `expires` false, rows that may expire stay. */
export async function startMongod({
  home: place,
  binary,
  port: wanted,
  expires = true,
  note = () => {},
  say = () => {},
  ...supervision
}: Supervision & {
  home: string | Home;
  binary: string;
  port?: number;
  expires?: boolean;
  note?: (text: string) => void;
  say?: Say;
}): Promise<Mongod> {
  const home = typeof place === 'string' ? openHome(place) : place;
  const secrets = openSecrets(home);
  const hadData = existsSync(home.at('mongo', 'WiredTiger'));
  const port = wanted ?? (await portOr(home.readState().mongod_port));
  const dbpath = home.folder('mongo');
  const keyFile = home.at('mongod.key');
  writeKeyFile(keyFile, secrets.values.mongodb_key_file);

  const run: Run = (args) =>
    launch({
      home,
      name: 'mongod',
      command: binary,
      args: [...SERVER_OPTIONS, ...(expires ? [] : NOTHING_EXPIRES), '--dbpath', dbpath, '--port', `${port}`, ...args],
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TZ: 'UTC' },
    });
  const root = { username: 'root', password: secrets.values.mongodb_root_password };
  const uri = `mongodb://root:${encodeURIComponent(root.password)}@127.0.0.1:${port}/?replicaSet=${REPLICA_SET}&authSource=admin`;

  let found: Prepared = 'ready';
  const mongod = keep({
    name: 'mongod',
    spawn: () => run(['--replSet', REPLICA_SET, '--bind_ip', '127.0.0.1', '--keyFile', keyFile, '--oplogSize', '512']),
    whenUp: async (child) => {
      found = await prepare(child, port, root, say);
    },
    graceMs: STOP_GRACE_MS,
    ...supervision,
  });
  try {
    await mongod.start();
    if (found !== 'ready') {
      note(found === 'moved' ? `the port of these data is taken; moving them to ${port}` : LOST_PASSWORD);
      // It does not end by itself here; the repair starts from what a killed process leaves.
      await mongod.stop(found === 'moved' ? 0 : undefined);
      await repair({ run, port, root });
      await mongod.start();
      if (found !== 'ready') throw new Failure('mongod cannot be used with these data.', FIXES);
    }
  } catch (error) {
    await mongod.stop();
    throw error;
  }
  home.writeState({ mongod_port: port });
  return Object.assign(mongod, { uri, port, hadData });
}

/** mongod refuses a key file that others may read; an unchanged file is not rewritten. */
export function writeKeyFile(file: string, content: string) {
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return;
  writePrivate(file, content, 0o400);
}

/**
 * Brings a started mongod to "primary, root user works". Runs on every start and restart, so each step checks first and
 * acts only where something is missing. Returns 'ready', 'moved' when the data belong to another port, 'locked' when
 * root has another password.
 */
async function prepare(child: Child, port: number, root: Root, say: Say): Promise<Prepared> {
  const hello = await untilAnswer(addressOf(port), child, say);
  const isNew = await withClient(port, undefined, async (client) => {
    if (hello.setName || !hello.isreplicaset) return false;
    say('making the replica set');
    try {
      await client.db('admin').command({ replSetInitiate: replicaSetConfig(port) });
      return true;
    } catch (error) {
      // An existing set under another port looks the same, but demands a login.
      if (error.code === UNAUTHORIZED || error.code === ALREADY_INITIALIZED) return undefined;
      throw error;
    }
  });
  if (isNew === undefined) return 'moved';
  return withClient(port, undefined, async (client) => {
    await untilPrimary(client, child);
    if (await canLogIn(port, root)) return 'ready';
    try {
      // Allowed from this machine only while the database has no user; the first user ends that.
      await client.db('admin').command({ createUser: root.username, pwd: root.password, roles: ['root'] });
      return 'ready';
    } catch (error) {
      if (error.code === UNAUTHORIZED) return 'locked';
      throw error;
    }
  });
}

/** The first member is preferred, so that every set starts the same way. */
export function replicaSetConfig(...ports: number[]) {
  return {
    _id: REPLICA_SET,
    members: ports.map((port, index) => ({ _id: index, host: `127.0.0.1:${port}`, priority: index === 0 ? 2 : 1 })),
    settings: {
      electionTimeoutMillis: ELECTION_TIMEOUT_MS,
      catchUpTimeoutMillis: CATCH_UP_MS,
      heartbeatIntervalMillis: HEARTBEAT_MS,
    },
  };
}

async function canLogIn(port: number, root: Root) {
  try {
    await withClient(port, root, (client) => client.db('admin').command({ ping: 1 }));
    return true;
  } catch (error) {
    if (error.code === AUTHENTICATION_FAILED) return false;
    throw error;
  }
}
