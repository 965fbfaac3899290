/**
 * The two layouts of the system on one machine: one process of each kind, or a cluster with three of each engine and
 * two of each service behind one address.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { useMongodb, useNats } from './external.js';
import { Failure } from './failure.js';
import { REPOSITORY, shortPath } from './home.js';
import { startMongod } from './mongod.js';
import { startNats, startNatsCluster } from './nats.js';
import { freePort } from './ports.js';
import { startReplicaSet } from './replica-set.js';
import { startRoundRobin } from './round-robin.js';

/**
 * @typedef {import('./home.js').Home} Home
 * @typedef {import('./engines.js').EngineProgram | import('./engines.js').RunningEngine} Engine
 * @typedef {{
 *   home: Home,
 *   engine: import('./engines.js').EngineProgram,
 *   supervise: boolean,
 *   onDied: import('./keeper.js').OnDied,
 *   onChange: () => void,
 *   note: (text: string) => void,
 *   say: import('./progress.js').Say,
 * }} EngineOptions
 * @typedef {{ pids: () => (number | undefined)[], detail: string, stop: () => Promise<unknown> }} Started
 * @typedef {Started & { uri: string, hadData: boolean, version?: string }} Database
 * @typedef {Started & {
 *   url: string,
 *   rootUrl: string,
 *   version: string,
 *   login?: { user: string, password: string },
 * }} Bus
 * @typedef {{
 *   name: 'single' | 'cluster',
 *   home: string | undefined,
 *   copies: number,
 *   env: Record<string, string>,
 *   database: (options: EngineOptions) => Promise<Database>,
 *   bus: (options: EngineOptions & { users: readonly import('./nats.js').NatsUser[] }) => Promise<Bus>,
 *   gatewayPorts: (port: number) => Promise<number[]>,
 *   front: (port: number, gateways: readonly number[]) => Promise<{ stop: () => Promise<unknown> } | undefined>,
 * }} Layout `copies` of each service run with `env`; `front` answers on the system's address unless a gateway does.
 */

/** @type {Layout} */
export const SINGLE = {
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

/** @type {Layout} */
export const CLUSTER = {
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

/**
 * Starts the engine in the layout, or uses the user's own.
 * @param {Layout} layout
 * @param {Omit<EngineOptions, 'engine'> & { engine: Engine }} options
 * @returns {Promise<Database>}
 */
export async function openDatabase(layout, { engine, ...options }) {
  if (engine.uri === undefined) return layout.database({ ...options, engine });
  return { ...(await useMongodb(engine.uri)), pids: () => [], detail: 'your own, at MONGODB_URI' };
}

/**
 * @param {Layout} layout
 * @param {Omit<EngineOptions, 'engine'> & { engine: Engine, users: readonly import('./nats.js').NatsUser[] }} options
 * @returns {Promise<Bus>}
 */
export async function openBus(layout, { engine, ...options }) {
  if (engine.uri === undefined) return layout.bus({ ...options, engine });
  const detail = 'your own, at NATS_URL; all services share its user';
  return { ...(await useNats(engine.uri)), pids: () => [], detail };
}

/**
 * A home holds the data and keys of one layout.
 * @param {Home} home
 * @param {Layout} layout
 */
export function claimHome(home, { name }) {
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
