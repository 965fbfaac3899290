/** What is wrong with an installation, decided from facts alone. Nothing here asks the machine; `facts.js` does. */
import { atLeast, parseVersion } from '../lib/command.ts';
import { ENGINE_VERSIONS, numbersOf } from '../lib/engines.ts';

/** `look`: the system runs, but not as it should; `stops`: it does not run, or not for long. */
export type Level = 'well' | 'look' | 'stops' | 'unknown';
export type Finding = { subject: string; level: Level; says: string; mend: readonly string[] };
export type Engine =
  | { version: string; origin: string }
  | { uri: string }
  | { reasons: readonly string[]; fetchable: boolean };
/** A member that awaits its initiation has no `set` yet. `offsetMs`: this machine's clock less the member's. */
export type AnsweringMember = {
  host: string;
  version: string;
  set: string | null;
  awaitsInitiation: boolean;
  role: 'primary' | 'secondary' | 'other';
  offsetMs: number;
};
export type Silent = { host: string; error: string };
export type DatabaseMember = AnsweringMember | Silent;
export type BusServer = { host: string; version: string; jetstream: boolean } | Silent;
export type Check = { name: string; ok: boolean; problem: string | null; mend: string | null };
/**
 * `open`: files with secrets that others may read. `database` and `bus` are null where none is known yet, and a text
 * says why the database was not asked. `system` is null while none runs on this home. Its `checks` may be the status of
 * an answer that is no success, or a text that says why no answer came.
 */
export type Facts = {
  node: string;
  machine: { platform: string; arch: string; avx: boolean | null; memoryBytes: number };
  home: {
    path: string;
    exists: boolean;
    isFolder: boolean;
    isOurs: boolean;
    isWritable: boolean;
    mode: number;
    open: readonly string[];
    freeBytes: number | null;
    hasData: boolean;
  };
  mongod: Engine;
  nats: Engine;
  dependencies: string | null;
  port: { wanted: string; number: number | null; owner: string | null; isOurs: boolean };
  secrets:
    | { state: 'absent' }
    | { state: 'unreadable' }
    | {
        state: 'read';
        keys: readonly { name: string; bytes: number }[];
        repeated: readonly string[];
      };
  database: readonly DatabaseMember[] | string | null;
  bus: readonly BusServer[] | null;
  system: {
    url: string;
    isLaunched: boolean;
    dead: readonly string[];
    checks: readonly Check[] | { status: number } | string;
  } | null;
};

const GB = 1e9;
const NODE_FLOOR = [22, 12, 0];
const TEST_FLOOR = [24, 9, 0];
const { mongod: MONGOD, 'nats-server': NATS } = ENGINE_VERSIONS;
const KEY_BYTES = 32;
/** With less, mongod and nats-server stop writing before long. */
const DISK_STOPS = 0.5 * GB;
const DISK_LOOK = 5 * GB;
/** The whole system with a small network takes 1.5 GB. */
const MEMORY_LOOK = 2 * GB;
const OFFSET_MAX_MS = 1_000;

const of =
  (level: Level) =>
  (subject: string, says: string, mend: readonly string[] = []): Finding => ({ subject, level, says, mend });
const [well, look, stops] = [of('well'), of('look'), of('stops')];

const inGb = (bytes: number) => `${(bytes / GB).toFixed(1)} GB`;

const isOlder = (version: string, floor: readonly number[]) => !atLeast(parseVersion(version) ?? [0, 0, 0], floor);

export const findingsOf = (facts: Facts): Finding[] => [
  node(facts),
  processor(facts),
  memory(facts),
  ...folder(facts),
  disk(facts),
  ...secrets(facts),
  engine('mongod', facts.mongod, MONGODB_URI),
  engine('nats-server', facts.nats, NATS_URL),
  dependencies(facts),
  port(facts),
  ...database(facts),
  ...bus(facts),
  ...system(facts),
];

const MONGODB_URI = [
  `Install MongoDB ${MONGOD.least} or newer, so that mongod is on PATH`,
  'Or choose a program: CDS_MONGOD_BIN=/path/to/mongod npm start',
  'Or use a server that runs: MONGODB_URI="mongodb://user:password@host:27017/?replicaSet=name" npm start',
];
const NATS_URL = [
  `Install nats-server ${NATS.shipped}, so that it is on PATH`,
  'Or choose a program: CDS_NATS_SERVER_BIN=/path/to/nats-server npm start',
  'Or use a server that runs: NATS_URL="nats://user:password@host:4222" npm start',
];

function node({ node: version }: Facts) {
  if (isOlder(version, NODE_FLOOR))
    return look('Node', `${version} is older than ${NODE_FLOOR.join('.')}; npm start downloads Node 24 and uses it`, [
      'Install Node 24 to skip the download',
    ]);
  return well('Node', isOlder(version, TEST_FLOOR) ? `${version}; npm test needs 24.9 and fetches it` : version);
}

function processor({ machine: { avx, arch, platform }, mongod }: Facts) {
  const name = `${platform} ${arch}`;
  if (avx !== false) return well('Processor', avx === null ? name : `${name}, with AVX`);
  if ('uri' in mongod) return well('Processor', `${name}, without AVX, which your own MongoDB does not need here`);
  return stops('Processor', `${name} has no AVX, so MongoDB 5 and newer crash with an illegal instruction`, [
    'On a virtual machine: give it the processor of its host (QEMU and Proxmox: cpu type "host")',
    'Or run MongoDB elsewhere: MONGODB_URI="mongodb://user:password@host:27017/?replicaSet=name" npm start',
  ]);
}

function memory({ machine: { memoryBytes } }: Facts) {
  if (memoryBytes >= MEMORY_LOOK) return well('Memory', inGb(memoryBytes));
  return look('Memory', `${inGb(memoryBytes)} is low: the whole system takes about 1.5 GB`, [
    'Give the machine 4 GB',
    'Or load a smaller network: npm start -- --creators 500',
  ]);
}

function folder({ home: { path, exists, isFolder, isOurs, isWritable, mode, open } }: Facts) {
  if (!isFolder)
    return [
      stops('Home', exists ? `${path} is a file, not a folder` : `${path} would be below a file`, [
        'Use another folder: CDS_HOME=/path npm start',
      ]),
    ];
  if (!exists)
    return isWritable
      ? [well('Home', `${path} will be created by the first start`)]
      : [
          stops('Home', `${path} does not exist and cannot be created`, [
            'Use another folder: CDS_HOME=/path npm start',
            'Or make the folder above it yours',
          ]),
        ];
  if (!isOurs)
    return [
      stops('Home', `${path} belongs to another user`, [
        `sudo chown -R "$USER" ${path}`,
        'Or use another folder: CDS_HOME=/path npm start',
      ]),
    ];
  if (!isWritable) return [stops('Home', `${path} cannot be written`, [`chmod u+rwx ${path}`])];
  const others = mode & 0o077;
  return [
    others === 0
      ? well('Home', path)
      : look('Home', `others may enter ${path} (mode ${mode.toString(8)})`, [`chmod 700 ${path}`]),
    ...(open.length === 0
      ? []
      : [
          look('Secrets', `others may read ${open.join(', ')}`, [
            `chmod 600 ${open.map((name) => `${path}/${name}`).join(' ')}`,
            'If somebody may have read them, rotate what is in them (docs/operating.md#secrets-and-their-rotation)',
          ]),
        ]),
  ];
}

function disk({ home: { freeBytes, path } }: Facts) {
  if (freeBytes === null) return { ...well('Disk', 'this system does not say how much is free'), level: unknown };
  if (freeBytes >= DISK_LOOK) return well('Disk', `${inGb(freeBytes)} free`);
  const says = `${inGb(freeBytes)} free where ${path} is`;
  const mend = ['Make room, or move the home: CDS_HOME=/path npm start', 'Delete old logs: logs/*.log.1 in the home'];
  return freeBytes < DISK_STOPS ? stops('Disk', `${says}: the engines stop writing`, mend) : look('Disk', says, mend);
}

const unknown = 'unknown' as Level;

const RESTORE = [
  'Put back the copy of secrets.json that you keep apart, before the next start',
  'Or start over without this data: npm start -- --fresh',
];

function secrets({ secrets: of, home: { hasData } }: Facts) {
  if (of.state === 'unreadable')
    return [
      look(
        'Keys',
        'secrets.json is not JSON: the next start makes new keys, and what the old ones seal is lost',
        RESTORE,
      ),
    ];
  if (of.state === 'absent')
    return [
      hasData
        ? look('Keys', 'there are data but no secrets.json: what its keys seal cannot be opened', RESTORE)
        : well('Keys', 'are created by the first start'),
    ];
  const weak = of.keys.filter(({ bytes }) => bytes < KEY_BYTES);
  const found: Finding[] = [];
  if (weak.length > 0)
    found.push(
      look('Keys', `shorter than ${KEY_BYTES} bytes: ${weak.map(({ name }) => name).join(', ')}`, [
        'Make new ones with: openssl rand -base64 32',
        'Rotate them as docs/operating.md#secrets-and-their-rotation says',
      ]),
    );
  if (of.repeated.length > 0)
    found.push(
      look('Keys', `the same key serves for several things: ${of.repeated.join(', ')}`, [
        'Give each its own: openssl rand -base64 32',
      ]),
    );
  return found.length > 0 ? found : [well('Keys', `${of.keys.length}, each of ${KEY_BYTES} bytes or more`)];
}

function engine(program: string, found: Engine, mend: readonly string[]) {
  if ('uri' in found) return well(program, `your own, at ${found.uri}`);
  if ('version' in found) return well(program, `${found.version} from ${found.origin}`);
  const why = found.reasons.length > 0 ? ` (${found.reasons.join('; ')})` : '';
  return found.fetchable
    ? look(program, `no usable one here${why}; npm start downloads one`, mend.slice(0, 1))
    : stops(program, `no usable one here, and no way to download one${why}`, mend);
}

function dependencies({ dependencies: missing }: Facts) {
  return missing === null
    ? well('Packages', 'as the lockfile says')
    : look('Packages', `${missing}; npm start installs them`, ['npm ci --ignore-scripts']);
}

function port({ port: { wanted, number, owner, isOurs } }: Facts) {
  if (number === null)
    return stops('Port', `CDS_PORT is "${wanted}", which is no port`, ['Give a number from 0 to 65535: CDS_PORT=8080']);
  if (owner === null) return well('Port', number === 0 ? 'any free one' : `${number} is free`);
  if (isOurs) return well('Port', `${number} is the system's own`);
  return look('Port', `${number} is in use by ${owner}; npm start takes the next free one`, [
    `End that process, or choose another port: CDS_PORT=${number + 1} npm start`,
  ]);
}

const hasAnswered = (one: DatabaseMember): one is AnsweringMember => !('error' in one);

function database({ database: members }: Facts) {
  if (members === null) return [];
  if (typeof members === 'string') return [{ ...well('MongoDB', members), level: unknown }];
  const found: Finding[] = [];
  const answered = members.filter(hasAnswered);
  for (const one of members)
    if ('error' in one)
      found.push(
        (answered.length * 2 > members.length ? look : stops)('MongoDB', `${one.host} does not answer: ${one.error}`, [
          'See whether mongod runs there and whether this machine reaches it',
          'See whether user and password are right: MONGODB_URI="mongodb://user:password@host/…"',
        ]),
      );
  for (const { host, version, set, awaitsInitiation } of answered) {
    if (isOlder(version, numbersOf(MONGOD.least)))
      found.push(
        stops('MongoDB', `${host} runs ${version}, older than ${MONGOD.least}`, [
          'Upgrade it, one major version after the other, with its feature compatibility version each time',
        ]),
      );
    if (set !== null) continue;
    found.push(
      awaitsInitiation
        ? stops('MongoDB', `the replica set of ${host} was never initiated`, ['In mongosh: rs.initiate()'])
        : stops('MongoDB', `${host} is not a replica set, so there are no transactions`, [
            'Start it with --replSet cds (replication.replSetName), and then in mongosh: rs.initiate()',
          ]),
    );
  }
  const member = answered.find(({ set }) => set !== null);
  if (member !== undefined && !answered.some(({ role }) => role === 'primary'))
    found.push(
      stops('MongoDB', `no member of ${member.set} is the primary`, [
        'Bring back the members that are away: more than half must run (rs.status() in mongosh)',
      ]),
    );
  for (const { host, offsetMs } of answered)
    if (Math.abs(offsetMs) > OFFSET_MAX_MS)
      found.push(
        look(
          'Clock',
          `this machine is ${(Math.abs(offsetMs) / 1_000).toFixed(1)} s ${offsetMs > 0 ? 'ahead of' : 'behind'} ${host}`,
          ['Synchronize the clocks of both with the same time servers (chrony or systemd-timesyncd)'],
        ),
      );
  if (found.length > 0) return found;
  const versions = [...new Set(answered.map(({ version }) => version))].join(' and ');
  return [
    well(
      'MongoDB',
      members.length === 1
        ? `${versions}, a replica set of one: without it everything waits`
        : `${versions}, ${members.length} members`,
    ),
  ];
}

function bus({ bus: servers }: Facts) {
  if (servers === null) return [];
  const found: Finding[] = [];
  const answered = servers.flatMap((one) => ('error' in one ? [] : one));
  for (const one of servers) {
    if ('error' in one)
      found.push(
        (answered.length * 2 > servers.length ? look : stops)('NATS', `${one.host} does not answer`, [
          'See whether nats-server runs there and whether this machine reaches it',
        ]),
      );
    else if (isOlder(one.version, numbersOf(NATS.least)))
      found.push(stops('NATS', `${one.host} runs ${one.version}, older than ${NATS.least}`, [`Run ${NATS.shipped}`]));
    else if (!one.jetstream)
      found.push(stops('NATS', `${one.host} runs without JetStream, which carries the events`, ['Start it with -js']));
  }
  const versions = [...new Set(answered.map(({ version }) => version))].join(' and ');
  return found.length > 0 ? found : [well('NATS', `${versions} with JetStream`)];
}

function system({ system: of, home: { path } }: Facts) {
  if (of === null) return [{ ...well('System', `none runs on ${path}`), level: unknown }];
  if (!of.isLaunched)
    return [
      look('System', `${path}/runtime.json is left over from a system that is gone`, [
        'npm start  (cleans up and begins)',
      ]),
    ];
  const found: Finding[] = of.dead.map((name) =>
    stops(name, 'its process has ended', [
      `Read the last lines of logs/${name}.log in ${path}`,
      'End npm start with Ctrl-C, and start again',
    ]),
  );
  if (typeof of.checks === 'string')
    found.push(
      stops('System', `${of.url} does not answer: ${of.checks}`, [
        `Read the last lines of logs/gateway.log in ${path}`,
      ]),
    );
  else if ('status' in of.checks) found.push(refusal(of.url, of.checks.status, path));
  else
    for (const { name, ok, problem, mend } of of.checks)
      if (!ok) found.push(stops(name, problem ?? 'is not well', mend === null ? [] : [mend]));
  return found.length > 0 ? found : [well('System', `runs at ${of.url}, and all its parts answer`)];
}

const refusal = (url: string, status: number, path: string) =>
  status === 503
    ? stops('System', `${url} answers 503: it cannot check a token while its database is away or busy`, [
        'Fix what is reported for MongoDB above, if anything, then run this again',
        `Read the last lines of logs/gateway.log in ${path}`,
      ])
    : stops('System', `${url} answers GET /api/ops/checks with ${status}`, [
        `Read the last lines of logs/gateway.log in ${path}`,
      ]);
