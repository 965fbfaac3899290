import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ERROR_CODE_NAMES, REASON_GUIDE } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { notAsserted, type Words } from './asserted.js';
import { PRODUCED } from './produced.js';

const root = join(import.meta.dirname, '..', '..', '..');

/** Every code, and every reason as `code/reason`: each has a public page. */
const DOCUMENTED = ERROR_CODE_NAMES.flatMap((code) => [
  code,
  ...Object.keys(REASON_GUIDE[code] ?? {}).map((reason) => `${code}/${reason}`),
]);

/** It comes in the policy of a quote alone, which has no code. */
const OF_A_POLICY = 'mandate_refused/over_budget';

/**
 * What a test of an error compares with: its reason, and its code where it has no reason or where another code has the
 * same. A helper of some suites makes one text of both.
 */
const comparisonsOf = (error: string): Words[] => {
  const [code = '', reason] = error.split('/');
  if (reason === undefined) return [[code]];
  const both = `${code} ${reason}`;
  const alike = DOCUMENTED.filter((one) => one.endsWith(`/${reason}`));
  const isAlone = alike.length === 1 || error === OF_A_POLICY;
  return [[reason, both], ...(isAlone ? [] : [[code, both]])];
};

describe('every documented error', () => {
  it('has a test that produces it, and no other is listed', () => {
    const byName = (one: string, other: string): number => one.localeCompare(other);
    expect(Object.keys(PRODUCED).sort(byName)).toEqual([...DOCUMENTED].sort(byName));
  });

  it.each(Object.entries(PRODUCED))('%s is what that test compares with', async (error, [suite, title, helpers]) => {
    const text = await readFile(join(root, suite), 'utf8');
    for (const words of comparisonsOf(error)) expect(notAsserted(text, title, words, helpers)).toBeNull();
  });
});

describe('what a test compares with', () => {
  const NOTHING = 'the test compares nothing with gone';
  it.each<[what: string, source: string, why: string | null, ...helpers: string[]]>([
    ['a literal in a matcher', "it('t', () => { expect(a).toBe('gone'); });", null],
    [
      'one that is nested in it',
      "it('t', async () => { await expect(a).rejects.toMatchObject({ b: ['gone'] }); });",
      null,
    ],
    [
      'one of another test',
      "it('t', () => { expect(a).toBe(1); }); it('u', () => { expect(a).toBe('gone'); });",
      NOTHING,
    ],
    ['one in a comment', "it('t', () => { /* 'gone' */ expect(a).toBe(1); });", NOTHING],
    ['one that is sent', "it('t', () => { expect(ask('gone')).toBe(1); });", NOTHING],
    ['one that must not come', "it('t', () => { expect(a).not.toBe('gone'); });", NOTHING],
    ['one in a longer text', "it('t', () => { expect(a).toBe('gone by'); });", NOTHING],
    ['a skipped test', "it.skip('t', () => { expect(a).toBe('gone'); });", 'no test has this title'],
    ['two tests of one title', "it('t', () => {}); test('t', () => {});", 'two tests have this title'],
    ['a column that is compared', "it.each([['x', 'gone']])('t', (_a, b) => { expect(a).toBe(b); });", null],
    ['a column that is not', "it.each([['gone', 'x']])('t', (a, b) => { expect(a).toBe(b); });", NOTHING],
    ['a key that is compared', "it.each([{ a: 'x', b: 'gone' }])('t', ({ b }) => { expect(a).toBe(b); });", null],
    ['a key that is not', "it.each([{ a: 'x', b: 'gone' }])('t', ({ a }) => { expect(1).toBe(a); });", NOTHING],
    ['a table by its name', "const T = ['gone'] as const; it.each(T)('t', (b) => { expect(a).toBe(b); });", null],
    ['a property of that name', "it.each(['gone'])('t', (b) => { expect(a).toBe(c.b); });", NOTHING],
    ['a helper that compares', "const h = () => expect(a).toBe('gone'); it('t', () => { h(); });", null, 'h'],
    ['one without its name here', "const h = () => expect(a).toBe('gone'); it('t', () => { h(); });", NOTHING],
    [
      'one that the test leaves out',
      "const h = () => expect(a).toBe('gone'); it('t', () => {});",
      'the test uses no h of its suite',
      'h',
    ],
    ['a helper that takes it', "function h(b) { expect(a).toBe(b); } it('t', () => { h('gone'); });", null, 'h'],
    [
      'one that takes it for else',
      "const h = (b, c) => expect(b).toBe(c); it('t', () => { h('gone', 1); });",
      NOTHING,
      'h',
    ],
    ['a value with it', "const h = { b: 'gone' }; it('t', () => { expect(a).toEqual(h); });", null, 'h'],
    ['a value that is sent', "const h = { b: 'gone' }; it('t', () => { expect(ask(h)).toBe(1); });", NOTHING, 'h'],
  ])('%s', (_what, source, why, ...helpers) => {
    expect(notAsserted(source, 't', ['gone'], helpers)).toBe(why);
  });
});
