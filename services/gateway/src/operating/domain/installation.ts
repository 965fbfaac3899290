import { ENGINE_VERSIONS, SERVICES } from '@cds/contracts';

// The questions of `npm run doctor` (tools/doctor/findings.ts), as far as a running gateway can see.

/** What a gateway reads of its engines and settings; null where an engine did not answer. */
export type InstallationFacts = {
  database: {
    version: string;
    replicaSet: string | null;
    /** The clock of the gateway's machine less that of the primary, as far as it is sure. */
    offsetMs: number;
  } | null;
  bus: { version: string; jetstream: boolean } | null;
  /** The shortest key of each setting that holds keys. */
  keys: readonly { variable: string; bytes: number }[];
  /** By which ways messages leave. A development start shows their links itself. */
  mail: { development: boolean; server: boolean; relay: boolean };
};

export type InstallationCheck = { name: string; problem: string | null; mend: string | null };

const { mongod: DATABASE, 'nats-server': BUS } = ENGINE_VERSIONS;
/** Deadlines between services allow a quarter of a second. */
const OFFSET_MAX_MS = 1_000;
/** The output length of HMAC-SHA-256; a shorter key weakens it (RFC 2104). */
const KEY_BYTES = 32;

const numbersOf = (version: string): number[] => (version.match(/\d+/g) ?? []).slice(0, 3).map(Number);

export const isOlder = (version: string, floor: string): boolean => {
  const [own, other] = [numbersOf(version), numbersOf(floor)];
  const place = other.findIndex((number, at) => (own[at] ?? 0) !== number);
  return place >= 0 && (own[place] ?? 0) < (other[place] ?? 0);
};

const check = (name: string, problem: string | null, mend: string): InstallationCheck => ({
  name,
  problem,
  mend: problem === null ? null : mend,
});

const UNKNOWN = 'it could not be asked';

export const checkInstallation = ({ database, bus, keys, mail }: InstallationFacts): InstallationCheck[] => [
  check(
    'database_version',
    database === null
      ? UNKNOWN
      : isOlder(database.version, DATABASE.production)
        ? `MongoDB ${database.version} is older than ${DATABASE.production}`
        : null,
    database === null
      ? MEND_DATABASE
      : `Upgrade MongoDB to ${DATABASE.shipped}, one major version after the other, with its feature compatibility version each time.`,
  ),
  check(
    'replica_set',
    database === null
      ? UNKNOWN
      : database.replicaSet === null
        ? 'the database is not a replica set, so there are no transactions'
        : null,
    database === null
      ? MEND_DATABASE
      : 'Start mongod with --replSet, initiate the set with rs.initiate(), and name it in CDS_MONGODB_URI (?replicaSet=name).',
  ),
  check(
    'clock',
    database === null
      ? UNKNOWN
      : Math.abs(database.offsetMs) > OFFSET_MAX_MS
        ? `the clock of this machine is ${(Math.abs(database.offsetMs) / 1_000).toFixed(1)} s ${database.offsetMs > 0 ? 'ahead of' : 'behind'} the database's`
        : null,
    database === null
      ? MEND_DATABASE
      : 'Synchronize the clocks of both machines with the same time servers (chrony or systemd-timesyncd).',
  ),
  check(
    'bus_version',
    bus === null
      ? UNKNOWN
      : isOlder(bus.version, BUS.production)
        ? `nats-server ${bus.version} is older than ${BUS.production}`
        : bus.jetstream
          ? null
          : 'nats-server runs without JetStream, which carries the events',
    bus === null || isOlder(bus.version, BUS.production)
      ? `Run nats-server ${BUS.shipped}, and let every process reach it.`
      : 'Start nats-server with JetStream (-js, or jetstream in its configuration).',
  ),
  check(
    'keys',
    weakOf(keys).length === 0 ? null : `${weakOf(keys).join(', ')}: shorter than ${KEY_BYTES} bytes`,
    'Make new ones with `openssl rand -base64 32` and rotate them (docs/operating.md#secrets-and-their-rotation).',
  ),
  check(
    'mail',
    mail.development || mail.server || mail.relay ? null : 'sign-in links and all other messages reach nobody',
    'Set CDS_SMTP_URL, or CDS_MAIL_RELAY_TOKEN for a program that mails them (docs/operating.md#the-mail-relays-token).',
  ),
];

const weakOf = (keys: InstallationFacts['keys']): string[] =>
  keys.filter(({ bytes }) => bytes < KEY_BYTES).map(({ variable }) => variable);

const MEND_DATABASE = 'See whether mongod runs and has a primary (rs.status()), and whether this machine reaches it.';

export const mendOf = (dependency: string): string => {
  if (dependency === 'database') return MEND_DATABASE;
  if (dependency === 'bus') return 'See whether nats-server runs, and whether this machine reaches it and may log in.';
  const known = (SERVICES as readonly string[]).includes(dependency);
  return `See whether ${known ? dependency : 'it'} runs, and read the last lines of its log (docs/runbooks.md#processmissing).`;
};
