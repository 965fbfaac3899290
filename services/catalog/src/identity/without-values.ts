import { isDuplicate } from '@cds/service';

/** An error as it may be logged: one about a key that is held already quotes it, and the key may be a handle. */
export const withoutValues = (error: unknown): unknown =>
  isDuplicate(error) ? new Error('a key that must be unique is held already (11000)') : error;
