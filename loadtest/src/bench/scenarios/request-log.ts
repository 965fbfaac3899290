import { createSecretKey, randomUUID } from 'node:crypto';
import {
  KeyAdmission,
  Keys,
  keyRow,
  newWorkspace,
  RequestLog,
  RequestLogRows,
  readKey,
  Usage,
} from '@cds/gateway/bench';
import { Store } from '@cds/service';
import { pino } from 'pino';
import { runRounds, type Variant } from '../rounds.js';
import type { Scenario } from '../scenario.js';
import { CONNECTIONS, ENGINES, ROUNDS, SECONDS, say } from '../settings.js';
import { loopVariant } from '../variants.js';

const KEYS = 200;
/** The rows that wait when a slice writes them: about a second's of a busy gateway. */
const WRITTEN_AT_ONCE = 2_000;
const PEPPERS = { 1: createSecretKey(Buffer.alloc(32, 1)) };

/**
 * What the request log costs a request: the statement that admits a key, with and without a row noted and written. A
 * slice with the log ends when its last row is stored.
 */
export const requestLog: Scenario = async ({ stack }) => {
  const log = pino({ level: 'silent' });
  const store = await Store.open({ uri: stack.mongodbUri, db: `${stack.prefix}bench_request_log` }, log);
  try {
    const keys = new Keys(store);
    const [rows, usage] = [new RequestLogRows(store), new Usage(store)];
    const admission = new KeyAdmission(store, keys, PEPPERS);
    await store.migrate();
    const admit = await admitting(keys, admission);
    const lines = new RequestLog(store, rows, usage, log);
    const pids = { gateway: [process.pid], ...ENGINES };

    const without = loopVariant('without', CONNECTIONS, pids, admit);
    let noted = 0;
    const withLog = loopVariant('with', CONNECTIONS, pids, async () => {
      const { key_id, ws, seen_at } = await admit();
      lines.add(exchangeOf(ws, key_id, seen_at), { status: 200, headers: {}, body: '', code: 'ok' });
      noted += 1;
      if (noted % WRITTEN_AT_ONCE === 0) void lines.flush();
    });
    const complete: Variant = {
      name: withLog.name,
      slice: async (seconds) => {
        const slice = await withLog.slice(seconds);
        await lines.flush();
        return slice;
      },
    };
    const found = await runRounds([without, complete], { rounds: ROUNDS, seconds: SECONDS, progress: say });
    return { comparisons: { 'Admitting a key, without and with the request log': found }, gates: [] };
  } finally {
    await store.db.dropDatabase();
    await store.close();
  }
};

/** Admits a request of one of many keys, in turn. */
const admitting = async (keys: Keys, admission: KeyAdmission) => {
  const workspace = newWorkspace(randomUUID(), 'live', 1, 'Bench', new Date());
  const wanted = { name: 'bench', scopes: [], expiresAt: null, createdBy: 'bench', own: false };
  const made = Array.from({ length: KEYS }, () => keyRow(PEPPERS, workspace, wanted, new Date()));
  await keys.rows.insertMany(made.map(({ row }) => row));
  const credentials = made.flatMap(({ text }) => readKey(text) ?? []);
  let turn = 0;
  return async () => {
    turn = (turn + 1) % credentials.length;
    const credential = credentials[turn];
    const key = credential === undefined ? null : await admission.admit(credential, 'read');
    if (key === null) throw new Error('a key of the bench was not admitted');
    return key;
  };
};

/** The part of a request that its row is made of. */
const exchangeOf = (workspace: string, keyId: string, at: Date) =>
  ({
    attemptId: randomUUID(),
    account: { workspace, keyId, transport: 'rest', at },
    operation: 'inventory',
    method: 'GET',
    route: '/api/v1/inventory',
    startedAt: performance.now(),
    requestId: 'req_of_the_bench',
  }) as Parameters<RequestLog['add']>[0];
