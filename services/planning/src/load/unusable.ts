import { AppError } from '@cds/contracts';

/** A 422 that names each value which cannot be used (spec, "Errors"). */
export const unusable = (problems: readonly { field: string; message: string }[]): AppError =>
  new AppError('unprocessable', 'Some values cannot be used. See details.problems.', { problems });
