import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { Store } from '../store/store.js';

/**
 * A database of its own on the test run's real mongod; `drop` removes it, and raises when a command was sent without a
 * time, wherever its failure went.
 */
export const testStore = async (name: string): Promise<{ store: Store; drop: () => Promise<void> }> => {
  const uri = process.env['CDS_TEST_MONGODB_URI'];
  if (uri === undefined) throw new Error('CDS_TEST_MONGODB_URI is not set: run the tests by `npm test`');
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
