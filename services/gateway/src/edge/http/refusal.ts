import { AppError, type ErrorCode, type Problem } from '@cds/contracts';

/** An error of the edge that also sets headers: a challenge, the methods that a path has. */
export class EdgeRefusal extends AppError {
  constructor(
    code: ErrorCode,
    message: string,
    details: Record<string, unknown> | undefined,
    readonly headers: Record<string, string>,
  ) {
    super(code, message, details);
    this.name = 'EdgeRefusal';
  }
}

/** How many problems one answer names; more would only make it long. */
const TOLD = 100;
/** How many fields the message itself names. */
const NAMED = 5;

const named = (problems: readonly Problem[]): string => {
  const fields = [...new Set(problems.map((problem) => problem.field))];
  return fields.length > NAMED ? `${fields.slice(0, NAMED).join(', ')} and others` : fields.join(', ');
};

/** 400: the request's shape, with every problem at once (domain 4-doors 10, check 9). */
export const badRequest = (problems: readonly Problem[]): AppError =>
  new AppError(
    'bad_request',
    `This request cannot be read as sent: ${named(problems)}. See details.problems and send it corrected.`,
    {
      problems: problems.slice(0, TOLD),
    },
  );

/** 422: values of a readable body, with every problem at once (domain 4-doors 10, check 10). */
export const unprocessable = (problems: readonly Problem[]): AppError =>
  new AppError(
    'unprocessable',
    `A value is missing or cannot be used: ${named(problems)}. See details.problems and send it corrected.`,
    {
      problems: problems.slice(0, TOLD),
    },
  );
