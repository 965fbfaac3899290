/** One process of each kind on this machine, or a cluster behind one address; and servers that the user names. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineProgram, RunningEngine } from './engines.ts';
import { Failure } from './failure.ts';
import { type Home, REPOSITORY, shortPath } from './home.ts';
import type { Supervision } from './keeper.ts';
import { withAdmin } from './mongo-client.ts';
import { startReplicaSet } from './mongod.ts';
import { type NatsUser, readNatsInfo, startNats } from './nats.ts';

type Bus = {
  url: string;
  rootUrl: string;
  version: string;
  members: readonly { pid: number | undefined }[];
  login?: { user: string; password: string };
  stop: () => Promise<void>;
  detail: string;
};
type EngineOptions = Supervision & { home: Home; engine: EngineProgram | RunningEngine; layout: Layout };

const MEMBERS = 3;
/** `members` of each engine, and `copies` of each service, which run with `env`. */
export const LAYOUTS = {
  single: { name: 'single', home: undefined, members: 1, copies: 1, env: {} },
  cluster: {
    name: 'cluster',
    home: process.env.CDS_HOME || join(REPOSITORY, '.cds', 'cluster'),
    members: MEMBERS,
    copies: 2,
    env: { CDS_NATS_REPLICAS: String(MEMBERS), CDS_TRUSTED_PROXIES: '127.0.0.1/32' },
  },
} as const;
export type Layout = (typeof LAYOUTS)[keyof typeof LAYOUTS];

export async function openDatabase({ engine, layout: { members }, ...options }: EngineOptions) {
  if (engine.uri !== undefined) return useMongodb(engine.uri);
  const set = await startReplicaSet({ ...options, binary: engine.binary, members });
  return { ...set, version: engine.version, detail: `a replica set of ${members} on ${portsOf(set.members)}` };
}

export async function openBus({
  engine,
  layout: { members },
  ...options
}: EngineOptions & { users: readonly NatsUser[] }): Promise<Bus> {
  if (engine.uri !== undefined) return useNats(engine.uri);
  const bus = await startNats({ ...options, binary: engine.binary, members });
  return { ...bus, detail: `JetStream on ${portsOf(bus.members)}` };
}

const portsOf = (members: readonly { port: number }[]) => members.map(({ port }) => port).join(', ');

async function useMongodb(uri: string) {
  const fixes = [
    'See that MONGODB_URI names a running server, with user and password',
    'Add ?replicaSet=name: transactions need a replica set, one node is enough',
    'Leave MONGODB_URI out: a mongod is started here',
  ];
  const found = await withAdmin(
    uri,
    async (admin) => {
      const { setName } = await admin.command({ hello: 1 });
      const { version } = await admin.command({ buildInfo: 1 });
      const { databases } = await admin.command({ listDatabases: 1, nameOnly: true });
      const hadData = databases.some(({ name }: { name: string }) => name === 'cds_gateway');
      return { setName, version, hadData };
    },
    { serverSelectionTimeoutMS: 8000 },
  ).catch((error) => {
    throw new Failure('The server at MONGODB_URI cannot be used.', fixes, [error.message]);
  });
  if (!found.setName) throw new Failure('The server at MONGODB_URI is not a replica set.', fixes);
  return { ...found, uri, members: [], stop: async () => {}, detail: 'your own, at MONGODB_URI' };
}

async function useNats(uri: string) {
  const url = new URL(uri.includes('://') ? uri : `nats://${uri}`);
  const fixes = [
    'See that NATS_URL names a running server: nats://user:password@host:4222',
    'Start that server with -js: JetStream carries the events',
    'Leave NATS_URL out: a nats-server is started here',
  ];
  const info = await readNatsInfo(url.hostname, Number(url.port) || 4222);
  if (!info) throw new Failure('No server answers at NATS_URL.', fixes);
  if (!info.jetstream) throw new Failure('The server at NATS_URL runs without JetStream.', fixes);
  return {
    url: `nats://${url.host}`,
    rootUrl: uri,
    // On a server of the user we create no users.
    login: { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
    version: info.version,
    members: [],
    stop: async () => {},
    detail: 'your own, at NATS_URL; all services share its user',
  };
}

/** A home holds the data and keys of one layout. */
export function claimHome(home: Home, { name }: Layout) {
  const kept = home.readState().layout ?? (existsSync(home.at('mongo')) ? 'single' : name);
  if (kept !== name) {
    const what = kept === 'cluster' ? 'a cluster' : 'a system of single processes';
    throw new Failure(`${shortPath(home.root)} holds the data of ${what}.`, [
      kept === 'cluster' ? 'npm run cluster  (starts it)' : 'npm start  (starts it)',
      'CDS_HOME=/another/folder  (for a second system)',
      'Add --fresh to drop the data of this home',
    ]);
  }
  home.writeState({ layout: name });
}
