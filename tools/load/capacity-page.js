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
A read is the mean of the mix of \`npm run load -- browse\`; a job is the main job of an agent in a sandbox, from
coverage to results, with two days of its clock: the creators' answers and what follows from them are part of it.
What a process costs without load was measured on an idle system of one process each, by
\`npm run bench -- --only idle\`, ${measured.idle_measured_on}.

${table(['process', 'idle CPU ms a second', 'CPU ms a read', 'CPU ms a job', 'memory MiB'], [...costs, ['all', String(total(measured.idle)), total(measured.read.cpu_ms).toFixed(2), total(measured.job.cpu_ms).toFixed(0), '']])}

## Needed

Assumed:

- An active key makes ${ASSUMED.readsPerKeyAndDay} reads a day, and a job every ${1 / ASSUMED.jobsPerKeyAndDay} days. The busiest hour has ${ASSUMED.peak} times the mean.
- A core is used to ${ASSUMED.used * 100} %. Each service has one process more than its load asks for.
- Each process costs its idle CPU in addition to its load, however many there are; so does each member of database and
  bus. It does not ask for further processes. The costs of a read and of a job contain a little of it too, which then
  counts twice.
- Database and bus have ${ASSUMED.members} members each. A secondary costs ${ASSUMED.secondary * 100} % of the primary's CPU.
- A core costs $${ASSUMED.dollarsPerCore} a month, a GiB of memory $${ASSUMED.dollarsPerGib}.

${table(
  [
    'active keys',
    'reads a second',
    'jobs a second',
    'cores',
    'of them mongod',
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

The largest share of the cores at ${KEYS.at(-1)?.toLocaleString('en-US')} keys is that of ${rows.at(-1)?.bottleneck}.

- **mongod**: writes go to one primary. Beyond its cores, shard by workspace: every unique index begins with \`ws\` or has
  its reason in \`tests/system/shard-keys.test.ts\`, and no transaction spans workspaces except those listed there.
- **catalog**: each replica holds the whole approved network in memory, so replicas multiply memory, not only CPU. Give
  each enough heap for the network before adding more.
- **gateway**: it keeps nothing; add processes behind the balancer.
- **planning, billing, proposals, metrics**: replicas share queue groups and consumers; add processes.
- **NATS**: it delivers and stores events for 30 days; three members carry far more than the services here ask of it.
`;
}
