import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { mutants, verdictOf } from '../../tools/lib/mutants.js';

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

describe('a mutant counts as caught', () => {
  const [mutant] = MUTANTS;
  const judged = (status: string, failure: string, name = 'the ledger keeps its sum') =>
    mutant &&
    verdictOf({ ...mutant, tests: [{ suite: 'x', test: 'keeps its sum' }] }, [{ name, status, message: failure }]);

  it.each([
    ['by an assertion', 'failed', 'Error: expect(received).toBe(expected)', true],
    ['by an assertion in a property', 'failed', 'Property failed after 3 tests\nGot JestAssertionError: expect(', true],
    ['not by a time-out', 'failed', 'Error: thrown: "Exceeded timeout of 30000 ms for a test."', false],
    ['not by a crash', 'failed', 'TypeError: x is not a function', false],
    ['not by a test that passes', 'passed', '', false],
    ['not by a test that did not run', 'pending', '', false],
  ])('%s', (_name, status, failure, caught) => {
    expect(judged(status, failure)).toEqual({ [caught ? 'caught' : 'missed']: expect.any(String) });
  });

  it('not by another test than the one it names', () => {
    expect(judged('failed', 'Error: expect(1).toBe(2)', 'the ledger is listed')).toHaveProperty('missed');
  });
});
