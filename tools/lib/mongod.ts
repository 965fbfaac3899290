/** mongod as a replica set of one member or several, each of which can be frozen, killed and restarted. */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Document } from 'mongodb';
import { launch } from './child.ts';
import { Failure } from './failure.ts';
import { type Home, openHome, writePrivate } from './home.ts';
import { type Keeper, keep, type Supervision } from './keeper.ts';
import { type Link, startLink } from './link.ts';
import { addressOf, FIXES, untilAnswer, withAdmin } from './mongo-client.ts';
import { keptPorts } from './ports.ts';
import { openSecrets } from './secrets.ts';

/** `port` is the one that the others know, that of the link if there is one. */
export type Member = Keeper & { port: number; link: Link | undefined };
export type ReplicaSet = Awaited<ReturnType<typeof startReplicaSet>>;
export type Mongod = Keeper & { uri: string; port: number; hadData: boolean };
type MongodOptions = Supervision & { home: string | Home; binary: string; expires?: boolean };

const REPLICA_SET = 'cds0';
const STOP_GRACE_MS = 20_000;
/** How long a set may be without a primary. A member that was in no set yet is asked no sooner than the next beat. */
const ELECTED = { serverSelectionTimeoutMS: 30_000, heartbeatFrequencyMS: 500 };
const MOVED_LIMIT_MS = 90_000;
const ELECTION_TIMEOUT_MS = 3000;
// A new primary waits only this long for a silent former one; it has everything the majority holds.
const CATCH_UP_MS = 500;
// A secondary may keep reporting its progress to a frozen member; the primary then learns of it only by heartbeats, and
// each majority write waits for one: at 500 ms a request of five took 3 s.
const HEARTBEAT_MS = 100;
const UNAUTHORIZED = 13;
const AUTHENTICATION_FAILED = 18;
const ALREADY_INITIALIZED = 23;
const NOT_INITIALIZED = 94;
export const SERVER_PARAMETERS = [
  'transactionLifetimeLimitSeconds=6',
  // A member that syncs from a frozen one switches within seconds, because majority writes wait for it.
  ...['oplogNetworkTimeoutBufferSeconds=1', 'oplogInitialFindMaxSeconds=2'],
  'oplogFetcherSteadyStateMaxFetcherRestarts=0',
  // Without another member to hand over to, a longer shutdown gains nothing.
  'shutdownTimeoutMillisForSignaledShutdown=100',
  'diagnosticDataCollectionEnabled=false',
];
// With the smallest cache, the whole system stays within 2 GiB for 100,000 creators.
const OPTIONS = ['--nounixsocket', '--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '512'];

export async function startMongod(options: MongodOptions): Promise<Mongod> {
  const { members, uri, hadData } = await startReplicaSet({ ...options, members: 1 });
  return Object.assign(members[0], { uri, hadData });
}

/**
 * Starts the members; `uri` is that of the root user. Data of an earlier start are taken up again. With `linked`,
 * services and the other members reach each member over a link that can be cut. With `expires` false, rows that may
 * expire stay: those of tests bear the dates of the cases.
 */
export async function startReplicaSet({
  home: place,
  binary,
  members: count = 3,
  linked = false,
  expires = true,
  ...supervision
}: MongodOptions & { members?: number; linked?: boolean }) {
  const home = typeof place === 'string' ? openHome(place) : place;
  const { mongodb_root_password: password, mongodb_key_file: key } = openSecrets(home).values;
  const keyFile = home.at('mongod.key');
  // mongod refuses a key file that others may read.
  if (!existsSync(keyFile) || readFileSync(keyFile, 'utf8') !== key) writePrivate(keyFile, key, 0o400);
  const { member_ports: known, mongod_port: only } = home.readState();
  const ports = await keptPorts(known ?? (only === undefined ? [] : [only]), count);
  home.writeState({ member_ports: ports });
  const named = (base: string, index: number) => (count === 1 ? base : `${base}-${index}`);
  const hadData = existsSync(home.at(named('mongo', 0), 'WiredTiger'));

  const links = linked ? await Promise.all(ports.map(startLink)) : [];
  const parameters = [...SERVER_PARAMETERS, ...(expires ? [] : ['ttlMonitorEnabled=false'])];
  const members: Member[] = ports.map((port, index) =>
    Object.assign(
      keep({
        name: named('mongod', index),
        spawn: () =>
          launch({
            home,
            name: named('mongod', index),
            command: binary,
            args: [
              ...[...OPTIONS, ...parameters.flatMap((parameter) => ['--setParameter', parameter])],
              ...['--dbpath', home.folder(named('mongo', index)), '--port', String(port), '--bind_ip', '127.0.0.1'],
              ...['--replSet', REPLICA_SET, '--keyFile', keyFile],
            ],
            env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TZ: 'UTC' },
          }),
        whenUp: (child) => untilAnswer(addressOf(port), child),
        graceMs: STOP_GRACE_MS,
        ...supervision,
      }),
      { port: links[index]?.port ?? port, link: links[index] },
    ),
  );
  const stop = async () => {
    await Promise.all(members.map((member) => member.stop()));
    await Promise.all(links.map((link) => link.cut()));
  };

  const hosts = members.map(({ port }) => `127.0.0.1:${port}`);
  const root = `root:${encodeURIComponent(password)}@`;
  const login = { directConnection: 'true', authSource: 'admin' };
  const direct = (port: number) => `mongodb://${root}127.0.0.1:${port}/?${new URLSearchParams(login)}`;
  const uri = `mongodb://${root}${hosts.join(',')}/?replicaSet=${REPLICA_SET}&authSource=admin`;
  try {
    await Promise.all(members.map((member) => member.start()));
    await initiate(hosts, addressOf(members[0].port), direct(members[0].port));
    await ensureRoot(uri, uri.replace(root, '').replace('&authSource=admin', ''), password);
  } catch (error) {
    await stop();
    if (error.code !== AUTHENTICATION_FAILED) throw error;
    throw new Failure('The root password of these data is not in secrets.json.', [
      'Put back the copy of secrets.json that you keep apart',
      ...FIXES.slice(-1),
    ]);
  }

  const primary = async () => {
    const end = Date.now() + ELECTED.serverSelectionTimeoutMS;
    for (;;) {
      const hello = await withAdmin(uri, (admin) => admin.command({ hello: 1 }), ELECTED).catch((error) => {
        if (Date.now() > end) throw error;
      });
      const found = members.find(({ port }) => hello?.primary === `127.0.0.1:${port}`);
      if (found) return found;
      if (Date.now() > end) throw new Error('The replica set has no primary.');
      await pause(50);
    }
  };

  /** The former primary may lead again at once: it would stand aside for 25 s, and nobody could follow the next. */
  const stepDown = async () => {
    const former = await primary();
    await withAdmin(uri, (admin) => admin.command({ replSetStepDown: 25, secondaryCatchUpPeriodSecs: 20 }));
    await withAdmin(direct(former.port), (admin) => admin.command({ replSetFreeze: 0 }));
  };
  return { uri, hadData, members, primary, stepDown, stop };
}

/** Makes the set of the first member unless it is in one. Data that knew other ports learn the new ones. */
async function initiate(hosts: readonly string[], first: string, firstAsRoot: string) {
  const members = hosts.map((host, _id) => ({ _id, host }));
  const isNew = await withAdmin(first, async (admin) => {
    const hello = await admin.command({ hello: 1 });
    if (hello.setName) return true;
    const settings = {
      electionTimeoutMillis: ELECTION_TIMEOUT_MS,
      catchUpTimeoutMillis: CATCH_UP_MS,
      heartbeatIntervalMillis: HEARTBEAT_MS,
    };
    return admin.command({ replSetInitiate: { _id: REPLICA_SET, members, settings } }).catch((error) => {
      if (error.code !== UNAUTHORIZED && error.code !== ALREADY_INITIALIZED) throw error;
    });
  });
  if (isNew) return;
  await withAdmin(firstAsRoot, async (admin) => {
    // It knows no configuration until it has looked for itself behind its old port.
    const end = Date.now() + MOVED_LIMIT_MS;
    const stored = (): Promise<Document> =>
      admin.command({ replSetGetConfig: 1 }).catch(async (error) => {
        if (error.code !== NOT_INITIALIZED || Date.now() > end) throw error;
        await pause(50);
        return stored();
      });
    const { config } = await stored();
    await admin.command({ replSetReconfig: { ...config, members, version: config.version + 1 }, force: true });
  });
}

/** Creates the root user, by the exception that MongoDB grants this machine while the set has no user. */
async function ensureRoot(uri: string, withoutLogin: string, password: string) {
  try {
    await withAdmin(uri, (admin) => admin.command({ ping: 1 }, { readPreference: 'primary' }), ELECTED);
  } catch (failure) {
    if (failure.code !== AUTHENTICATION_FAILED) throw failure;
    const user = { createUser: 'root', pwd: password, roles: ['root'] };
    await withAdmin(withoutLogin, (admin) => admin.command(user), ELECTED).catch((error) => {
      throw error.code === UNAUTHORIZED ? failure : error;
    });
  }
}
