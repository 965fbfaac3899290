import {
  CandidatePages,
  Codes,
  creatorsSearch,
  LISTED_FILTER,
  makeRow,
  Network,
  type RowFacts,
} from '@cds/catalog/bench';
import { aCtx } from '@cds/service/testing';
import { MongoClient } from 'mongodb';
import { APP_URL, DAY, loadedNetwork, NOW, type StartUp } from './own-network.js';
import { quantile, runRounds, type VariantReport } from './rounds.js';
import { ENGINES, ROUNDS, SECONDS } from './settings.js';
import { loopVariant } from './variants.js';

/**
 * Catalog's own work on one network: what loading it from the database takes, and then each page without bus, meter and
 * database, with the audience already in memory.
 *
 *   node --expose-gc own-work-process.js <mongodb uri> <database> <creators>
 */
export type Work = { cpu_us: number; p50_ms: number; p99_ms: number };

export type OwnWork = {
  creators: number;
  listed: number;
  start_up: StartUp;
  /** Time to encode all rows, to build the snapshot from them, and to build it again after one change. */
  encode_ms: number;
  build_ms: number;
  one_change_ms: number;
  /** Heap and buffers per listed creator, including its own fields, as a replica holds it. */
  bytes_per_creator: number;
  default_page: Work;
  /** The first page for an audience after one creator's median views changed, so that scores are computed again. */
  first_page: Work;
  /** A filter that was not used before. */
  new_filter: Work;
  /** A search text that was not used before. */
  new_q: Work;
  /** All pages of a plan's candidates, right after the network changed. */
  candidates: { found: number; pages: number; cpu_ms: number };
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

const { facts, startUp, bytes } = await loadedNetwork(uri, database, CREATORS);
const client = await MongoClient.connect(uri);
const rows = client.db(database).collection<RowFacts>('creators');
const compares = CREATORS === COMPARED_AT;
if (compares) await rows.createIndex({ status: 1, active: 1, median_views_30d: -1, _id: 1 });

const timed = <T>(work: () => T): { value: T; ms: number } => {
  const started = performance.now();
  const value = work();
  return { value, ms: performance.now() - started };
};

const encoded = timed(() => facts.map((creator) => makeRow(creator, DAY, APP_URL)));
const dictionaries = { countries: new Codes(), languages: new Codes() };
const built = timed(() => new Network(encoded.value, 1, DAY, dictionaries));
let network = built.value;

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
type Query = Parameters<typeof creatorsSearch>[1];
const page = (query: Query) => creatorsSearch(aCtx({ now: NOW.toISOString() }), query, deps);

const worked = async (times: number, query: (index: number) => Query): Promise<Work> => {
  const latencies: number[] = [];
  const cpu = process.cpuUsage();
  for (let index = 0; index < times; index += 1) {
    const asked = query(index);
    const started = performance.now();
    await page(asked);
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
  const total = async () => JSON.stringify(await Promise.all([rows.countDocuments(LISTED_FILTER), first()]));
  const here = { process: [process.pid], ...ENGINES };
  return runRounds(
    [
      loopVariant('mongodb', IN_FLIGHT, here, async () => JSON.stringify(await first())),
      loopVariant('with total', IN_FLIGHT, here, total),
      // Work that never yields would starve the others.
      loopVariant('memory', IN_FLIGHT, here, async () => {
        await new Promise(setImmediate);
        return page({});
      }),
    ],
    { rounds: Math.min(ROUNDS, 6), seconds: Math.min(SECONDS, 1), progress: () => undefined },
  );
};

await worked(500, () => ({}));
const defaultPage = await worked(3_000, () => ({}));
const newFilter = await worked(200, (index) => ({ followers_min: index + 1 }));
const newText = await worked(100, (index) => ({ q: `ab${index}` }));
const comparison = compares ? await compared() : undefined;
/** Builds the next version of the network, in which one creator has changed. */
const nextVersion = (index: number, change: Partial<RowFacts>): void => {
  const place = (index * 7919) % Math.max(1, network.rows.length);
  const rows = [...network.rows];
  const row = rows[place];
  if (row !== undefined) rows[place] = makeRow({ ...row.creator, ...change }, DAY, APP_URL);
  const former = { network, changed: { places: [place], from: rows.length } };
  network = new Network(rows, network.version + 1, DAY, dictionaries, former);
};
const changes = Array.from({ length: 10 }, (_none, index) => timed(() => nextVersion(index, { followers: index })).ms);
const oneChange = quantile(
  changes.sort((one, other) => one - other),
  0.5,
);
const firstPage = await worked(20, (index) => {
  nextVersion(index, { median_views_30d: 1_000 + index });
  return {};
});

/** A plan's candidates as planning asks for them: page after page until there is none. */
const allCandidates = (): OwnWork['candidates'] => {
  const pages = new CandidatePages({ at: () => network }, APP_URL);
  const about = { segments: AUDIENCE, unresolved: false, audience: null, geography: null };
  const taken = { found: 0, pages: 0, cpu_ms: 0 };
  let after: string | null = null;
  do {
    const cpu = process.cpuUsage();
    const { json } = pages.page(NOW, { ...about, page: after });
    const { user, system } = process.cpuUsage(cpu);
    const answer = JSON.parse(String(json)) as { candidates: unknown[]; next: string | null };
    taken.found += answer.candidates.length;
    taken.pages += 1;
    taken.cpu_ms += Math.round((user + system) / 1_000);
    after = answer.next;
  } while (after !== null);
  return taken;
};
nextVersion(0, { median_views_30d: 999 });
const candidates = allCandidates();

await client.db(database).dropDatabase();
await client.close();
const found: OwnWork = {
  creators: CREATORS,
  listed: facts.length,
  start_up: startUp,
  encode_ms: Math.round(encoded.ms),
  build_ms: Math.round(built.ms),
  one_change_ms: Number(oneChange.toFixed(2)),
  bytes_per_creator: Math.round(bytes / Math.max(1, facts.length)),
  default_page: defaultPage,
  first_page: firstPage,
  new_filter: newFilter,
  new_q: newText,
  candidates,
  ...(comparison === undefined ? {} : { comparison }),
};
process.send?.(found, () => process.exit(0));
