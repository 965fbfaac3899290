import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { Store } from '../store/store.js';

/**
 * A test's own database on the test run's mongod. `drop` removes it, and throws if any command was sent without a time
 * limit, even if its error was caught.
 */
export const testStore = async (name: string): Promise<{ store: Store; drop: () => Promise<void> }> => {
  const uri = process.env['CDS_TEST_MONGODB_URI'];
  if (uri === undefined) throw new Error('CDS_TEST_MONGODB_URI is not set: run the tests with `npm test`');
  const problems: string[] = [];
  const db = `t_${name}_${randomUUID().slice(0, 8)}`;
  const store = await Store.open({ uri, db }, pino({ level: 'silent' }), (problem) => problems.push(problem));
  return {
    store,
    drop: async () => {
      await store.db.dropDatabase();
      await store.close();
      if (problems.length > 0) throw new Error(problems.join('\n'));
    },
  };
};
