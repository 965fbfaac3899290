import { dateInput, type Problem } from '@cds/contracts';

/** The same day and month next year; 29 February becomes 28 (docs/domain/plans.md#campaign-input). */
export const sameDayNextYear = (day: string): string => {
  const next = `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`;
  return next.endsWith('-02-29') ? next.replace('-29', '-28') : next;
};

const dayOr = (value: unknown): string | null => dateInput().safeParse(value).data ?? null;

/**
 * What is wrong with a campaign's window by today: it starts today or later and ends on or after its start, at most a
 * year later (docs/domain/plans.md#campaign-input). A value that is not a date is reported elsewhere.
 */
export const windowProblems = (fields: { window_start?: unknown; window_end?: unknown }, today: string): Problem[] => {
  const start = dayOr(fields.window_start);
  const end = dayOr(fields.window_end);
  const early = start !== null && start < today;
  const outside = start !== null && end !== null && (end < start || end > sameDayNextYear(start));
  return [
    ...(early ? [{ field: 'window_start', message: 'must be today or later' }] : []),
    ...(outside
      ? [{ field: 'window_end', message: 'must be on or after window_start and at most one year after it' }]
      : []),
  ];
};
