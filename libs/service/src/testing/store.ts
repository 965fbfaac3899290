import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { Store } from '../store/store.js';

/** Databases that no test has now, by the service whose collections they have. */
const kept = new Map<string, string[]>();

/**
 * `drop` throws if any command had no time limit. With `service`, that service's earlier database is emptied and used
 * again: emptying takes a tenth of the half second that forty new collections take.
 */
export const testStore = async (name: string, service?: string): Promise<TestStore> => {
  const used = service === undefined ? undefined : kept.get(service)?.pop();
  const { store, close } = await opened(used ?? `t_${name}_${randomUUID().slice(0, 8)}`);
  if (used !== undefined) {
    const names = (await store.db.collectionNames()).filter((one) => !one.startsWith('system.'));
    await Promise.all(names.map((one) => store.db.collection(one).deleteMany({})));
  }
  return {
    store,
    drop: async () => {
      if (service === undefined) await store.db.dropDatabase();
      await close();
      if (service !== undefined) kept.set(service, [...(kept.get(service) ?? []), store.name]);
    },
  };
};

/** Another process's connection to a test's database, which `drop` leaves in place. */
export const sameStore = async (of: Store): Promise<TestStore> => {
  const { store, close } = await opened(of.db.name);
  return { store, drop: close };
};

export type TestStore = { store: Store; drop: () => Promise<void> };

const opened = async (db: string): Promise<{ store: Store; close: () => Promise<void> }> => {
  const uri = process.env['CDS_TEST_MONGODB_URI'];
  if (uri === undefined) throw new Error('CDS_TEST_MONGODB_URI is not set: run the tests with `npm test`');
  const problems: string[] = [];
  const store = await Store.open({ uri, db }, pino({ level: 'silent' }), (problem) => problems.push(problem));
  return {
    store,
    close: async () => {
      await store.close();
      if (problems.length > 0) throw new Error(problems.join('\n'));
    },
  };
};
