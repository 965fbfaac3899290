import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { mutants } from '../../tools/lib/mutants.js';

const root = join(import.meta.dirname, '..', '..');
const MUTANTS = mutants();
const FIELDS = new Set(['name', 'without', 'breaks', 'rule', 'simulation', 'tests', 'built', 'edits']);

const namesWhere = (holds: (one: (typeof MUTANTS)[number]) => boolean): string[] =>
  MUTANTS.filter(holds).map(({ name }) => name);

describe('each mutant (docs/reliability.md#seeded-bugs)', () => {
  it('names a guard, and the invariant or the rule that needs it', () => {
    expect(namesWhere((one) => Object.keys(one).some((field) => !FIELDS.has(field)))).toEqual([]);
    expect(namesWhere(({ without }) => without.trim() === '')).toEqual([]);
    expect(namesWhere(({ breaks, rule }) => breaks.length === 0 && rule === undefined)).toEqual([]);
    expect(namesWhere(({ edits }) => edits.length === 0)).toEqual([]);
    const guards = MUTANTS.map(({ without }) => without);
    expect(guards.filter((guard, at) => guards.indexOf(guard) !== at)).toEqual([]);
  });

  it('names a rule by a heading that exists', () => {
    const rules = MUTANTS.flatMap(({ rule }) => rule ?? []);
    const missing = rules.filter((rule) => {
      const [file = '', anchor = ''] = rule.split('#');
      const headings = readFileSync(join(root, file), 'utf8').match(/^#{2,4} .*$/gm) ?? [];
      return !headings.some((heading) => heading.replace(/^#+ /, '').toLowerCase().replaceAll(' ', '-') === anchor);
    });
    expect(missing).toEqual([]);
  });

  it('names the simulation or tests of suites that exist', () => {
    expect(namesWhere(({ simulation, tests = [] }) => simulation === undefined && tests.length === 0)).toEqual([]);
    const suites = MUTANTS.flatMap(({ tests = [] }) => tests.map(({ suite }) => `${suite}.test.ts`));
    expect(suites.filter((suite) => !existsSync(join(root, suite)))).toEqual([]);
  });
});
