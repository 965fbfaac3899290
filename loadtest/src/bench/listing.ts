import { randomUUID } from 'node:crypto';
import { Meters } from '@cds/catalog/bench';
import type { Db } from 'mongodb';
import type { Admitted } from './duties.js';

export const listing = (db: Db, creators: readonly string[]) => {
  const meters = new Meters({ collection: ({ name }) => db.collection(name) as never });
  return async (key: Admitted): Promise<boolean> => {
    const want = {
      attemptId: randomUUID(),
      key: key.key_id,
      kind: 'list',
      creators,
      askId: null,
      asker: null,
    } as const;
    const { refused } = await meters.book(key.ws, want, key.seen_at);
    return refused === null;
  };
};

export const creatorsOn = (page: string | undefined): string[] =>
  (JSON.parse(page ?? '{"creators":[]}') as { creators: { id: string }[] }).creators.map((creator) => creator.id);

export const answersOf = async (db: Db): Promise<Map<string, string>> => {
  const rows = await db.collection<{ _id: string; json: string }>('answers').find().toArray();
  return new Map(rows.map((row) => [row._id, row.json]));
};
