import { describe, expect, it } from '@jest/globals';
import { MEMBERS, PLACES } from './gazetteer.js';
import { insideOf } from './region-members.js';
import { regionsOf } from './regions.js';

describe('the countries of a region', () => {
  it('are known for every group of the gazetteer', () => {
    const countries = new Set(PLACES.filter(({ codes }) => codes[0]?.length === 2 && codes[0] !== 'EU'));
    const groups = PLACES.filter((place) => !countries.has(place)).map(({ shown }) => shown);
    expect(groups.filter((group) => !MEMBERS.has(group))).toEqual([]);
  });

  it.each<[string, string, string | null, boolean | null | undefined]>([
    ['a country is inside itself', 'Germany', 'Germany', true],
    ['another country is outside', 'Germany', 'France', false],
    ['a group holds its countries', 'DACH', 'Germany', true],
    ['a group excludes others', 'Nordics', 'Germany', false],
    ['one of several regions is enough', 'United States and Europe', 'Spain', true],
    ['a missing country is unknown', 'Germany', null, null],
    ['an unrecognised country is unknown', 'Germany', 'Atlantis', null],
    ['nothing is inside or outside the world', 'Worldwide', 'Germany', undefined],
  ])('%s', (_name, geography, country, inside) => {
    expect(insideOf(regionsOf(geography, null))(country)).toBe(inside);
  });
});
