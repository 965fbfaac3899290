import { describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { sharedStack } from '../support/stack.js';
import { BOUNDS } from './bounds.js';

/** The collections that a running system has in all its databases, and whether the database forgets their rows. */
const collections = async (): Promise<{ expiring: string[]; lasting: string[] }> => {
  const { mongodbUri, prefix } = await sharedStack();
  const client = await MongoClient.connect(mongodbUri);
  try {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    const expiring: string[] = [];
    const lasting: string[] = [];
    for (const { name } of databases.filter((one) => one.name.startsWith(prefix))) {
      const db = client.db(name);
      for (const collection of await db.collections()) {
        const indexes = await collection.indexes();
        const expires = indexes.some(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
        const full = `${name.slice(prefix.length)}.${collection.collectionName}`;
        (expires ? expiring : lasting).push(full);
      }
    }
    return { expiring, lasting };
  } finally {
    await client.close();
  }
};

describe('collections', () => {
  it('lose their rows in time, or have a bound that is written down', async () => {
    const { expiring, lasting } = await collections();
    const bounded = (full: string): boolean => full in BOUNDS || (full.split('.')[1] ?? '') in BOUNDS;
    expect(lasting.filter((full) => !bounded(full))).toEqual([]);
    const all = [...expiring, ...lasting];
    const named = Object.keys(BOUNDS).filter((name) => !all.some((full) => full === name || full.endsWith(`.${name}`)));
    expect(named).toEqual([]);
  }, 150_000);
});
