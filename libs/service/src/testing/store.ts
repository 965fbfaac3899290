import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { Store } from '../store/store.js';

/**
 * A database of its own on the test run's real mongod; `drop` removes it. Its client emits `commandStarted` for a test that
 * counts commands.
 */
export const testStore = async (name: string): Promise<{ store: Store; drop: () => Promise<void> }> => {
  const uri = process.env['CDS_TEST_MONGODB_URI'];
  if (uri === undefined) throw new Error('CDS_TEST_MONGODB_URI is not set: run the tests by `npm test`');
  const store = await Store.open(
    { uri, db: `t_${name}_${randomUUID().slice(0, 8)}` },
    pino({ level: 'silent' }),
    () => undefined,
  );
  return {
    store,
    drop: async () => {
      await store.db.dropDatabase();
      await store.close();
    },
  };
};
