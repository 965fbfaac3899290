import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { Store } from '../store/store.js';

/**
 * A test's own database on the test run's mongod. `drop` removes it, and throws if any command was sent without a time
 * limit, even if its error was caught.
 */
export const testStore = async (name: string): Promise<TestStore> => {
  const { store, close } = await opened(`t_${name}_${randomUUID().slice(0, 8)}`);
  return {
    store,
    drop: async () => {
      await store.db.dropDatabase();
      await close();
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
