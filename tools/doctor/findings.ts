/** What is wrong with an installation, decided from facts alone. */

/** `look`: the system runs, but not as it should; `stops`: it does not run, or not for long. */
export type Level = 'well' | 'look' | 'stops' | 'unknown';
export type Finding = { subject: string; level: Level; says: string; help: readonly string[] };
/**
 * `open`: files with secrets that others may read. `system` is null while none runs on this home. Its `checks` may be
 * the status of an answer that is no success, or a text that says why no answer came.
 */
export type Facts = {
  memoryBytes: number;
  home: {
    path: string;
    exists: boolean;
    isFolder: boolean;
    isOurs: boolean;
    isWritable: boolean;
    mode: number;
    open: readonly string[];
    freeBytes: number;
    hasData: boolean;
    secrets: 'absent' | 'unreadable' | 'read';
  };
  system: {
    url: string;
    isLaunched: boolean;
    dead: readonly string[];
    checks: readonly { name: string; ok: boolean; problem: string | null; mend: string | null }[] | number | string;
  } | null;
};

const GB = 1e9;
/** With less, mongod and nats-server stop writing before long. */
const DISK_STOPS = 0.5 * GB;
const DISK_LOOK = 5 * GB;
/** The whole system with a small network takes 1.5 GB. */
const MEMORY_LOOK = 2 * GB;
const ELSEWHERE = 'Use another folder: CDS_HOME=/path npm start';

const of =
  (level: Level) =>
  (subject: string, says: string, ...help: readonly string[]): Finding => ({ subject, level, says, help });
const [well, look, stops, unknown] = [of('well'), of('look'), of('stops'), of('unknown')];

const inGb = (bytes: number) => `${(bytes / GB).toFixed(1)} GB`;

export const findingsOf = (facts: Facts): Finding[] => [
  memory(facts),
  folder(facts),
  ...privacy(facts),
  disk(facts),
  keys(facts),
  ...system(facts),
];

const memory = ({ memoryBytes }: Facts) =>
  memoryBytes >= MEMORY_LOOK
    ? well('Memory', inGb(memoryBytes))
    : look(
        'Memory',
        `${inGb(memoryBytes)} is low: the whole system takes about 1.5 GB`,
        'Give the machine 4 GB',
        'Or load a smaller network: npm start -- --creators 500',
      );

function folder({ home: { path, exists, isFolder, isOurs, isWritable, mode } }: Facts) {
  if (!isFolder)
    return stops('Home', exists ? `${path} is a file, not a folder` : `${path} would be below a file`, ELSEWHERE);
  if (!exists && isWritable) return well('Home', `${path} will be created by the first start`);
  if (!exists)
    return stops('Home', `${path} does not exist and cannot be created`, ELSEWHERE, 'Or own the folder above it');
  if (!isOurs) return stops('Home', `${path} belongs to another user`, `sudo chown -R "$USER" ${path}`, ELSEWHERE);
  if (!isWritable) return stops('Home', `${path} cannot be written`, `chmod u+rwx ${path}`);
  if ((mode & 0o077) === 0) return well('Home', path);
  return look('Home', `others may enter ${path} (mode ${mode.toString(8)})`, `chmod 700 ${path}`);
}

const privacy = ({ home: { open, path } }: Facts) =>
  open.length === 0
    ? []
    : [
        look(
          'Secrets',
          `others may read ${open.join(', ')}`,
          `chmod 600 ${open.map((name) => `${path}/${name}`).join(' ')}`,
          'If somebody may have read them, rotate what is in them (docs/operating.md#secrets-and-their-rotation)',
        ),
      ];

function disk({ home: { freeBytes, path } }: Facts) {
  if (freeBytes >= DISK_LOOK) return well('Disk', `${inGb(freeBytes)} free`);
  const says = `${inGb(freeBytes)} free where ${path} is`;
  const help = ['Make room, or move the home: CDS_HOME=/path npm start', 'Delete old logs: logs/*.log.1 in the home'];
  return freeBytes < DISK_STOPS
    ? stops('Disk', `${says}: the engines stop writing`, ...help)
    : look('Disk', says, ...help);
}

function keys({ home: { secrets, hasData } }: Facts) {
  if (secrets === 'read') return well('Keys', 'are in secrets.json');
  if (secrets === 'absent' && !hasData) return well('Keys', 'are created by the first start');
  return look(
    'Keys',
    secrets === 'absent' ? 'there are data but no secrets.json' : 'secrets.json is not JSON',
    'Put back the copy of secrets.json that you keep apart, before the next start',
    'Or start over without this data: npm start -- --fresh',
  );
}

function system({ system: of, home: { path } }: Facts) {
  if (of === null) return [unknown('System', `none runs on ${path}`)];
  if (!of.isLaunched)
    return [
      look(
        'System',
        `${path}/runtime.json is left over from a system that is gone`,
        'npm start  (cleans up and begins)',
      ),
    ];
  const log = `Read the last lines of logs/gateway.log in ${path}`;
  const found = of.dead.map((name) =>
    stops(
      name,
      'its process has ended',
      `Read the last lines of logs/${name}.log in ${path}`,
      'End npm start with Ctrl-C, and start again',
    ),
  );
  if (typeof of.checks === 'string') found.push(stops('System', `${of.url} does not answer: ${of.checks}`, log));
  else if (of.checks === 503)
    found.push(stops('System', `${of.url} answers 503: its database is away or busy, so it knows no token`, log));
  else if (typeof of.checks === 'number')
    found.push(stops('System', `${of.url} answers GET /api/ops/checks with ${of.checks}`, log));
  else
    for (const { name, ok, problem, mend } of of.checks)
      if (!ok) found.push(stops(name, problem ?? 'is not well', ...(mend === null ? [log] : [mend])));
  return found.length > 0 ? found : [well('System', `runs at ${of.url}, and all its parts answer`)];
}
