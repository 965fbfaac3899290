/**
 * From measured costs to machines: what a number of active keys needs. Assumptions are named here and on the page that
 * shows them; everything else is measured.
 */

/**
 * CPU milliseconds and memory in MiB, by process; a run's costs divided by its requests or its jobs.
 * @typedef {{ cpu_ms: Record<string, number>, memory_mib: Record<string, number> }} Cost
 * @typedef {{ idle: Record<string, number>, read: Cost, job: Cost }} Measured `idle` is the CPU milliseconds a second
 * of one process without load.
 * @typedef {{
 *   keys: number,
 *   reads: number,
 *   jobs: number,
 *   cores: Record<string, number>,
 *   processes: Record<string, number>,
 *   memory_gib: number,
 *   dollars: number,
 *   bottleneck: string,
 * }} Needed
 */

export const ASSUMED = {
  /** What an active key does in a day. */
  readsPerKeyAndDay: 300,
  jobsPerKeyAndDay: 0.2,
  /** How many times the mean of a day its busiest hour has. */
  peak: 4,
  /** How much of a core is used before another process is started. */
  used: 0.6,
  /** Copies of each process beyond what load asks for, so that one may end. */
  spare: 1,
  /** Members of the database and of the bus, and what a secondary costs of a primary's CPU. */
  members: 3,
  secondary: 0.5,
  /** US dollars a month for a core and for a GiB of memory. */
  dollarsPerCore: 30,
  dollarsPerGib: 4,
};

const DAY_S = 86_400;
const ENGINES = new Set(['mongod', 'nats']);

/**
 * What a number of active keys needs in their busiest hour.
 * @param {number} keys
 * @param {Measured} measured
 * @returns {Needed}
 */
export function needed(keys, { idle, read, job }) {
  const perSecond = (/** @type {number} */ aDay) => (keys * aDay * ASSUMED.peak) / DAY_S;
  const reads = perSecond(ASSUMED.readsPerKeyAndDay);
  const jobs = perSecond(ASSUMED.jobsPerKeyAndDay);
  const loaded = Object.fromEntries(
    Object.entries(read.cpu_ms).map(([name, ms]) => {
      const seconds = (reads * ms + jobs * (job.cpu_ms[name] ?? 0)) / 1_000;
      const members = name === 'mongod' ? 1 + (ASSUMED.members - 1) * ASSUMED.secondary : 1;
      return [name, (seconds * members) / ASSUMED.used];
    }),
  );
  // What a process costs without load does not ask for another process, so this counts by load alone.
  const processes = Object.fromEntries(
    Object.entries(loaded).map(([name, count]) => [
      name,
      ENGINES.has(name) ? ASSUMED.members : name === 'bus-admin' ? 1 : Math.ceil(count) + ASSUMED.spare,
    ]),
  );
  const cores = Object.fromEntries(
    Object.entries(loaded).map(([name, count]) => [
      name,
      count + ((processes[name] ?? 0) * (idle[name] ?? 0)) / 1_000 / ASSUMED.used,
    ]),
  );
  const memory = Object.entries(processes).reduce(
    (sum, [name, count]) => sum + (count * Math.max(read.memory_mib[name] ?? 0, job.memory_mib[name] ?? 0)) / 1024,
    0,
  );
  const all = Object.values(cores).reduce((sum, count) => sum + count, 0);
  const [bottleneck = ''] = Object.entries(cores).sort(([, one], [, two]) => two - one)[0] ?? [];
  return {
    keys,
    reads,
    jobs,
    cores,
    processes,
    memory_gib: memory,
    dollars: all * ASSUMED.dollarsPerCore + memory * ASSUMED.dollarsPerGib,
    bottleneck,
  };
}

/**
 * The cost of one of what a run did.
 * @param {{ costs: Cost }} run
 * @param {number} count
 * @returns {Cost}
 */
export function costOf({ costs }, count) {
  return {
    cpu_ms: Object.fromEntries(Object.entries(costs.cpu_ms).map(([name, ms]) => [name, rounded(ms / count)])),
    memory_mib: costs.memory_mib,
  };
}

/** @param {number} value */
const rounded = (value) => Math.round(value * 100) / 100;
