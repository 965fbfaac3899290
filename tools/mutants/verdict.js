/** Whether the tests that a mutant names have caught it. */

/**
 * @typedef {import('../lib/mutants.js').Mutant} Mutant
 * @typedef {import('./reporter.js').Result} Result
 * @typedef {{ caught: string } | { missed: string }} Verdict
 */

const ASSERTION = /\bexpect\(|AssertionError/;
const TIMEOUT = /Exceeded timeout of/;

/**
 * A mutant is caught when a test that it names fails by an assertion. A time-out, a crash or a test that it does not
 * name say nothing about the rule.
 * @param {Mutant} mutant
 * @param {readonly Result[]} results
 * @returns {Verdict}
 */
export function verdictOf({ tests = [] }, results) {
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

/**
 * The tests of these mutants that are red without any mutant.
 * @param {readonly Mutant[]} mutants
 * @param {readonly Result[]} results
 */
export const red = (mutants, results) =>
  mutants.flatMap(({ name, tests = [] }) =>
    results
      .filter(({ status }) => status !== 'pending' && status !== 'passed')
      .filter((one) => tests.some(({ test }) => one.name.includes(test)))
      .map((one) => `${name}: "${one.name}" fails without the mutant: ${one.failures[0]?.split('\n')[0]}`),
  );

/**
 * The mutants that name a test which none of these is.
 * @param {readonly Mutant[]} mutants
 * @param {readonly Result[]} results
 */
export const renamedIn = (mutants, results) =>
  mutants.filter(({ tests = [] }) => tests.some(({ test }) => !results.some(({ name }) => name.includes(test))));
