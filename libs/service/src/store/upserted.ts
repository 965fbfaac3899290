import { isDuplicate } from './store.js';

/**
 * Runs an upsert, and once more if another first upsert came in between. The server retries by itself only if the
 * filter is exactly the unique key, without a workspace in addition.
 */
export const upserted = async <T>(statement: () => Promise<T>): Promise<T> => {
  try {
    return await statement();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return statement();
  }
};
