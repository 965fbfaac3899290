import { beforeAll, describe, expect, it } from '@jest/globals';
import { citedIn, type TestFile, testFiles } from './citations.js';
import { OPEN } from './open.js';
import { REQUIREMENTS, type Requirement } from './requirements.js';

/** How many served sentences no test cites yet. The number only goes down. */
const OPEN_SENTENCES = 0;

const idsOf = (status: Requirement['status']): string[] =>
  REQUIREMENTS.filter((one) => one.status === status).map((one) => one.id);

/** Every sentence of the specification is proved by a test, known to be open, or assigned to a named issue. */
describe('every sentence of the specification', () => {
  let files: TestFile[] = [];
  let cited: ReadonlySet<string> = new Set();

  beforeAll(async () => {
    files = (await testFiles()).filter((file) => citedIn(file).length > 0);
    cited = new Set(files.flatMap(citedIn));
  });

  it('appears once, under an id made of an area and a name', () => {
    const ids = REQUIREMENTS.map((one) => one.id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z]+\.[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  it('is known when a test cites it', () => {
    const known = new Set(REQUIREMENTS.map((one) => one.id));
    expect([...cited].filter((id) => !known.has(id))).toEqual([]);
  });

  it('is cited when it is claimed', () => {
    expect(idsOf('claimed').filter((id) => !cited.has(id))).toEqual([]);
  });

  it('leaves the open list once a test cites it, and the owed list once it is served', () => {
    expect([...idsOf('open'), ...idsOf('owed')].filter((id) => cited.has(id))).toEqual([]);
  });

  it('matches the recorded number of open sentences', () => {
    expect(new Set(OPEN).size).toBe(OPEN.length);
    expect(OPEN).toHaveLength(OPEN_SENTENCES);
  });

  it('is not proved by a skipped test', () => {
    const skipped = files.filter(({ text }) => /\b(it|test|describe)\.(skip|todo|only)\b|\bx(it|test)\(/.test(text));
    expect(skipped.map((file) => file.path)).toEqual([]);
  });
});
