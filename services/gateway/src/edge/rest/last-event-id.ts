import { AppError, type ErrorBody, type Problem } from '@cds/contracts';

const LAST_EVENT_ID = 'Last-Event-ID';

const renamed = ({ field, message }: Problem): Problem => ({
  field: field === 'cursor' ? LAST_EVENT_ID : field,
  message,
});

/** What is wrong with a cursor that came as Last-Event-ID, by the name that the caller sent. */
export const inHeaderWords = <E extends Pick<ErrorBody, 'message' | 'details'>>(error: E): E => {
  const problems = error.details?.['problems'] as readonly Problem[] | undefined;
  if (problems?.some(({ field }) => field === 'cursor') !== true) return error;
  return {
    ...error,
    message: error.message.replace(/\bcursor\b/, LAST_EVENT_ID),
    details: { ...error.details, problems: problems.map(renamed) },
  };
};

export const raisedInHeaderWords = (error: AppError): AppError => {
  const { message, details } = inHeaderWords(error.body());
  return new AppError(error.code, message, details, { cause: error });
};
