import { AppError, type Problem } from './error.js';

const PROBLEMS_MAX = 100;
const FIELDS_IN_MESSAGE = 5;

const named = (problems: readonly Problem[]): string => {
  const fields = [...new Set(problems.map((problem) => problem.field))];
  return fields.length > FIELDS_IN_MESSAGE
    ? `${fields.slice(0, FIELDS_IN_MESSAGE).join(', ')} and others`
    : fields.join(', ');
};

/** 400: the shape of the request, with every problem at once (docs/domain/requests.md#order-of-errors, check 9). */
export const badRequest = (problems: readonly Problem[]): AppError =>
  new AppError(
    'bad_request',
    `The request is malformed: ${named(problems)}. Correct what details.problems names, then send it again.`,
    {
      problems: problems.slice(0, PROBLEMS_MAX),
    },
  );

/** 422: wrong values of a well-formed body, all at once (docs/domain/requests.md#order-of-errors, check 10). */
export const unprocessable = (problems: readonly Problem[]): AppError =>
  new AppError(
    'unprocessable',
    `A value is missing or invalid: ${named(problems)}. Correct what details.problems names, then send it again.`,
    {
      problems: problems.slice(0, PROBLEMS_MAX),
    },
  );
