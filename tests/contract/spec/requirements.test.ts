import { beforeAll, describe, expect, it } from '@jest/globals';
import { citedIn, type TestFile, testFiles } from './citations.js';
import { SECTIONS } from './requirements.js';

const IDS = SECTIONS.flatMap((section) => Object.values(section).flatMap((sentences) => Object.keys(sentences)));

describe('every sentence of the specification', () => {
  let files: TestFile[] = [];
  let cited: ReadonlySet<string> = new Set();

  beforeAll(async () => {
    files = (await testFiles()).filter((file) => citedIn(file).length > 0);
    cited = new Set(files.flatMap(citedIn));
  });

  it('has one id, made of an area and a name', () => {
    expect(IDS.filter((id, at) => IDS.indexOf(id) !== at)).toEqual([]);
    expect(IDS.filter((id) => !/^[a-z]+\.[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  it('is cited by a test, and no test cites another', () => {
    expect(IDS.filter((id) => !cited.has(id))).toEqual([]);
    expect([...cited].filter((id) => !IDS.includes(id))).toEqual([]);
  });

  it('is not proved by a skipped test', () => {
    const skipped = files.filter(({ text }) => /\b(it|test|describe)\.(skip|todo|only)\b|\bx(it|test)\(/.test(text));
    expect(skipped.map((file) => file.path)).toEqual([]);
  });
});
