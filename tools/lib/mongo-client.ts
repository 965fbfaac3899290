/** Connections to a mongod on this machine: opened, and waited for until it serves. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db, MongoClientOptions } from 'mongodb';
import { type Child, howItEnded } from './child.ts';
import { Failure } from './failure.ts';

type Watched = Pick<Child, 'ended' | 'said'>;

const UP_LIMIT_MS = 60_000;
export const FIXES = [
  'Read logs/mongod.log in the home folder: the last lines say why',
  'See that the disk has room and the home folder is yours',
  'npm start -- --fresh  (drops all data of this home)',
];

/** How long a server that runs may take to answer: a busy machine needs seconds. */
const SELECTION_MS = 10_000;
/** How long one try waits for a server that may still be starting. */
const TRY_MS = 2_000;

/** The driver is there only after `npm ci`, so it is loaded when it is first needed. */
export async function mongoClient(uri: string, options: MongoClientOptions = {}) {
  const { MongoClient } = await import('mongodb');
  return new MongoClient(uri, { serverSelectionTimeoutMS: SELECTION_MS, connectTimeoutMS: SELECTION_MS, ...options });
}

export const addressOf = (port: number) => `mongodb://127.0.0.1:${port}/?directConnection=true`;

export async function withAdmin<T>(
  uri: string,
  work: (admin: Db) => Promise<T>,
  options?: MongoClientOptions,
): Promise<T> {
  const client = await mongoClient(uri, options);
  try {
    return await work(client.db('admin'));
  } finally {
    await client.close();
  }
}

/** Uses a new client each time: one whose first connection came too early stays closed for good. */
export async function untilAnswer(address: string, child: Watched) {
  const end = Date.now() + UP_LIMIT_MS;
  for (;;) {
    const how = child.ended();
    if (how) throw new Failure(`mongod exited at once (${howItEnded(how)}).`, FIXES, child.said(6));
    try {
      return await withAdmin(address, (admin) => admin.command({ hello: 1 }), { serverSelectionTimeoutMS: TRY_MS });
    } catch {
      if (Date.now() > end)
        throw new Failure(`mongod did not answer within ${UP_LIMIT_MS / 1000} s.`, FIXES, child.said(6));
      await pause(20);
    }
  }
}
