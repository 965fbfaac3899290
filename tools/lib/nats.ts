/** nats-server with JetStream, one or a cluster, with a user per service and a root user for people. */
import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { type Child, howItEnded, launch } from './child.ts';
import { Failure } from './failure.ts';
import { type Home, openHome, writePrivate } from './home.ts';
import { type Keeper, keep, type Supervision } from './keeper.ts';
import { keptPorts, portOr } from './ports.ts';
import { openSecrets } from './secrets.ts';

export type Permissions = { publish: readonly string[]; subscribe: readonly string[] };
export type NatsUser = { user: string; password: string; permissions?: Permissions };
export type NatsInfo = { version: string; jetstream?: boolean };
export type Nats = Keeper & { url: string; rootUrl: string; port: number; version: string };

const ROOT = 'root';
const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;
const UP_LIMIT_MS = 20_000;
const STOP_GRACE_MS = 10_000;

type NatsOptions = Supervision & {
  home: string | Home;
  binary: string;
  users?: readonly NatsUser[];
  port?: number;
};

export async function startNats({ home: place, port: wanted, ...options }: NatsOptions): Promise<Nats> {
  const home = typeof place === 'string' ? openHome(place) : place;
  const port = wanted ?? (await portOr(home.readState().nats_port));
  const nats = serverOf({ ...options, home, name: 'nats', port });
  await startOrStop([nats]);
  home.writeState({ nats_port: port });
  return Object.assign(nats, { ...addressesOf(home, [port]), port, version: await versionAt(port) });
}

/** Starts a cluster of servers. `url` names them all, so that a client moves on when its server ends. */
export async function startNatsCluster({
  home: place,
  members: count = 3,
  ...options
}: NatsOptions & { members?: number }) {
  const home = typeof place === 'string' ? openHome(place) : place;
  const known = home.readState().bus_ports;
  const all = await keptPorts(known, 2 * count);
  const [ports, routePorts] = [all.slice(0, count), all.slice(count)];
  const routes = routePorts.map((port) => `nats://127.0.0.1:${port}`);
  const members = ports.map((port, index) =>
    serverOf({
      ...options,
      home,
      name: `nats-${index}`,
      port,
      cluster: { name: 'cds', listen: `127.0.0.1:${routePorts[index]}`, routes },
    }),
  );
  await startOrStop(members);
  home.writeState({ bus_ports: all });
  return {
    ...addressesOf(home, ports),
    members: members.map((member, index) =>
      Object.assign(member, { port: ports[index], url: `nats://127.0.0.1:${ports[index]}` }),
    ),
    version: await versionAt(ports[0]),
    stop: async () => {
      await Promise.all(members.map((member) => member.stop()));
    },
  };
}

async function startOrStop(servers: readonly Keeper[]) {
  try {
    await Promise.all(servers.map((server) => server.start()));
  } catch (error) {
    await Promise.all(servers.map((server) => server.stop()));
    throw error;
  }
}

function addressesOf(home: Home, ports: readonly number[]) {
  const password = encodeURIComponent(openSecrets(home).values.nats_root_password);
  return {
    url: ports.map((port) => `nats://127.0.0.1:${port}`).join(','),
    rootUrl: ports.map((port) => `nats://${ROOT}:${password}@127.0.0.1:${port}`).join(','),
  };
}

const versionAt = async (port: number) => (await readNatsInfo('127.0.0.1', port))?.version ?? '';

function serverOf({
  home,
  binary,
  users = [],
  name,
  port,
  cluster,
  ...supervision
}: Omit<NatsOptions, 'home' | 'port'> & {
  home: Home;
  name: string;
  port: number;
  cluster?: object;
}) {
  const store = home.folder(name);
  const file = `${store}/nats.conf`;
  const root = { user: ROOT, password: openSecrets(home).values.nats_root_password };
  const config = (jetstream: object) => ({
    server_name: cluster ? name : 'cds0',
    host: '127.0.0.1',
    port,
    ...(cluster && { cluster }),
    ...natsConfig({ store, users: [root, ...users], jetstream }),
  });
  writePrivate(file, JSON.stringify(config(DURABLE), null, 2));
  if (spawnSync(binary, ['-t', '-c', file]).status !== 0) writePrivate(file, JSON.stringify(config({}), null, 2));
  return keep({
    name,
    spawn: () =>
      launch({
        home,
        name,
        command: binary,
        args: ['-c', file],
        env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TZ: 'UTC', GOGC: '400' },
      }),
    whenUp: (child) => untilReady(child, port),
    graceMs: STOP_GRACE_MS,
    ...supervision,
  });
}

export const natsConfig = ({
  store,
  users,
  jetstream = {},
}: {
  store: string;
  users: readonly NatsUser[];
  jetstream?: object;
}) => ({
  max_payload: MAX_PAYLOAD_BYTES,
  jetstream: { store_dir: store, ...jetstream },
  authorization: {
    users: users.map(({ user, password, permissions }) => ({
      user,
      password,
      ...(permissions && {
        permissions: { publish: { allow: permissions.publish }, subscribe: { allow: permissions.subscribe } },
      }),
    })),
  },
});

/** An event that JetStream acknowledged must survive a power cut. Servers before 2.10 do not know the setting. */
export const DURABLE = { sync_interval: 'always' };

async function untilReady(child: Child, port: number): Promise<NatsInfo> {
  const end = Date.now() + UP_LIMIT_MS;
  for (;;) {
    const how = child.ended();
    if (how) throw new Failure(`nats-server exited at once (${howItEnded(how)}).`, fixes, child.said(6));
    const info = await readNatsInfo('127.0.0.1', port);
    if (info?.jetstream) return info;
    if (Date.now() > end) {
      const what = info ? 'answers without JetStream' : `did not answer within ${UP_LIMIT_MS / 1000} s`;
      throw new Failure(`nats-server ${what}.`, fixes, child.said(6));
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const fixes = [
  'Read logs/nats.log in the home folder: the last lines say why',
  'See that the disk has room and the home folder is yours',
  'npm start -- --fresh  (drops all data of this home)',
];

/** What a server reports in its first line, before any login; undefined when none answers. */
export function readNatsInfo(host: string, port: number, limitMs = 2000): Promise<NatsInfo | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    let text = '';
    const done = (value: NatsInfo | undefined) => {
      socket.destroy();
      resolve(value);
    };
    socket.setTimeout(limitMs, () => done(undefined));
    socket.once('error', () => done(undefined));
    socket.once('close', () => done(undefined));
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const found = /^INFO (\{.*\})\s*\r\n/.exec(text);
      if (found) done(JSON.parse(found[1]));
    });
  });
}
