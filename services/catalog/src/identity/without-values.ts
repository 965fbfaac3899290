import { isDuplicate } from '@cds/service';

/** An error that is safe to log: a duplicate-key error quotes the key, which may be a handle. */
export const withoutValues = (error: unknown): unknown =>
  isDuplicate(error) ? new Error('duplicate value of a unique key (11000)') : error;
