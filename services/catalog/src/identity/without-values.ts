import { isDuplicate } from '@cds/service';

/** An error as it may be logged: one about a key that is held already quotes it, and the key may be a handle. */
export const withoutValues = (error: unknown): unknown =>
  isDuplicate(error) ? { type: 'MongoServerError', code: 11_000, message: 'a key is held already' } : error;
