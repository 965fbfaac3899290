import { createHash } from 'node:crypto';
import type { Collection, Store } from '@cds/service';
import type { mongodbAdapter } from 'better-auth/adapters/mongodb';
import type { People } from './store/people.js';
import { IDLE_MS, LIFE_MS, type Sessions } from './store/sessions.js';
import { LINK_MS, type SignInLinks } from './store/sign-in-links.js';

export type AuthCollections = { people: People; sessions: Sessions; links: SignInLinks };

/** What a session's cookie is found by: the database never holds the token itself. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');

type Database = Parameters<typeof mongodbAdapter>[0];

type Row = Record<string, unknown>;

/** The database as better-auth uses it: bounded, session tokens hashed, every time from the database's clock. */
export const authDatabase = (store: Store, { people, sessions, links }: AuthCollections): Database => {
  // better-auth's rows and filters have no type of ours: the casts give them to collections that do.
  const byName: Record<string, unknown> = {
    [people.name]: guarded(people.rows, {}),
    [sessions.name]: guarded(sessions.rows, {
      insertOne: async (row: Row) => sessions.rows.insertOne((await storedSession(store, row)) as never),
    }),
    [links.name]: guarded(links.rows, {
      insertOne: async (row: Row) => {
        const now = await store.now();
        const times = { created_at: now, updated_at: now, expires_at: new Date(now.getTime() + LINK_MS) };
        return links.rows.insertOne({ ...row, ...times } as never);
      },
      // Deletes a link that is still valid, and only then returns it: of many who try at once, one gets it.
      findOneAndDelete: async (filter: Row, options: Row) =>
        links.rows.findOneAndDelete({ ...filter, $expr: { $gt: ['$expires_at', '$$NOW'] } } as never, options as never),
    }),
  };
  const collection = (name: string): unknown => {
    const found = byName[name];
    if (found === undefined) throw new Error(`sign-in has no collection ${name}`);
    return found;
  };
  // The adapter asks for the driver's whole database and uses only its collections.
  return { collection } as unknown as Database;
};

const storedSession = async (store: Store, { _id, person_id, ...row }: Row): Promise<Row> => {
  const now = await store.now();
  return {
    _id,
    person_id,
    token: tokenHash(String(row['token'])),
    created_at: now,
    updated_at: now,
    expires_at: new Date(now.getTime() + IDLE_MS),
    ends_at: new Date(now.getTime() + LIFE_MS),
  };
};

const guarded = <T extends { _id: string }>(rows: Collection<T>, replaced: Row): unknown =>
  new Proxy(rows, {
    get: (target, name) => {
      if (name === 'createIndex') return async () => '';
      if (typeof name === 'string' && Object.hasOwn(replaced, name)) return replaced[name];
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
