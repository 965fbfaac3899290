import { randomUUID } from 'node:crypto';
import {
  avatarsAt,
  Creators,
  generateCreator,
  HandleLeakFilter,
  IDENTITIES,
  KnownHandles,
  NetworkMemory,
  NetworkState,
  rowFilter,
  takeCreator,
} from '@cds/catalog/bench';
import { Store } from '@cds/service';
import { type Db, type Document, MongoClient } from 'mongodb';
import { pino } from 'pino';
import { CpuMeter } from './processes.js';
import { ENGINES } from './settings.js';

type Spent = { ms: number; cpu_ms: number; mongod_cpu_ms: number };

/** What a replica of catalog needs until it can answer: it reads every handle, then every listed creator. */
export type StartUp = { handles: Spent; creators: Spent };

export const APP_URL = 'https://app.example.com';
export const NOW = new Date('2026-11-21T12:00:00.000Z');
export const DAY = NOW.toISOString().slice(0, 10);

const SOURCE = { asOf: NOW, recordedAt: NOW, viewsSource: 'network', setBy: 'bench' } as const;
const INSERTED_AT_ONCE = 500;
const log = pino({ level: 'silent' });

/** Stores the generated network in a database of its own and loads it as a replica does; says what that took. */
export const loadedNetwork = async (
  uri: string,
  database: string,
  creators: number,
): Promise<{ network: ReturnType<NetworkMemory['at']>; startUp: StartUp; bytes: number }> => {
  const store = await Store.open({ uri, db: database }, log);
  try {
    const stored = { creators: new Creators(store), state: new NetworkState(store) };
    store.collection(IDENTITIES);
    await store.migrate();
    const version = await stored.state.next();
    await storeNetwork(uri, database, creators, version);

    const handles = new KnownHandles(store);
    const filter = rowFilter(handles, new HandleLeakFilter(handles, log, avatarsAt(APP_URL)));
    const memory = new NetworkMemory(stored.creators, stored.state, filter, APP_URL);
    const known = await spent(() => handles.follow(version));
    const before = await usedMemory();
    const loaded = await spent(() => memory.follow(DAY));
    const bytes = (await usedMemory()) - before;
    return { network: memory.at(NOW), startUp: { handles: known, creators: loaded }, bytes };
  } finally {
    await store.close();
  }
};

const storeNetwork = async (uri: string, database: string, creators: number, version: number): Promise<void> => {
  const client = await MongoClient.connect(uri);
  const db = client.db(database);
  for (let from = 0; from < creators; from += INSERTED_AT_ONCE) {
    const taken = Array.from({ length: Math.min(INSERTED_AT_ONCE, creators - from) }, (_none, at) =>
      takeCreator(generateCreator(1, from + at, NOW), null, SOURCE, randomUUID),
    );
    await insert(
      db,
      'creators',
      version,
      taken.map(({ creator }) => creator),
    );
    await insert(
      db,
      IDENTITIES.name,
      version,
      taken.map(({ identity }) => identity),
    );
  }
  await client.close();
};

const insert = async (db: Db, name: string, version: number, rows: readonly Document[]): Promise<void> => {
  await db.collection(name).insertMany(rows.map((row) => ({ ...row, network_version: version })));
};

const spent = async (work: () => Promise<void>): Promise<Spent> => {
  const meter = new CpuMeter({ process: [process.pid], ...ENGINES });
  meter.start();
  const started = performance.now();
  await work();
  const ms = performance.now() - started;
  const { process: own = 0, mongod = 0 } = meter.stop();
  return { ms: Math.round(ms), cpu_ms: Math.round(own / 1_000), mongod_cpu_ms: Math.round(mongod / 1_000) };
};

/** Used memory. Buffers are freed one turn after their owners were collected, hence several turns. */
const usedMemory = async (): Promise<number> => {
  for (let turn = 0; turn < 3; turn += 1) {
    (globalThis as { gc?: () => void }).gc?.();
    await new Promise(setImmediate);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
