/** nats-server with JetStream, one or a cluster, with a user per service and a root user for people. */
import { connect } from 'node:net';
import { type Child, howItEnded, launch } from './child.ts';
import { Failure } from './failure.ts';
import { type Home, openHome, writePrivate } from './home.ts';
import { keep, type Supervision } from './keeper.ts';
import { keptPorts } from './ports.ts';
import { openSecrets } from './secrets.ts';

export type Permissions = { publish: readonly string[]; subscribe: readonly string[] };
export type NatsUser = { user: string; password: string; permissions?: Permissions };
export type NatsInfo = { version: string; jetstream?: boolean };
export type Nats = Awaited<ReturnType<typeof startNats>>;

const ROOT = 'root';
const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;
const UP_LIMIT_MS = 20_000;
const STOP_GRACE_MS = 10_000;

/** Starts one server or a cluster. `url` names them all, so that a client moves on when its server ends. */
export async function startNats({
  home: place,
  binary,
  users = [],
  members: count = 1,
  ...supervision
}: Supervision & { home: string | Home; binary: string; users?: readonly NatsUser[]; members?: number }) {
  const home = typeof place === 'string' ? openHome(place) : place;
  const all = await keptPorts(home.readState().bus_ports ?? [], 2 * count);
  const [ports, routePorts] = [all.slice(0, count), all.slice(count)];
  const password = openSecrets(home).values.nats_root_password;
  const members = ports.map((port, index) => {
    const name = count === 1 ? 'nats' : `nats-${index}`;
    const store = home.folder(name);
    const file = `${store}/nats.conf`;
    const cluster = {
      name: 'cds',
      listen: `127.0.0.1:${routePorts[index]}`,
      routes: routePorts.map((route) => `nats://127.0.0.1:${route}`),
    };
    const all = [{ user: ROOT, password }, ...users];
    const own = { server_name: name, host: '127.0.0.1', port, ...(count > 1 && { cluster }) };
    const config = { ...own, ...natsConfig({ store, users: all, jetstream: DURABLE }) };
    writePrivate(file, JSON.stringify(config, null, 2));
    const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TZ: 'UTC', GOGC: '400' };
    const server = keep({
      name,
      spawn: () => launch({ home, name, command: binary, args: ['-c', file], env }),
      whenUp: (child) => untilReady(child, port),
      graceMs: STOP_GRACE_MS,
      ...supervision,
    });
    return Object.assign(server, { port, url: `nats://127.0.0.1:${port}` });
  });
  const stop = async () => {
    await Promise.all(members.map((member) => member.stop()));
  };
  try {
    await Promise.all(members.map((member) => member.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  home.writeState({ bus_ports: all });
  const url = members.map((member) => member.url).join(',');
  return {
    url,
    rootUrl: url.replaceAll('nats://', `nats://${ROOT}:${encodeURIComponent(password)}@`),
    members,
    version: (await readNatsInfo('127.0.0.1', ports[0]))?.version ?? '',
    stop,
  };
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

/** An event that JetStream acknowledged must survive a power cut. */
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
