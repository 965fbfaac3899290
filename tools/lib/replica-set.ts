/** Several mongod processes as one replica set, each of which can be frozen, killed and restarted. */
import { rmSync } from 'node:fs';
import type { Db } from 'mongodb';
import { launch } from './child.ts';
import { Failure } from './failure.ts';
import { type Home, openHome } from './home.ts';
import { type Keeper, keep, type Supervision } from './keeper.ts';
import { type Link, startLink } from './link.ts';
import { addressOf, mongoClient, pause, type Root, untilAnswer, untilPrimary, withClient } from './mongo-client.ts';
import { replicaSetConfig, SERVER_OPTIONS, writeKeyFile } from './mongod.ts';
import { REPLICA_SET, STOP_GRACE_MS } from './mongod-repair.ts';
import { keptPorts } from './ports.ts';
import type { Say } from './progress.ts';
import { openSecrets } from './secrets.ts';

/** `port` is the one that the others know, that of the link if there is one. */
export type Member = Keeper & { port: number; link: Link | undefined };
export type ReplicaSet = Awaited<ReturnType<typeof startReplicaSet>>;

const FOUND_LIMIT_MS = 30_000;
const MOVED = [
  'Stop the process that listens there',
  'npm run cluster -- --fresh  (drops all data of this home)',
  'CDS_HOME=/another/folder npm run cluster',
];

/**
 * Starts the members; `uri` is that of the root user. Data of an earlier start are taken up again, on the same ports.
 * With `linked`, services and the other members reach each member over a link that can be cut.
 */
export async function startReplicaSet({
  home: place,
  binary,
  members: count = 3,
  linked = false,
  say = () => {},
  ...supervision
}: Supervision & { home: string | Home; binary: string; members?: number; linked?: boolean; say?: Say }) {
  const home = typeof place === 'string' ? openHome(place) : place;
  const secrets = openSecrets(home);
  const keyFile = home.at('mongod.key');
  writeKeyFile(keyFile, secrets.values.mongodb_key_file);
  const known = home.readState().member_ports;
  const ports = await keptPorts(known, count);
  if (known?.some((port, index) => port !== ports[index]))
    throw new Failure(`A port of the replica set is taken: ${known.join(', ')}.`, MOVED);
  // Half a set, from a start that was interrupted, holds nothing.
  if (!known) for (const index of ports.keys()) rmSync(home.at(`mongo-${index}`), { recursive: true, force: true });

  const links = linked ? await Promise.all(ports.map(startLink)) : [];
  const members = ports.map((port, index) =>
    Object.assign(
      keep({
        name: `mongod-${index}`,
        spawn: () =>
          launch({
            home,
            name: `mongod-${index}`,
            command: binary,
            args: [
              ...SERVER_OPTIONS,
              ...['--dbpath', home.folder(`mongo-${index}`), '--port', String(port), '--bind_ip', '127.0.0.1'],
              ...['--replSet', REPLICA_SET, '--keyFile', keyFile, '--oplogSize', '256'],
            ],
            env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TZ: 'UTC' },
          }),
        whenUp: (child) => untilAnswer(addressOf(port), child, say),
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

  const root = { username: 'root', password: secrets.values.mongodb_root_password };
  const knownPorts = members.map(({ port }) => port);
  const hosts = knownPorts.map((port) => `127.0.0.1:${port}`).join(',');
  const uri = `mongodb://root:${encodeURIComponent(root.password)}@${hosts}/?replicaSet=${REPLICA_SET}&authSource=admin`;
  try {
    await Promise.all(members.map((member) => member.start()));
    if (!known) {
      await initiate(knownPorts, root, members[0]);
      await preferNobody(uri);
      home.writeState({ member_ports: ports });
    }
    await withUri(uri, (admin) => admin.command({ ping: 1 }, { readPreference: 'primary' }));
  } catch (error) {
    await stop();
    throw error;
  }

  const primary = async () => {
    const end = Date.now() + FOUND_LIMIT_MS;
    for (;;) {
      const hello = await withUri(uri, (admin) => admin.command({ hello: 1 })).catch((error) => {
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
    await withUri(uri, (admin) => admin.command({ replSetStepDown: 25, secondaryCatchUpPeriodSecs: 20 }));
    await withClient(former.port, root, (member) => member.db('admin').command({ replSetFreeze: 0 }));
  };
  return { uri, hadData: known !== undefined, members, primary, stepDown, stop };
}

async function withUri<T>(uri: string, work: (admin: Db) => Promise<T>): Promise<T> {
  const client = await mongoClient(uri, { serverSelectionTimeoutMS: FOUND_LIMIT_MS });
  try {
    return await work(client.db('admin'));
  } finally {
    await client.close();
  }
}

/** Creates the set and its root user, through the exception that MongoDB grants while it has no user. */
const initiate = (ports: readonly number[], root: Root, first: Member) =>
  withClient(ports[0], undefined, async (client) => {
    await client.db('admin').command({ replSetInitiate: replicaSetConfig(...ports) });
    await untilPrimary(client, { ended: () => first.lastEnd(), said: (lines) => first.said(lines) });
    await client.db('admin').command({ createUser: root.username, pwd: root.password, roles: ['root'] });
  });

/** One priority for all members: a preferred one would take over when it is back, and writes would wait twice. */
const preferNobody = (uri: string) =>
  withUri(uri, async (admin) => {
    const { config } = await admin.command({ replSetGetConfig: 1 });
    for (const member of config.members) member.priority = 1;
    config.version += 1;
    await admin.command({ replSetReconfig: config });
  });
