import { describe, expect, it } from '@jest/globals';
import { wordsIn } from '../../tools/check/words.js';

const found = (text: string, path = 'services/billing/src/a.ts'): string[] =>
  wordsIn(path, text).map((one) => `${one.path}:${one.line}: ${one.message}`);

describe('the check of words', () => {
  it('names the place, the word and what to write instead', () => {
    expect(found('// The lease.\n// Left to the completer.')).toEqual([
      'services/billing/src/a.ts:2: "completer": write "recovery worker"',
    ]);
  });

  it.each([
    ['a text', "'They were told.'", 'told'],
    ['an identifier in camel case', 'const publicDoors = 1;', 'Doors'],
    ['an identifier in capitals', 'const REST_DOOR = 1;', 'DOOR'],
    ['two words as one identifier', 'new LaunchTeller()', 'LaunchTeller'],
    ['two words as one constant', 'const PATIENCE_MS = 5;', 'PATIENCE_MS'],
    ['two words in a path', "from './launch-teller.js'", 'launch-teller'],
  ])('finds a word in %s', (_where, text, word) => {
    expect(found(text)).toEqual([expect.stringContaining(`"${word}": write`)]);
  });

  it('finds a word in the name of a file', () => {
    expect(found('', 'services/billing/src/kit.ts')).toEqual([
      'services/billing/src/kit.ts:1: "kit" in the name of the file: write "dependencies"',
    ]);
  });

  it.each([
    ['longer words', 'outdoor stories, kitchens and untold lucky editionsX'],
    ['one half of a pair', 'the last one to launch'],
    ['a file that quotes them', 'told', 'CHANGELOG.md'],
  ])('leaves %s alone', (_what, text, path = 'services/billing/src/a.ts') => {
    expect(found(text, path)).toEqual([]);
  });
});
