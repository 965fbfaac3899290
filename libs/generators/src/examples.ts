import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A request and the answers to it that the example run got, by status (CONTRIBUTING.md#examples). */
export type RecordedExample = {
  request: { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: Record<string, unknown> };
  answers: Record<string, unknown>;
};

const FOLDER = join(import.meta.dirname, '..', '..', 'contracts', 'examples');
const ERRORS = 'errors.json';

const parsed = <T>(file: string): T => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as T;

export const recordedExamples = (): ReadonlyMap<string, RecordedExample> =>
  new Map(
    readdirSync(FOLDER)
      .filter((file) => file.endsWith('.json') && file !== ERRORS)
      .map((file) => [file.replace('.json', ''), parsed<RecordedExample>(file)]),
  );

/** The recorded errors by code; `undelivered` is the 502 of a price request. */
export const recordedErrors = (): Readonly<Record<string, unknown>> => parsed(ERRORS);

/** Operations without an example, with why. */
export const WITHOUT_EXAMPLE: Readonly<Record<string, string>> = {
  events_stream: 'its answer is a stream, not one JSON value',
};
