/** What is mutated, by which suites, and how much of it may survive (docs/reliability.md#generated-bugs). */
import { globSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * `rules` are the files whose code is changed, `suites` those that must notice; a `!` leaves some out. `engine`: one of
 * these needs a mongod. `byName`: the area takes hours and runs only when it is named
 */
export type Area = { name: string; rules: readonly string[]; suites: readonly string[]; engine?: true; byName?: true };

const MOST = 0.05;

/** Folders and files whose survivors are bounded; the others are measured only. */
export const BOUNDS: Readonly<Record<string, number>> = {
  'services/billing/src/domain': MOST,
  'services/catalog/src/domain/creator/bookable.ts': MOST,
  'services/catalog/src/domain/pricing': MOST,
  'services/metrics/src/domain': MOST,
  'services/planning/src/domain/approval': MOST,
  'services/planning/src/domain/edits': MOST,
  'services/planning/src/domain/quote': MOST,
  'services/planning/src/domain/schedule': MOST,
  'services/proposals/src/domain': MOST,
};

/** The rules of contracts; its other files declare operations and shapes. */
const CONTRACT_RULES = [
  'approve-checks',
  'brief',
  'disclosure',
  'error',
  'hidden',
  'input',
  'limits',
  'malformed',
  'mandate-try',
  'names',
  'permissions',
  'problems',
  'refusals',
  'retry-after',
  'roles',
  'scope',
  'text',
];

const ofService = (name: string, over?: Partial<Area>): Area => ({
  name,
  rules: [`services/${name}/src/domain/**/*.ts`],
  suites: [`services/${name}/src/domain/**/*.test.ts`],
  ...over,
});

const BUILDER = 'services/planning/src/domain/builder';

export const AREAS: readonly Area[] = [
  ofService('billing'),
  ofService('catalog', { engine: true }),
  // Each module of the gateway has rules of its own.
  ofService('gateway', {
    rules: ['services/gateway/src/**/domain/**/*.ts'],
    suites: ['services/gateway/src/**/domain/**/*.test.ts'],
  }),
  ofService('metrics'),
  ofService('planning', {
    rules: ['services/planning/src/domain/**/*.ts', `!${BUILDER}/**`],
    // One suite runs compiled code, which contains no mutants.
    suites: [
      'services/planning/src/domain/**/*.test.ts',
      `!${BUILDER}/**`,
      '!services/planning/src/domain/schedule/zones.test.ts',
    ],
  }),
  // Its properties take longer than all tables of planning together.
  { name: 'builder', rules: [`${BUILDER}/*.ts`], suites: [`${BUILDER}/*.test.ts`], byName: true },
  ofService('proposals'),
  { name: 'rules', rules: ['libs/rules/src/*.ts'], suites: ['libs/rules/src/**/*.test.ts'] },
  {
    name: 'contracts',
    rules: CONTRACT_RULES.map((rule) => `libs/contracts/src/${rule}.ts`),
    suites: ['libs/contracts/src/**/*.test.ts'],
  },
];

/** The row of the result that a file counts in: what bounds it, or else its folder. */
export const folderOf = (file: string) =>
  Object.keys(BOUNDS).find((folder) => file === folder || file.startsWith(`${folder}/`)) ?? dirname(file);

export function filesOf(patterns: readonly string[]) {
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const exclude = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  return globSync(wanted, { exclude }).sort();
}
