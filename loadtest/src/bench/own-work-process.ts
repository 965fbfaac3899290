import { creatorsSearch, LISTED_FILTER, type RowFacts } from '@cds/catalog/bench';
import { aCtx } from '@cds/service/testing';
import { MongoClient } from 'mongodb';
import { loadedNetwork, NOW, type StartUp } from './own-network.js';
import { quantile, runRounds, type VariantReport } from './rounds.js';
import { ENGINES, ROUNDS, SECONDS } from './settings.js';
import { loopVariant } from './variants.js';

/**
 * Catalog's own work on one network: what loading it from the database takes, and then the default page without bus,
 * meter and database, with the audience already in memory.
 *
 *   node --expose-gc own-work-process.js <mongodb uri> <database> <creators>
 */
export type Work = { cpu_us: number; p50_ms: number; p99_ms: number };

export type OwnWork = {
  creators: number;
  listed: number;
  start_up: StartUp;
  /** Heap and buffers per listed creator, including its own fields, as a replica holds it. */
  bytes_per_creator: number;
  default_page: Work;
  /** Compared with MongoDB on the best index; at one size only. */
  comparison?: VariantReport[];
};

const [uri = '', database = '', count = '0'] = process.argv.slice(2);
const CREATORS = Number(count);
const COMPARED_AT = 10_000;
const IN_FLIGHT = 16;
const PAGE = 24;
const AUDIENCE = [
  { id: 'startup-founders', weight: 0.6 },
  { id: 'investors', weight: 0.4 },
];

const { network, startUp, bytes } = await loadedNetwork(uri, database, CREATORS);
const client = await MongoClient.connect(uri);
const rows = client.db(database).collection<RowFacts>('creators');
const compares = CREATORS === COMPARED_AT;
if (compares) await rows.createIndex({ status: 1, active: 1, median_views_30d: -1, _id: 1 });

type Deps = Parameters<typeof creatorsSearch>[2];
// Only what a list of creators uses, without a database: hence the cast.
const deps = {
  memory: { at: () => network, counts: () => ({ ...network.counts, asOf: NOW }) },
  handles: { rowsHolding: () => new Set<number>() },
  enumerationDetector: { note: () => 1 },
  audiences: { of: async () => ({ text: null, segments: AUDIENCE, unresolved: false }) },
  meters: {
    book: async (_workspace: string, want: { creators: readonly string[] }) => ({
      granted: [...want.creators],
      refused: null,
      at: NOW,
    }),
  },
} satisfies Record<keyof Deps, unknown> as unknown as Deps;
const page = () => creatorsSearch(aCtx({ now: NOW.toISOString() }), {}, deps);

const worked = async (times: number): Promise<Work> => {
  const latencies: number[] = [];
  const cpu = process.cpuUsage();
  for (let index = 0; index < times; index += 1) {
    const started = performance.now();
    await page();
    latencies.push(performance.now() - started);
  }
  const { user, system } = process.cpuUsage(cpu);
  const sorted = latencies.sort((one, other) => one - other);
  const ms = (q: number) => Number(quantile(sorted, q).toFixed(3));
  return { cpu_us: Math.round((user + system) / times), p50_ms: ms(0.5), p99_ms: ms(0.99) };
};

const compared = async (): Promise<VariantReport[]> => {
  const first = () =>
    rows
      .find(LISTED_FILTER, { projection: { posts: 0, posts_summary: 0 } })
      .sort({ median_views_30d: -1, _id: 1 })
      .limit(PAGE)
      .toArray();
  const here = { process: [process.pid], ...ENGINES };
  return runRounds(
    [
      loopVariant('mongodb', IN_FLIGHT, here, async () => JSON.stringify(await first())),
      // Work that never yields would starve the others.
      loopVariant('memory', IN_FLIGHT, here, async () => {
        await new Promise(setImmediate);
        return page();
      }),
    ],
    { rounds: Math.min(ROUNDS, 6), seconds: Math.min(SECONDS, 1), progress: () => undefined },
  );
};

await worked(500);
const defaultPage = await worked(3_000);
const comparison = compares ? await compared() : undefined;

await client.db(database).dropDatabase();
await client.close();
const found: OwnWork = {
  creators: CREATORS,
  listed: network.rows.length,
  start_up: startUp,
  bytes_per_creator: Math.round(bytes / Math.max(1, network.rows.length)),
  default_page: defaultPage,
  ...(comparison === undefined ? {} : { comparison }),
};
process.send?.(found, () => process.exit(0));
