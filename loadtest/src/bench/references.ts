import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { freePort } from '../../../tools/lib/ports.js';
import type { Stack } from '../../../tools/lib/stack.js';
import type { KeyStatement } from './duties.js';
import { peppersOf } from './fixture.js';
import { say } from './settings.js';

export type Captured = Readonly<Record<'inventory' | 'creators' | 'quote', string | null>>;

export type Reference = { name: string; port: number; pids: Record<string, number[]>; stop: () => void };

const COPIED = [
  ['gateway', 'keys'],
  ['planning', 'plans'],
  ['planning', 'campaigns'],
  ['catalog', 'creators'],
  ['billing', 'authority'],
  ['billing', 'terms'],
] as const;

/**
 * Copies the documents that the system reads, so that a reference works on the same data and uses no other's limits.
 */
export const copyFor = async (stack: Stack, name: string, captured: Captured): Promise<string> => {
  say(`copying documents for ${name}`);
  const client = await MongoClient.connect(stack.mongodbUri);
  const database = `${stack.prefix}bench_${name.replace('-', '_')}`;
  const target = client.db(database);
  // Drop an earlier scenario's copy: windows and meters must start fresh.
  await target.dropDatabase();
  for (const [service, coll] of COPIED)
    await client
      .db(`${stack.prefix}cds_${service}`)
      .collection(coll)
      .aggregate([{ $out: { db: database, coll } }])
      .toArray();
  await target.collection('creators').createIndex({ 'units.unit_id': 1 });
  const rows = Object.entries(captured).flatMap(([_id, json]) => (json === null ? [] : [{ _id, json }]));
  await target.collection<{ _id: string; json: string }>('answers').insertMany(rows);
  await client.close();
  return database;
};

const pepperOf = (stack: Stack): string => peppersOf(stack)['1']?.export().toString('base64') ?? '';

const ready = async (file: string, args: readonly string[]): Promise<ChildProcess> => {
  const child = fork(join(import.meta.dirname, file), args);
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error(`${file} exited before it was ready`)));
  });
  return child;
};

export const startMono = async (stack: Stack, captured: Captured, statement: KeyStatement): Promise<Reference> => {
  const name = statement === 'one' ? 'mono' : 'mono-gather';
  const database = await copyFor(stack, name, captured);
  const port = await freePort();
  const child = await ready('mono.ts', [String(port), stack.mongodbUri, database, pepperOf(stack), statement]);
  return { name, port, pids: { mono: [child.pid ?? 0] }, stop: () => child.kill() };
};

export const startStock = async (stack: Stack, captured: Captured): Promise<Reference> => {
  const database = await copyFor(stack, 'stock', captured);
  const port = await freePort();
  const { username, password, host } = new URL(stack.natsUrl);
  const bus = [`nats://${host}`, decodeURIComponent(username), decodeURIComponent(password)];
  const of = [stack.mongodbUri, database, pepperOf(stack), ...bus];
  const service = await ready('stock.ts', ['', ...of]);
  const gateway = await ready('stock.ts', [String(port), ...of]);
  return {
    name: 'stock',
    port,
    pids: { gateway: [gateway.pid ?? 0], service: [service.pid ?? 0], nats: [stack.nats.pid ?? 0] },
    stop: () => {
      gateway.kill();
      service.kill();
    },
  };
};
