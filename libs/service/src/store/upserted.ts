import { isDuplicate } from './store.js';

/**
 * Runs an upsert, and once more when another first one came in between. The server does so by itself only where the filter
 * is the unique key alone; a workspace beside it is not.
 */
export const upserted = async <T>(statement: () => Promise<T>): Promise<T> => {
  try {
    return await statement();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return statement();
  }
};
