import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import type { Test } from '../test/reporter.ts';
import { REPOSITORY } from './home.ts';

export type Patch = { file: string; from: string; to: string };
/**
 * `without` is the removed guard. `breaks` are invariants of invariants.yaml; where there is none, `rule` is the place
 * in the documents that says what holds. `tests` are suites, without their ending, and a part of the full name of the
 * test that must fail. `built` says that the tests run compiled code. The simulation begins its search shortly before a
 * schedule that sees the mutant.
 */
export type Mutant = {
  name: string;
  without: string;
  breaks: readonly string[];
  rule?: string;
  simulation?: { seed: number };
  tests?: readonly { suite: string; test: string }[];
  built?: boolean;
  edits: readonly Patch[];
};
export type Verdict = { caught: string } | { missed: string };

const FOLDER = join(REPOSITORY, 'tests', 'mutants');

export const mutants = (): Mutant[] =>
  readdirSync(FOLDER)
    .sort()
    .map((file) => ({ name: basename(file, '.yaml'), ...parse(readFileSync(join(FOLDER, file), 'utf8')) }));

export const simulatedMutants = () => mutants().filter(({ simulation }) => simulation !== undefined);

/** The text of a file with its patch. Throws unless `from` is in it exactly once and the patch changes it. */
export function patched(text: string, { file, from, to }: Patch) {
  const found = text.split(from).length - 1;
  if (found !== 1) throw new Error(`a patch of ${file} fits ${found} times, not once: ${from}`);
  if (from === to) throw new Error(`a patch of ${file} changes nothing: ${from}`);
  return text.replace(from, () => to);
}

/** How many schedules a mutant may survive. The rarest is seen once in 400; any change of the code moves its seed. */
const SURVIVES_MOST = '3000';

export const searchOf = ({ name, simulation }: Mutant) => [
  ...['--only', 'schedules', '--mutant', name, '--seed', String(simulation?.seed ?? 1)],
  ...['--runs', SURVIVES_MOST, '--most', '1'],
];

/** Only a test that is named and fails by an assertion catches a mutant: a time-out or a crash says nothing. */
export function verdictOf({ tests = [] }: Mutant, results: readonly Test[]): Verdict {
  const named = results.filter(
    ({ name, status }) => status !== 'pending' && tests.some(({ test }) => name.includes(test)),
  );
  if (named.length === 0) return { missed: 'none of its tests ran' };
  const failed = named.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return { missed: `passed: ${named.map(({ name }) => name).join('; ')}` };
  const caught = failed.find(
    ({ message }) => /\bexpect\(|AssertionError/.test(message) && !/Exceeded timeout of/.test(message),
  );
  if (caught === undefined) return { missed: `failed without an assertion: ${failed[0].message.split('\n')[0]}` };
  return { caught: caught.name };
}
