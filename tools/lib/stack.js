/**
 * The whole system for a test: the same engines and services that `npm start` runs, each stack with its own nats-server
 * and databases. Nothing is supervised unless asked for, so that what a test kills stays dead until the test restarts
 * it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome } from './home.js';
import { dropPrefixed, ensureServiceUsers } from './mongo-users.js';
import { startMongod } from './mongod.js';
import { startNatsCluster, startNats as startNatsServer } from './nats.js';
import { freePort } from './ports.js';
import { endProcesses, processesOf } from './process-table.js';
import { startReplicaSet } from './replica-set.js';
import { startRoundRobin } from './round-robin.js';
import { openSecrets } from './secrets.js';
import { ensureNetwork, makeBrand, operator } from './seed.js';
import { environmentOf, loadContracts, natsUsers } from './service-environment.js';
import { startServices } from './services.js';
import { urlsOf } from './urls.js';

/**
 * @typedef {import('./keeper.js').Keeper} Keeper
 * @typedef {import('./mongod.js').Mongod} Mongod
 * @typedef {import('./nats.js').Nats} Nats
 * @typedef {import('./nats.js').NatsUser} NatsUser
 * @typedef {import('./replica-set.js').ReplicaSet} ReplicaSet
 * @typedef {import('./seed.js').SeededKey} SeededKey
 * @typedef {import('./seed.js').SeededWorkspace} SeededWorkspace
 * @typedef {import('./services.js').ServiceProcess} ServiceProcess
 * @typedef {Awaited<ReturnType<typeof startStack>>} Stack
 * @typedef {{
 *   mongod?: { uri: string },
 *   natsBinary?: string,
 *   busMembers?: number,
 *   behindProxy?: boolean,
 *   prefix?: string,
 *   home?: string,
 *   replicas?: Record<string, number>,
 *   env?: Record<string, string>,
 *   envOf?: (service: string) => Record<string, string>,
 *   failpoints?: Record<string, string>,
 *   entryFor?: (service: string) => string | undefined,
 *   supervise?: boolean,
 *   onDied?: import('./keeper.js').OnDied,
 * }} StackOptions
 */

export { dropPrefixed, ensureServiceUsers, startMongod, startReplicaSet };

/**
 * A server with the given users, or with those of the system when none are given.
 * @param {Omit<Parameters<typeof startNatsServer>[0], 'home'> & { home: string | import('./home.js').Home }} options
 */
export async function startNats({ home: place, users, ...options }) {
  const home = typeof place === 'string' ? openHome(place) : place;
  return startNatsServer({
    ...options,
    home,
    users: users ?? natsUsers({ contracts: await loadContracts(), secrets: openSecrets(home) }),
  });
}

/** @param {StackOptions} options */
export async function startStack({
  mongod = { uri: process.env.CDS_TEST_MONGODB_URI ?? '' },
  natsBinary = process.env.CDS_TEST_NATS_BIN ?? '',
  busMembers = 1,
  behindProxy = false,
  prefix = `t${process.pid}_${Math.random().toString(36).slice(2, 8)}_`,
  home: place = mkdtempSync(join(process.env.CDS_TEST_HOME ?? tmpdir(), 'stack-')),
  replicas = {},
  env = {},
  envOf,
  failpoints = {},
  entryFor,
  supervise = false,
  onDied,
} = {}) {
  const home = openHome(place);
  const secrets = openSecrets(home);
  const contracts = await loadContracts();
  const database = { uri: mongod.uri, services: contracts.services, prefix };
  await ensureServiceUsers({ ...database, password: secrets.servicePassword });
  const bus = await startBus(busMembers, {
    home,
    binary: natsBinary,
    users: natsUsers({ contracts, secrets }),
    supervise,
    onDied,
  });

  /** @type {number[]} */
  const httpPorts = [];
  for (let index = 0; index < (replicas.gateway ?? 1); index += 1) httpPorts.push(await freePort());
  const front = behindProxy ? await startRoundRobin({ port: await freePort(), backends: httpPorts }) : undefined;
  const urls = urlsOf(front?.port ?? httpPorts[0]);
  const options = {
    home,
    secrets,
    contracts,
    prefix,
    replicas,
    env: { CDS_NATS_REPLICAS: String(busMembers), ...(front && { CDS_TRUSTED_PROXIES: '127.0.0.1/32' }), ...env },
    ...(envOf && { envOf }),
    failpoints,
    ...(entryFor && { entryFor }),
    supervise,
    onDied,
    httpPorts,
    environment: 'test',
    databases: mongod.uri,
    /** @param {string} service */
    bus: (service) => ({ url: bus.url, user: service, password: secrets.servicePassword(`nats_${service}`) }),
    // Links for people lead to the proxy or the first gateway; without a proxy, each gateway knows its own address.
    appUrl: (port = httpPorts[0]) => (front ? urls.app_url : urlsOf(port).app_url),
  };
  const services = startServices(options);
  /**
   * @param {string} name
   * @param {number} index
   */
  const one = (name, index) => {
    const found = services.byName[name]?.[index];
    if (!found) throw new Error(`This stack has no ${name} number ${index}.`);
    return found;
  };

  const stack = {
    appUrl: urls.app_url,
    apiUrl: urls.api_url,
    mcpUrl: urls.mcp_url,
    guestMcpUrl: urls.guest_mcp_url,
    opsUrl: urls.ops_url,
    appUrls: httpPorts.map((port) => urlsOf(port).app_url),
    opsToken: secrets.values.ops_token,
    relayToken: secrets.values.relay_token,
    mongodbUri: mongod.uri,
    /** Of the first server of the bus, with its root user. */
    natsUrl: bus.rootUrl.split(',')[0],
    /** Each server of the bus can be frozen, killed and restarted by itself. */
    bus: bus.members,
    nats: bus.members[0],
    /**
     * The whole environment of a service: a test that takes a service's place holds its credentials.
     * @param {string} service
     */
    environmentOf: (service) => environmentOf(service, { ...options, httpPort: httpPorts[0], opsPort: 0 }),
    prefix,
    home: home.root,
    /** The proxy before the gateways, if there is one. */
    front,
    services: services.byName,
    whenReady: () => services.whenReady(),
    /** @param {string} name */
    kill: (name, index = 0) => one(name, index).kill(),
    /**
     * Restarts a process, running or not, and waits until it is ready.
     * @param {string} name
     */
    async restartService(name, index = 0) {
      await one(name, index).restart();
      await one(name, index).whenReady();
    },
    /**
     * Stops everything and drops what the prefix owns; `keepData` leaves databases and home for a later look.
     * @param {{ keepData?: boolean }} options
     */
    async stop({ keepData = false } = {}) {
      await front?.stop();
      await services.stop();
      await bus.stop();
      await endProcesses(processesOf(home.root).map(({ pid }) => pid));
      if (keepData) return;
      await dropPrefixed(database);
      rmSync(home.root, { recursive: true, force: true });
    },
  };
  try {
    await stack.whenReady();
  } catch (error) {
    await stack.stop({ keepData: true });
    // A test runner prints only the message, so it must include the output of the process.
    throw new Error([error.message, ...(error.details ?? [])].join('\n    '), { cause: error });
  }
  return stack;
}

/**
 * One server, or a cluster of several.
 * @param {number} members
 * @param {Parameters<typeof startNatsServer>[0]} options
 */
async function startBus(members, options) {
  if (members > 1) return startNatsCluster({ ...options, members });
  const server = await startNatsServer(options);
  return { url: server.url, rootUrl: server.rootUrl, members: [server], stop: () => server.stop() };
}

/**
 * Creates a brand with a live and, when `sandbox` names it, a sandbox workspace; returns the workspaces with their
 * keys.
 * @param {Pick<Stack, 'opsUrl' | 'opsToken'>} stack
 * @param {{ name: string, audience?: string | null, sandbox?: string | null, replaceKeys?: boolean }} brand
 */
export function seedBrand(
  stack,
  { name, audience = 'startup founders and AI builders', sandbox = `${name}-sandbox`, replaceKeys },
) {
  return makeBrand(operator(stack), { name, audience, sandbox, replaceKeys });
}

/**
 * Loads the generated network.
 * @param {Pick<Stack, 'opsUrl' | 'opsToken'>} stack
 * @param {{ creators?: number, seed?: number }} network
 */
export function seedNetwork(stack, { creators = 2000, seed = 1 } = {}) {
  return ensureNetwork({ ops: operator(stack), wanted: { creators, seed } });
}
