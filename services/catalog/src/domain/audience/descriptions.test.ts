import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEGMENTS } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { wordsOf } from './normalise.js';
import { ALIASES } from './phrases.js';
import { resolveAudience } from './segments.js';

/** External data beside the repository, when available. */
const SHARED = join(import.meta.dirname, '..', '..', '..', '..', '..', 'shared', 'data');
const OPEN = join(SHARED, 'audiences', 'open.jsonl');
/** The data is not part of the repository; its tests are skipped where it is missing. */
const whenThere = (file: string) => (existsSync(file) ? it : it.skip);

const idsOf = (text: string) => resolveAudience(text).segments.map(({ id }) => id);

describe('the phrases of the taxonomy', () => {
  it.each(SEGMENTS.map(({ id }) => [id]))('include 15 to 30 distinct phrases for %s', (id) => {
    const phrases = (ALIASES[id] ?? []).map((alias) => wordsOf(alias).join(' '));
    expect(phrases.length).toBeGreaterThanOrEqual(15);
    expect(phrases.length).toBeLessThanOrEqual(30);
    expect(new Set(phrases).size).toBe(phrases.length);
  });

  it.each(SEGMENTS.map(({ id, label }) => [label, id]))('resolve the label %p to its segment alone', (label, id) => {
    expect(idsOf(label)).toEqual([id]);
  });

  it.each([
    ['data scientists', ['data-analytics']],
    ['user researchers at banks', ['product-design']],
    ['retail investors', ['personal-investing']],
    ['game developers', ['gaming']],
    ['interior designers', ['home-diy']],
    ['computer science', ['software-developers']],
    ['founders and investors', ['investors', 'startup-founders']],
    ['Java drinkers who own a burr grinder', []],
    ['people with a python at home', []],
    ['a token of love', []],
    ['nurses on night shifts', []],
    ['firefighters and their families', ['parents']],
    ['mortgage brokers', ['finance-professionals']],
    ['homeschooling', ['education', 'parents']],
    ['climate scientists', ['science', 'sustainability']],
    ['UX researchers', ['product-design']],
    ['equity researchers', ['finance-professionals']],
    ['market researchers', ['marketing']],
    ['triathletes', ['health-fitness', 'sports']],
    ['finance directors', ['finance-professionals']],
    ['personal finance', ['personal-investing']],
    ['gym members with small kids', ['health-fitness', 'parents']],
    ['family-run garages', ['small-business']],
    ['e-commerce teams', ['small-business']],
    ['e-sports clubs', ['gaming']],
    ['dads who stay at home and cook', ['food', 'parents']],
    ['high school science teachers', ['education', 'science']],
    ['carbon accounting', ['sustainability']],
    ['data centers', ['cloud-infrastructure']],
    ['data privacy', ['cybersecurity']],
    ['user researchers recruiting participants', ['product-design']],
    ['influencer marketing', ['marketing']],
    ['food truck crews', ['food']],
    ['angels in Nairobi who read term sheets', ['investors']],
    ['mothers with a car seat', ['parents']],
    ['sales engineers', ['sales']],
    ['national security staff', ['policy-news']],
    ['climate activists', ['sustainability']],
    ['principal engineers', ['software-developers']],
    ['gap year kids', ['travel']],
  ])('resolve %p', (text, ids) => {
    expect(new Set(idsOf(text))).toEqual(new Set(ids));
  });

  whenThere(OPEN)('give what is meant on at least 90% of the labelled descriptions', () => {
    type Row = { text: string; must: string[]; may: string[]; unresolved: boolean };
    const rows = readFileSync(OPEN, 'utf8')
      .trim()
      .split('\n')
      .map((line): Row => JSON.parse(line));
    const wrong = rows.filter(({ text, must, may, unresolved }) => {
      const ids = idsOf(text);
      return (
        unresolved !== (ids.length === 0) ||
        !must.every((id) => ids.includes(id)) ||
        !ids.every((id) => must.includes(id) || may.includes(id))
      );
    });
    expect(wrong.length / rows.length).toBeLessThanOrEqual(0.1);
  });
});
