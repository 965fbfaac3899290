import { isDuplicate } from './store.js';

/** Repeats an upsert that met another: the server does so only where the filter is exactly the unique key. */
export const upserted = async <T>(statement: () => Promise<T>): Promise<T> => {
  try {
    return await statement();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return statement();
  }
};
