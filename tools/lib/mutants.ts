/** The mutants in `tests/mutants`: seeded bugs (docs/reliability.md#seeded-bugs), one file each. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { REPOSITORY } from './home.ts';
import type { Patch } from './patch.ts';

/** a suite, without its ending, and the start or a part of the full name of the test in it that must fail */
export type Catcher = { suite: string; test: string };
/**
 * `without` is the removed guard. `breaks` are invariants of invariants.yaml; where there is none, `rule` is the place
 * in the documents that says what holds. `built` says that the tests run compiled code, so that the mutant is compiled
 * first. `simulation.seed` is where the simulation begins its search: a schedule shortly before one that sees it
 */
export type Mutant = {
  name: string;
  without: string;
  breaks: readonly string[];
  rule?: string;
  simulation?: { seed: number };
  tests?: readonly Catcher[];
  built?: boolean;
  edits: readonly Patch[];
};

const FOLDER = join(REPOSITORY, 'tests', 'mutants');
const ENDING = '.yaml';

export const mutants = (): Mutant[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(ENDING))
    .sort()
    .map((file) => ({ name: basename(file, ENDING), ...parse(readFileSync(join(FOLDER, file), 'utf8')) }));

export const simulatedMutants = (): (Mutant & { simulation: { seed: number } })[] =>
  mutants().flatMap((one) => (one.simulation ? [{ ...one, simulation: one.simulation }] : []));

/** How many schedules a mutant may survive. The rarest is seen once in 400; any change of the code moves its seed. */
const SURVIVES_MOST = '3000';

/** The arguments with which the simulation looks for a mutant. */
export const searchOf = ({ name, simulation }: Mutant) => [
  ...['--only', 'schedules', '--mutant', name, '--seed', String(simulation?.seed ?? 1)],
  ...['--runs', SURVIVES_MOST, '--most', '1'],
];
