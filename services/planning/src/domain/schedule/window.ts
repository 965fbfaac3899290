import { dateInput, type Problem } from '@cds/contracts';

/** 29 February becomes 28 (docs/domain/plans.md#campaign-input). */
export const sameDayNextYear = (day: string): string => {
  const next = `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`;
  return next.endsWith('-02-29') ? next.replace('-29', '-28') : next;
};

const dayOr = (value: unknown): string | null => dateInput().safeParse(value).data ?? null;

/** The day that rules count from; `sandbox` if it is that of a sandbox's own clock. */
export type Today = { day: string; sandbox: boolean };

export const todayInWords = ({ day, sandbox }: Today): string =>
  `today is ${day} by ${sandbox ? "this sandbox's clock" : 'UTC'}`;

/** Arithmetic with days stays within four digits of a year. */
const LAST_DAY = '9000-12-31';

export const startProblem = (start: string, today: Today): string | null => {
  if (start < today.day) return `must be today or later; ${todayInWords(today)}`;
  return start > LAST_DAY ? `must be ${LAST_DAY} or earlier; ${todayInWords(today)}` : null;
};

/** A value that is not a date is reported elsewhere (docs/domain/plans.md#campaign-input). */
export const windowProblems = (fields: { window_start?: unknown; window_end?: unknown }, today: Today): Problem[] => {
  const start = dayOr(fields.window_start);
  const end = dayOr(fields.window_end);
  const wrong = start === null ? null : startProblem(start, today);
  const outside = start !== null && end !== null && (end < start || end > sameDayNextYear(start));
  return [
    ...(wrong === null ? [] : [{ field: 'window_start', message: wrong }]),
    ...(outside
      ? [{ field: 'window_end', message: 'must be on or after window_start and at most one year after it' }]
      : []),
  ];
};
