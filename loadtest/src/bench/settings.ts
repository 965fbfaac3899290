import { parseArgs } from 'node:util';

// A process of its own for a scenario has its arguments before these.
const { values } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, only: { type: 'string' } },
});

/** `--quick` only proves that everything works; `--only a,b` runs some of the scenarios. */
const quick = values.quick === true;
export const ONLY = values.only?.split(',');

/** How long and how often each variant is measured (docs/performance.md#method). */
export const ROUNDS = quick ? 3 : 10;
export const SECONDS = quick ? 1 : 2;
export const CONNECTIONS = 64;
export const SIGNERS = 16;

/** Brands, of which every other has plans to sign and the rest one to read; and workspaces with one read-only key. */
export const BRANDS = quick ? 20 : 84;
export const READERS = 1_500;

export const NETWORKS = quick ? [2_000, 10_000] : [2_000, 10_000, 100_000, 300_000];

export const CAMPAIGNS = quick ? { small: 10, big: 100 } : { small: 10, big: 1_000 };

export const ROWS = quick ? 100_000 : 1_000_000;

export const SAMPLES = quick ? 40 : 200;

export const DEADLINES = quick ? 500 : 10_000;

/** How long an idle system is observed, and how often; the least counts. */
export const IDLE_SECONDS = quick ? 3 : 10;
export const IDLE_WINDOWS = quick ? 1 : 12;

export const isWanted = (scenario: string): boolean => ONLY === undefined || ONLY.includes(scenario);

export const say = (text: string): void => {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K  ${text}` : `  ${text}\n`);
};

/** The database server that every variant shares. */
export const ENGINES = { mongod: [Number(process.env['CDS_BENCH_MONGOD_PID'])] };
