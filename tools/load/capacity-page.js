import { ASSUMED, needed } from './capacity-model.js';

const KEYS = [1_000, 10_000, 100_000];

/** @param {number} value */
const shown = (value) =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(value >= 10 ? 0 : 1);

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/**
 * `docs/capacity.md`.
 * @param {import('./capacity-model.js').Measured & { measured_on: string, idle_measured_on: string }} measured
 */
export function capacityPage(measured) {
  const names = Object.keys(measured.read.cpu_ms);
  const costs = names.map((name) => [
    name,
    String(measured.idle[name] ?? 0),
    (measured.read.cpu_ms[name] ?? 0).toFixed(2),
    (measured.job.cpu_ms[name] ?? 0).toFixed(0),
    String(Math.max(measured.read.memory_mib[name] ?? 0, measured.job.memory_mib[name] ?? 0)),
  ]);
  /** @param {Record<string, number>} of */
  const total = (of) => Object.values(of).reduce((sum, value) => sum + value, 0);
  const rows = KEYS.map((keys) => needed(keys, measured));
  return `# Capacity

What a core carries, and what more callers need. \`npm run capacity\` makes this page from \`loadtest/capacity.json\`;
\`npm run capacity -- --measure\` measures that again on the machine at hand, and must run alone.

## Measured

CPU and memory of each process, ${measured.measured_on}.
A read is the average of the requests of \`npm run load -- browse\`. A job is the main job of an agent in a sandbox, from
coverage to results. Its clock moves by two days, so it includes the creators' answers and what follows from them.
What a process costs without load was measured on an idle system of one process each, by
\`npm run bench -- --only idle\`, ${measured.idle_measured_on}.

${table(['process', 'idle CPU ms a second', 'CPU ms a read', 'CPU ms a job', 'memory MiB'], [...costs, ['all', String(total(measured.idle)), total(measured.read.cpu_ms).toFixed(2), total(measured.job.cpu_ms).toFixed(0), '']])}

## Needed

Assumed:

- An active key makes ${ASSUMED.readsPerKeyAndDay} reads a day, and runs a job every ${1 / ASSUMED.jobsPerKeyAndDay} days. The busiest hour has ${ASSUMED.peak} times the average load.
- Cores run at ${ASSUMED.used * 100} %. Each service has one process more than its load needs.
- Every process, and every member of database and bus, costs its idle CPU in addition to its load. Idle CPU never adds a
  process. The costs of a read and of a job include a little of it, so that little counts twice.
- Database and bus have ${ASSUMED.members} members each. A secondary costs ${ASSUMED.secondary * 100} % of the primary's CPU.
- A core costs $${ASSUMED.dollarsPerCore} a month, a GiB of memory $${ASSUMED.dollarsPerGib}.

${table(
  [
    'active keys',
    'reads a second',
    'jobs a second',
    'cores',
    'of these, mongod',
    'processes',
    'memory GiB',
    'dollars a month',
  ],
  rows.map((row) => [
    row.keys.toLocaleString('en-US'),
    shown(row.reads),
    shown(row.jobs),
    shown(total(row.cores)),
    shown(row.cores['mongod'] ?? 0),
    String(total(row.processes)),
    shown(row.memory_gib),
    shown(row.dollars),
  ]),
)}

## What comes next

At ${KEYS.at(-1)?.toLocaleString('en-US')} keys, ${rows.at(-1)?.bottleneck} takes the largest share of the cores.

- **mongod**: writes go to one primary. Beyond its cores, shard by workspace: every unique index begins with the
  workspace or has its reason in \`tests/system/shard-keys.test.ts\`, and the transaction of a write is about one
  workspace. Sweeps and consumers that handle many documents at once may span several.
- **catalog**: each replica holds the whole approved network in memory, so replicas multiply memory, not only CPU. Give
  each enough heap for the network before adding more.
- **gateway**: it is stateless; add processes behind the balancer.
- **planning, billing, proposals, metrics**: replicas share queue groups and consumers; add processes.
- **NATS**: it delivers and stores events for 30 days; three members carry far more than the services here ask of it.
`;
}
