/** One nats-server with JetStream: loopback, a user per service with allow-lists, and a root user for people. */
import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { howItEnded, launch } from './child.js';
import { Failure } from './failure.js';
import { openHome, writePrivate } from './home.js';
import { keep } from './keeper.js';
import { portOr } from './ports.js';
import { openSecrets } from './secrets.js';

/**
 * @typedef {{ publish: readonly string[], subscribe: readonly string[] }} Permissions
 * @typedef {{ user: string, password: string, permissions?: Permissions }} NatsUser
 * @typedef {{ version: string, jetstream?: boolean }} NatsInfo
 * @typedef {import('./keeper.js').Keeper & { url: string, rootUrl: string, port: number, version: string }} Nats
 */

const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;
const UP_LIMIT_MS = 20_000;
const STOP_GRACE_MS = 10_000;

/**
 * Starts nats-server. Subjects that a user's permissions do not list are refused.
 * @param {{
 *   home: string | import('./home.js').Home,
 *   binary: string,
 *   users?: readonly NatsUser[],
 *   port?: number,
 *   supervise?: boolean,
 *   onDied?: import('./keeper.js').OnDied,
 *   onChange?: () => void,
 * }} options
 * @returns {Promise<Nats>}
 */
export async function startNats({
  home: place,
  binary,
  users = [],
  port: wanted,
  supervise = false,
  onDied,
  onChange,
}) {
  const home = typeof place === 'string' ? openHome(place) : place;
  const secrets = openSecrets(home);
  const port = wanted ?? (await portOr(home.readState().nats_port));
  const file = `${home.folder('nats')}/nats.conf`;
  const root = { user: 'root', password: secrets.values.nats_root_password };
  writeConfig({ binary, file, port, store: home.folder('nats'), users: [root, ...users] });

  let version = '';
  const nats = keep({
    name: 'nats',
    spawn: () =>
      launch({
        home,
        name: 'nats',
        command: binary,
        args: ['-c', file],
        env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TZ: 'UTC', GOGC: '400' },
      }),
    whenUp: async (child) => {
      version = (await untilReady(child, port)).version;
    },
    supervise,
    graceMs: STOP_GRACE_MS,
    onDied,
    onChange,
  });
  try {
    await nats.start();
  } catch (error) {
    await nats.stop();
    throw error;
  }
  home.writeState({ nats_port: port });
  const url = `nats://127.0.0.1:${port}`;
  const rootUrl = `nats://root:${encodeURIComponent(root.password)}@127.0.0.1:${port}`;
  return Object.assign(nats, { url, rootUrl, port, version });
}

/**
 * The configuration of a server, without its addresses.
 * @param {{ store: string, users: readonly NatsUser[], jetstream?: object }} options
 */
export const natsConfig = ({ store, users, jetstream = {} }) => ({
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

/** @param {{ binary: string, file: string, port: number, store: string, users: readonly NatsUser[] }} options */
function writeConfig({ binary, file, port, store, users }) {
  /** @param {object} jetstream */
  const config = (jetstream) => ({
    server_name: 'cds0',
    host: '127.0.0.1',
    port,
    ...natsConfig({ store, users, jetstream }),
  });
  writePrivate(file, JSON.stringify(config(DURABLE), null, 2));
  const check = spawnSync(binary, ['-t', '-c', file], { encoding: 'utf8' });
  if (check.status === 0) return;
  writePrivate(file, JSON.stringify(config({}), null, 2));
}

/**
 * @param {import('./child.js').Child} child
 * @param {number} port
 * @returns {Promise<NatsInfo>}
 */
async function untilReady(child, port) {
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

/**
 * What a server reports in its first line, before any login; undefined when none answers.
 * @param {string} host
 * @param {number} port
 * @returns {Promise<NatsInfo | undefined>}
 */
export function readNatsInfo(host, port, limitMs = 2000) {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    let text = '';
    /** @param {NatsInfo | undefined} value */
    const done = (value) => {
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
