/** What grows while a system is under load: memory, open files, rows of collections and messages of streams. */
import { readdirSync } from 'node:fs';
import { mongoClient } from '../lib/mongo-client.js';
import { memoryMib } from './costs.js';

/** @typedef {Record<string, number>} Sample What was counted at one time, by its name. */
/** @typedef {{ name: string, from: number, to: number, per_hour: number }} Growth */
/** @typedef {{ mongodbUri: string, prefix: string, natsUrl: string }} Places */

const SAMPLES = 30;
const HOUR_MS = 3_600_000;
/** The first part of a run fills heaps, caches and new collections; growth is what goes on after it. */
const SETTLING = 1 / 3;

/**
 * The growth of each count an hour, the fastest relative to its size first: the slope of a line through the samples
 * that came after the system settled.
 * @param {readonly { atMs: number, sample: Sample }[]} samples
 * @returns {Growth[]}
 */
export function growthOf(samples) {
  const settled = samples.slice(Math.floor(samples.length * SETTLING));
  const names = new Set(settled.flatMap(({ sample }) => Object.keys(sample)));
  return [...names]
    .map((name) => {
      const points = settled.map(({ atMs, sample }) => ({ at: atMs / HOUR_MS, value: sample[name] ?? 0 }));
      const to = points[points.length - 1].value;
      return { name, from: points[0].value, to, per_hour: Math.round(slopeOf(points)) };
    })
    .sort((one, other) => other.per_hour / (other.from + 1) - one.per_hour / (one.from + 1));
}

/** @param {readonly { at: number, value: number }[]} points */
function slopeOf(points) {
  const meanOf = (/** @type {(point: { at: number, value: number }) => number} */ of) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const at = meanOf((point) => point.at);
  const value = meanOf((point) => point.value);
  const spread = meanOf((point) => (point.at - at) ** 2);
  return spread === 0 ? 0 : meanOf((point) => (point.at - at) * (point.value - value)) / spread;
}

/**
 * Counts now and then until it is ended; the end answers the growth. Linux only.
 * @param {import('./costs.js').Processes} processes
 * @param {Places} places
 * @param {number} seconds
 */
export function watchGrowth(processes, places, seconds) {
  /** @type {{ atMs: number, sample: Sample }[]} */
  const samples = [];
  let last = Promise.resolve();
  const look = () => {
    last = last.then(async () => {
      samples.push({ atMs: performance.now(), sample: await count(processes, places) });
    });
  };
  look();
  const timer = setInterval(look, (seconds * 1_000) / SAMPLES);
  return async () => {
    clearInterval(timer);
    await last;
    return growthOf(samples);
  };
}

/**
 * @param {import('./costs.js').Processes} processes
 * @param {Places} places
 * @returns {Promise<Sample>}
 */
async function count(processes, places) {
  /** @type {Sample} */
  const sample = {};
  for (const [name, pids] of Object.entries(processes))
    for (const pid of pids) {
      sample[`${name} MiB`] = (sample[`${name} MiB`] ?? 0) + Math.round(memoryMib(pid));
      sample[`${name} open files`] = (sample[`${name} open files`] ?? 0) + readdirSync(`/proc/${pid}/fd`).length;
    }
  return { ...sample, ...(await rows(places)), ...(await messages(places)) };
}

/** @param {Places} places */
async function rows({ mongodbUri, prefix }) {
  /** @type {Sample} */
  const sample = {};
  const client = await mongoClient(mongodbUri);
  try {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    for (const { name } of databases.filter((one) => one.name.startsWith(prefix)))
      for (const collection of await client.db(name).collections())
        sample[`${name.slice(prefix.length)}.${collection.collectionName} rows`] =
          await collection.estimatedDocumentCount();
  } finally {
    await client.close();
  }
  return sample;
}

/** @param {Places} places */
async function messages({ natsUrl }) {
  const [{ connect }, { jetstreamManager }] = await Promise.all([
    import('@nats-io/transport-node'),
    import('@nats-io/jetstream'),
  ]);
  const { host, username, password } = new URL(natsUrl.replace('nats:', 'http:'));
  const bus = await connect({ servers: host, user: username, pass: decodeURIComponent(password) });
  try {
    const streams = await (await jetstreamManager(bus)).streams.list().next();
    return Object.fromEntries(streams.map(({ config, state }) => [`${config.name} messages`, state.messages]));
  } finally {
    await bus.close();
  }
}
