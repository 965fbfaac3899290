/** One process of each kind on this machine, or a cluster behind one address. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineProgram, RunningEngine } from './engines.ts';
import { useMongodb, useNats } from './external.ts';
import { Failure } from './failure.ts';
import { type Home, REPOSITORY, shortPath } from './home.ts';
import type { Supervision } from './keeper.ts';
import { startMongod } from './mongod.ts';
import { type NatsUser, startNats, startNatsCluster } from './nats.ts';
import { freePort } from './ports.ts';
import type { Say } from './progress.ts';
import { startReplicaSet } from './replica-set.ts';
import { startRoundRobin } from './round-robin.ts';

export type Engine = EngineProgram | RunningEngine;
export type EngineOptions = Supervision & {
  home: Home;
  engine: EngineProgram;
  note: (text: string) => void;
  say: Say;
};
export type Started = { pids: () => (number | undefined)[]; detail: string; stop: () => Promise<unknown> };
export type Database = Started & { uri: string; hadData: boolean; version?: string };
export type Bus = Started & {
  url: string;
  rootUrl: string;
  version: string;
  login?: { user: string; password: string };
};
/** `copies` of each service run with `env`; `front` answers on the system's address unless a gateway does. */
export type Layout = {
  name: 'single' | 'cluster';
  home: string | undefined;
  copies: number;
  env: Record<string, string>;
  database: (options: EngineOptions) => Promise<Database>;
  bus: (options: EngineOptions & { users: readonly NatsUser[] }) => Promise<Bus>;
  gatewayPorts: (port: number) => Promise<number[]>;
  front: (port: number, gateways: readonly number[]) => Promise<{ stop: () => Promise<unknown> } | undefined>;
};

export const SINGLE: Layout = {
  name: 'single',
  home: undefined,
  copies: 1,
  env: {},
  async database({ engine, ...options }) {
    const mongod = await startMongod({ ...options, binary: engine.binary });
    const { uri, hadData, port } = mongod;
    const detail = `127.0.0.1:${port}, one-node replica set`;
    return { uri, hadData, detail, pids: () => [mongod.pid], stop: () => mongod.stop() };
  },
  async bus({ engine, ...options }) {
    const nats = await startNats({ ...options, binary: engine.binary });
    const { url, rootUrl, version, port } = nats;
    const detail = `127.0.0.1:${port}, JetStream`;
    return { url, rootUrl, version, detail, pids: () => [nats.pid], stop: () => nats.stop() };
  },
  gatewayPorts: async (port) => [port],
  front: async () => undefined,
};

const MEMBERS = 3;

export const CLUSTER: Layout = {
  name: 'cluster',
  home: process.env.CDS_HOME || join(REPOSITORY, '.cds', 'cluster'),
  copies: 2,
  env: { CDS_NATS_REPLICAS: String(MEMBERS), CDS_TRUSTED_PROXIES: '127.0.0.1/32' },
  async database({ engine, ...options }) {
    const set = await startReplicaSet({ ...options, binary: engine.binary, members: MEMBERS });
    const detail = `a replica set of ${MEMBERS} on ${set.members.map(({ port }) => port).join(', ')}`;
    return {
      uri: set.uri,
      hadData: set.hadData,
      detail,
      pids: () => set.members.map(({ pid }) => pid),
      stop: () => set.stop(),
    };
  },
  async bus({ engine, ...options }) {
    const cluster = await startNatsCluster({ ...options, binary: engine.binary, members: MEMBERS });
    const { url, rootUrl, version, members } = cluster;
    const detail = `a cluster of ${MEMBERS} on ${members.map(({ port }) => port).join(', ')}`;
    return { url, rootUrl, version, detail, pids: () => members.map(({ pid }) => pid), stop: () => cluster.stop() };
  },
  gatewayPorts: async () => [await freePort(), await freePort()],
  front: (port, backends) => startRoundRobin({ port, backends }),
};

export async function openDatabase(
  layout: Layout,
  { engine, ...options }: Omit<EngineOptions, 'engine'> & { engine: Engine },
): Promise<Database> {
  if (engine.uri === undefined) return layout.database({ ...options, engine });
  return { ...(await useMongodb(engine.uri)), pids: () => [], detail: 'your own, at MONGODB_URI' };
}

export async function openBus(
  layout: Layout,
  { engine, ...options }: Omit<EngineOptions, 'engine'> & { engine: Engine; users: readonly NatsUser[] },
): Promise<Bus> {
  if (engine.uri === undefined) return layout.bus({ ...options, engine });
  const detail = 'your own, at NATS_URL; all services share its user';
  return { ...(await useNats(engine.uri)), pids: () => [], detail };
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
