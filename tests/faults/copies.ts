import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { type Mongod, startMongod, startNats } from '../../tools/lib/stack.js';
import { runJob } from '../deploy/jobs.js';
import { type Manifest, objectsIn, ofKind, readText, toolAt } from '../deploy/manifests.js';

const KUBERNETES = join(import.meta.dirname, '../../deploy/k8s');
const USER = 'backup';

/** A copy of every database at one point in time, and how it is restored in a home while no system runs there. */
export type Copy = { means: string; take: () => Promise<void>; restoredIn: (home: string) => Promise<Mongod> };

const copyIn = (volume: string, start: string): string => {
  const found = readdirSync(volume).filter((name) => name.startsWith(start));
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${volume} holds ${found.length} ${start}*`);
  return found[0];
};

const commandOn = async <T>(uri: string, work: (admin: ReturnType<MongoClient['db']>) => Promise<T>): Promise<T> => {
  const client = await MongoClient.connect(uri);
  try {
    return await work(client.db('admin'));
  } finally {
    await client.close();
  }
};

/**
 * The user of the jobs, with the roles that deploy/k8s gives it, unless it exists; answers its URI as the operator of
 * MongoDB writes it, with the user's database behind the hosts.
 */
const ensureUser = async ({ uri, port }: Mongod): Promise<string> => {
  type Role = { role: string; db: string; privileges: object[]; roles: object[] };
  type Spec = { security: { roles: Role[] }; users: { name: string; roles: { name: string; db: string }[] }[] };
  const [set] = ofKind<Manifest<Spec>>(objectsIn(readText(KUBERNETES, 'base/mongodb.yaml')), 'MongoDBCommunity');
  const granted = set?.spec.users.find(({ name }) => name === USER)?.roles ?? [];
  await commandOn(uri, async (admin) => {
    if ((await admin.command({ usersInfo: USER }))['users'].length > 0) return;
    for (const { role, privileges, roles } of set?.spec.security.roles ?? [])
      await admin.command({ createRole: role, privileges, roles });
    const roles = granted.map(({ name, db }) => ({ role: name, db }));
    await admin.command({ createUser: USER, pwd: USER, roles });
  });
  return `mongodb://${USER}:${USER}@127.0.0.1:${port}/admin?replicaSet=${new URL(uri).searchParams.get('replicaSet')}&ssl=false`;
};

const binary = (): string => process.env['CDS_TEST_MONGOD_BIN'] ?? '';

/** By the jobs backup-mongodb and restore-mongodb. */
const byTheJobs = (from: Mongod, volume: string): Copy => ({
  means: 'the jobs of deploy/k8s',
  take: async () => runJob('components/backup/mongodb.yaml', volume, { MONGODB_URI: await ensureUser(from) }),
  restoredIn: async (home) => {
    const to = await startMongod({ home, binary: binary() });
    await runJob('restore/mongodb.yaml', volume, {
      MONGODB_URI: await ensureUser(to),
      BACKUP: copyIn(volume, 'mongodb-'),
    });
    return to;
  },
});

/** By the files of a locked mongod, where MongoDB's tools are missing: no write reaches them while they are copied. */
const byFiles = (from: Mongod, home: string, volume: string): Copy => ({
  means: 'the files of a locked mongod',
  take: () =>
    commandOn(from.uri, async (admin) => {
      await admin.command({ fsync: 1, lock: true });
      try {
        cpSync(join(home, 'mongo'), join(volume, 'mongo'), {
          recursive: true,
          filter: (file) => !file.endsWith('mongod.lock'),
        });
      } finally {
        await admin.command({ fsyncUnlock: 1 });
      }
    }),
  restoredIn: (into) => {
    rmSync(join(into, 'mongo'), { recursive: true, force: true });
    cpSync(join(volume, 'mongo'), join(into, 'mongo'), { recursive: true });
    return startMongod({ home: into, binary: binary() });
  },
});

/** The best copy that this machine's tools allow. */
export const aCopy = (from: Mongod, home: string, volume: string): Copy =>
  toolAt('mongodump') !== undefined && toolAt('mongorestore') !== undefined
    ? byTheJobs(from, volume)
    : byFiles(from, home, volume);

/** Whether this machine has the program of the jobs backup-jetstream and restore-jetstream. */
export const canCopyStreams = toolAt('nats') !== undefined;

export const copyStreams = (url: string, volume: string): Promise<void> =>
  runJob('components/backup/jetstream.yaml', volume, busAt(url));

/** Empties the bus of a home and puts the copied streams there, by the job restore-jetstream, while no system runs. */
export const restoreStreams = async (home: string, volume: string): Promise<void> => {
  const bus = await startNats({ home, binary: process.env['CDS_TEST_NATS_BIN'] ?? '' });
  try {
    const BACKUP = copyIn(volume, 'jetstream-');
    await runJob('restore/jetstream.yaml', volume, { ...busAt(bus.rootUrl), BACKUP });
  } finally {
    await bus.stop();
  }
};

const busAt = (url: string): Record<string, string> => {
  const { host, username, password } = new URL(url.replace('nats:', 'http:'));
  return { NATS_URL: `nats://${host}`, NATS_USER: username, NATS_PASSWORD: decodeURIComponent(password) };
};
