/**
 * The whole system for a test: the same engines and services that `npm start` runs, each stack with its own nats-server
 * and databases. Nothing is supervised unless asked for, so that what a test kills stays dead until the test restarts
 * it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome } from './home.ts';
import type { Keeper, OnDied } from './keeper.ts';
import { dropPrefixed, ensureServiceUsers } from './mongo-users.ts';
import { type Mongod, type ReplicaSet, startMongod, startReplicaSet } from './mongod.ts';
import { startNats } from './nats.ts';
import { freePort } from './ports.ts';
import { endMarked } from './process-table.ts';
import { startRoundRobin } from './round-robin.ts';
import { urlsOf } from './runtime-file.ts';
import { openSecrets } from './secrets.ts';
import { ensureNetwork, makeBrand, operator, type SeededKey, type SeededWorkspace } from './seed.ts';
import { environmentOf, loadContracts, natsUsers } from './service-environment.ts';
import { startServices } from './services.ts';

export type Stack = Awaited<ReturnType<typeof startStack>>;
export type StackOptions = {
  mongod?: { uri: string };
  natsBinary?: string;
  busMembers?: number;
  behindProxy?: boolean;
  prefix?: string;
  home?: string;
  replicas?: Record<string, number>;
  env?: Record<string, string>;
  envOf?: (service: string) => Record<string, string>;
  failpoints?: Record<string, string>;
  entryFor?: (service: string) => string | undefined;
  supervise?: boolean;
  onDied?: OnDied;
};

export type { Keeper, Mongod, ReplicaSet, SeededKey, SeededWorkspace };
export { dropPrefixed, ensureServiceUsers, startMongod, startNats, startReplicaSet };

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
}: StackOptions = {}) {
  const home = openHome(place);
  const secrets = openSecrets(home);
  const contracts = await loadContracts();
  const database = { uri: mongod.uri, services: contracts.services, prefix };
  await ensureServiceUsers({ ...database, password: secrets.servicePassword });
  const users = natsUsers({ contracts, secrets });
  const bus = await startNats({ home, binary: natsBinary, users, members: busMembers, supervise, onDied });

  const httpPorts: number[] = [];
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
    bus: (service: string) => ({ url: bus.url, user: service, password: secrets.servicePassword(`nats_${service}`) }),
    // Links for people lead to the proxy or the first gateway; without a proxy, each gateway knows its own address.
    appUrl: (port = httpPorts[0]) => (front ? urls.app_url : urlsOf(port).app_url),
  };
  const services = startServices(options);
  const one = (name: string, index: number) => {
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
    /** The whole environment of a service: a test that takes a service's place holds its credentials. */
    environmentOf: (service: string) => environmentOf(service, { ...options, httpPort: httpPorts[0], opsPort: 0 }),
    prefix,
    home: home.root,
    /** The proxy before the gateways, if there is one. */
    front,
    services: services.byName,
    whenReady: () => services.whenReady(),
    kill: (name: string, index = 0) => one(name, index).kill(),
    async restartService(name: string, index = 0) {
      await one(name, index).restart();
      await one(name, index).whenReady();
    },
    /** Stops everything and drops what the prefix owns; `keepData` leaves databases and home for a later look. */
    async stop({ keepData = false }: { keepData?: boolean } = {}) {
      await front?.stop();
      await services.stop();
      await bus.stop();
      await endMarked((from) => from === home.root);
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

/** Creates a brand with a live and, when `sandbox` names it, a sandbox workspace. */
export function seedBrand(
  stack: Pick<Stack, 'opsUrl' | 'opsToken'>,
  {
    name,
    audience = 'startup founders and AI builders',
    sandbox = `${name}-sandbox`,
    replaceKeys,
  }: { name: string; audience?: string | null; sandbox?: string | null; replaceKeys?: boolean },
) {
  return makeBrand(operator(stack), { name, audience, sandbox, replaceKeys });
}

export function seedNetwork(
  stack: Pick<Stack, 'opsUrl' | 'opsToken'>,
  { creators = 2000, seed = 1 }: { creators?: number; seed?: number } = {},
) {
  return ensureNetwork({ ops: operator(stack), wanted: { creators, seed } });
}
