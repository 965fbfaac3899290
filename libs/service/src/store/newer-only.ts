import type { mongo } from 'mongoose';
import type { Collection } from './collection.js';
import { isDuplicate } from './store.js';

type Versioned = { _id: string; version: number };

/**
 * Stores another service's aggregate unless the stored version is the same or newer: one statement that may run again,
 * late or out of order (docs/reliability.md#events; I54).
 */
export const newerOnly = async <Doc extends Versioned>(
  rows: Collection<Doc>,
  id: Doc['_id'],
  state: Omit<Doc, '_id'>,
): Promise<void> => {
  const older = { _id: id, version: { $lt: state.version } } as mongo.Filter<Doc>;
  // The driver cannot type a $set for a document that is still generic.
  const change = { $set: state } as unknown as mongo.UpdateFilter<Doc>;
  try {
    await rows.updateOne(older, change, { upsert: true });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    // The document exists: this state is not newer, or another replica inserted its first state in between.
    await rows.updateOne(older, change);
  }
};
