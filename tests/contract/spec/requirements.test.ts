import { beforeAll, describe, expect, it } from '@jest/globals';
import { citedIn, type TestFile, testFiles } from './citations.js';
import { OPEN } from './open.js';
import { REQUIREMENTS, type Requirement } from './requirements.js';

/** How many served sentences no test cites yet. It only goes down, and by nobody's accident. */
const OPEN_SENTENCES = 0;

const idsOf = (status: Requirement['status']): string[] =>
  REQUIREMENTS.filter((one) => one.status === status).map((one) => one.id);

/** The gate over tests/contract/spec: what the specification states is proved, known to be open, or owed by a named issue. */
describe('every sentence of the specification', () => {
  let files: TestFile[] = [];
  let cited: ReadonlySet<string> = new Set();

  beforeAll(async () => {
    files = (await testFiles()).filter((file) => citedIn(file).length > 0);
    cited = new Set(files.flatMap(citedIn));
  });

  it('stands once, under an id of an area and a name', () => {
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

  it('leaves the open list once a test cites it, and the owed ones once they are served', () => {
    expect([...idsOf('open'), ...idsOf('owed')].filter((id) => cited.has(id))).toEqual([]);
  });

  it('is open for exactly as many as written down', () => {
    expect(new Set(OPEN).size).toBe(OPEN.length);
    expect(OPEN).toHaveLength(OPEN_SENTENCES);
  });

  it('is not proved by a test that is skipped', () => {
    const skipped = files.filter(({ text }) => /\b(it|test|describe)\.(skip|todo|only)\b|\bx(it|test)\(/.test(text));
    expect(skipped.map((file) => file.path)).toEqual([]);
  });
});
