import { randomUUID } from 'node:crypto';
import { meterStatement } from '@cds/catalog/bench';
import type { Db, Document } from 'mongodb';
import type { Admitted } from './duties.js';

type Keyed = Document & { _id: string };

/**
 * The statement of a page of creators after the key's, as the system runs it: the meter counts the creators on the
 * page. Returns whether the meter allowed it.
 */
export const listing = (db: Db, creators: readonly string[]) => {
  const meters = db.collection<Keyed>('meters');
  return async (key: Admitted): Promise<boolean> => {
    const read = { attemptId: randomUUID(), key: key.key_id, kind: 'list', creators } as const;
    const { update, let: values } = meterStatement({ ...read, askId: null, asker: null });
    const meter = await meters.findOneAndUpdate({ _id: key.ws }, update, {
      let: values,
      upsert: true,
      returnDocument: 'after',
      projection: { last: 1, at: 1 },
    });
    return meter?.['last'].refused === null;
  };
};

/** The creators on a captured page. */
export const creatorsOn = (page: string | undefined): string[] =>
  (JSON.parse(page ?? '{"creators":[]}') as { creators: { id: string }[] }).creators.map((creator) => creator.id);
