// @night: breaks and moves engines, for a launcher that changes seldom.
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { type Mongod, startMongod } from '../../tools/lib/stack.js';

const environment = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run the tests with npm test.`);
  return value;
};
const home = mkdtempSync(join(environment('CDS_TEST_HOME'), 'launcher-'));
const start = (): Promise<Mongod> => startMongod({ home, binary: environment('CDS_TEST_MONGOD_BIN') });

const withClient = async <T>(uri: string, work: (client: MongoClient) => Promise<T>): Promise<T> => {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5000 });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
};
const countNotes = (uri: string): Promise<number> =>
  withClient(uri, (client) => client.db('kept').collection('notes').countDocuments());

describe('mongod', () => {
  let mongod: Mongod;
  afterAll(async () => {
    await mongod.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('is a replica set that keeps its data when it is killed', async () => {
    mongod = await start();
    expect(mongod.hadData).toBe(false);
    await withClient(mongod.uri, async (client) => {
      const notes = client.db('kept').collection('notes');
      await notes.insertOne({ text: 'a' }, { writeConcern: { w: 'majority', journal: true } });
    });
    await mongod.kill();
    expect(mongod.isAlive()).toBe(false);
    await mongod.restart();
    expect(await countNotes(mongod.uri)).toBe(1);
  });

  it('is not started on data whose root password is gone', async () => {
    await mongod.stop();
    const secrets = join(home, 'secrets.json');
    renameSync(secrets, `${secrets}.kept`);
    await expect(start()).rejects.toThrow('The root password of these data is not in secrets.json.');
    renameSync(`${secrets}.kept`, secrets);
    mongod = await start();
    expect(mongod.hadData).toBe(true);
    expect(await countNotes(mongod.uri)).toBe(1);
  });

  it('moves its data to another port when the old one is taken', async () => {
    const before = mongod.port;
    await mongod.stop();
    const squatter = createServer((socket) => socket.end()).listen(before, '127.0.0.1');
    await once(squatter, 'listening');
    mongod = await start();
    squatter.close();
    expect(mongod.port).not.toBe(before);
    expect(await countNotes(mongod.uri)).toBe(1);
  });
});
