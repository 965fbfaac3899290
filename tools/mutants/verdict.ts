/** Whether the tests that a mutant names have caught it. */
import type { Mutant } from '../lib/mutants.ts';
import type { Result } from './reporter.ts';

export type Verdict = { caught: string } | { missed: string };

const ASSERTION = /\bexpect\(|AssertionError/;
const TIMEOUT = /Exceeded timeout of/;

/**
 * A mutant is caught when a test that it names fails by an assertion. A time-out, a crash or a test that it does not
 * name say nothing about the rule.
 */
export function verdictOf({ tests = [] }: Mutant, results: readonly Result[]): Verdict {
  const named = results.filter(
    ({ name, status }) => status !== 'pending' && tests.some(({ test }) => name.includes(test)),
  );
  if (named.length === 0) return { missed: 'none of its tests ran' };
  const failed = named.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return { missed: `passed: ${named.map(({ name }) => name).join('; ')}` };
  const caught = failed.find(({ failures }) => failures.some((text) => ASSERTION.test(text) && !TIMEOUT.test(text)));
  if (caught === undefined) return { missed: `failed without an assertion: ${failed[0].failures[0]?.split('\n')[0]}` };
  return { caught: caught.name };
}

/** The tests of these mutants that are red without any mutant. */
export const red = (mutants: readonly Mutant[], results: readonly Result[]) =>
  mutants.flatMap(({ name, tests = [] }) =>
    results
      .filter(({ status }) => status !== 'pending' && status !== 'passed')
      .filter((one) => tests.some(({ test }) => one.name.includes(test)))
      .map((one) => `${name}: "${one.name}" fails without the mutant: ${one.failures[0]?.split('\n')[0]}`),
  );

/** The mutants that name a test which none of these is. */
export const renamedIn = (mutants: readonly Mutant[], results: readonly Result[]) =>
  mutants.filter(({ tests = [] }) => tests.some(({ test }) => !results.some(({ name }) => name.includes(test))));
