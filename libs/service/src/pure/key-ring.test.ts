import { describe, expect, it } from '@jest/globals';
import { keyOfVersion, keysInOrder, ringProblem, versionInUse } from './key-ring.js';

describe('a ring of keys', () => {
  it.each<[string, Record<string, string>, string, string[]]>([
    ['one key', { 1: 'a' }, '1', ['1']],
    ['the highest of several', { 1: 'a', 10: 'b', 9: 'c' }, '10', ['10', '9', '1']],
    ['the highest in use before one that is not', { 1: 'a', '2-next': 'b' }, '1', ['1', '2']],
  ])('uses %s', (_what, keys, used, order) => {
    expect(versionInUse(keys)).toBe(used);
    expect(keysInOrder(keys).map(([version]) => version)).toEqual(order);
  });

  it('opens with every key, in use or not', () => {
    const keys = { 1: 'a', '2-next': 'b' };
    expect([keyOfVersion(keys, '1'), keyOfVersion(keys, '2'), keyOfVersion(keys, '3')]).toEqual(['a', 'b', undefined]);
  });

  it.each<[string[], RegExp | null]>([
    [['1', '2', '3-next'], null],
    [['1'], null],
    [[], /no version is in use/],
    [['1-next'], /no version is in use/],
    [['0'], /versions are 1, 2/],
    [['01'], /versions are 1, 2/],
    [['1', 'two'], /versions are 1, 2/],
    [['1', '2-soon'], /versions are 1, 2/],
    [['1', '2', '2-next'], /a version is there twice/],
  ])('named %j has the problem %s', (names, problem) => {
    if (problem === null) expect(ringProblem(names)).toBeNull();
    else expect(ringProblem(names)).toMatch(problem);
  });
});
