import type { mongo } from 'mongoose';
import type { Collection } from './collection.js';
import { isDuplicate } from './store.js';

type Versioned = { _id: string; version: number };

/** Stores another service's aggregate if it is newer, in any order and as often (docs/reliability.md#events; I54). */
export const newerOnly = async <Doc extends Versioned>(
  rows: Collection<Doc>,
  id: Doc['_id'],
  state: Omit<Doc, '_id'>,
): Promise<void> => {
  const older = olderThan<Doc>(id, state.version);
  const change = setting<Doc>(state);
  try {
    await rows.updateOne(older, change, { upsert: true });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    // The document exists: this state is not newer, or another replica inserted its first state in between.
    await rows.updateOne(older, change);
  }
};

/** The same for several aggregates in one statement. */
export const allNewerOnly = async <Doc extends Versioned>(
  rows: Collection<Doc>,
  states: readonly Doc[],
): Promise<void> => {
  if (states.length === 0) return;
  const writes = (upsert: boolean) =>
    states.map(({ _id, ...state }) => ({
      updateOne: { filter: olderThan<Doc>(_id, state.version), update: setting<Doc>(state), upsert },
    }));
  try {
    await rows.bulkWrite(writes(true), { ordered: false });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    await rows.bulkWrite(writes(false), { ordered: false });
  }
};

const olderThan = <Doc extends Versioned>(_id: Doc['_id'], version: number) =>
  ({ _id, version: { $lt: version } }) as mongo.Filter<Doc>;

const setting = <Doc extends Versioned>(state: object) => ({ $set: state }) as unknown as mongo.UpdateFilter<Doc>;
