import type { MongoClient } from 'mongodb';
import type { SharedStack } from '../support/stack.js';

export const collectionsOf = async (client: MongoClient, { prefix }: SharedStack) => {
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  const own = databases.filter(({ name }) => name.startsWith(prefix));
  const found = await Promise.all(own.map(({ name }) => client.db(name).collections()));
  return found.flat().map((rows) => ({ rows, name: `${rows.dbName.slice(prefix.length)}.${rows.collectionName}` }));
};
