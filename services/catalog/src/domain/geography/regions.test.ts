import { describe, expect, it } from '@jest/globals';
import { COUNTRIES_OF_LANGUAGES, PLACES } from './gazetteer.js';
import { regionsOf } from './regions.js';

describe('the regions of a description', () => {
  it.each<[string, string | null, string | null, string[]]>([
    ['names in order of appearance', 'Spain, then germany', null, ['Spain', 'Germany']],
    ['demonyms', 'French and Italian cities', null, ['France', 'Italy']],
    ['codes in capitals', 'US, UK and DE', null, ['United States', 'United Kingdom', 'Germany']],
    ['no codes in small letters', 'us or uk', 'people', ['Worldwide']],
    ['points in a code', 'the U.S. and the U.K.', null, ['United States', 'United Kingdom']],
    ['groups', 'DACH, Nordics and North America', null, ['DACH', 'Nordics', 'North America']],
    [
      'a language and who speaks it',
      'English-speaking countries',
      null,
      ['United States', 'United Kingdom', 'Canada', 'Australia', 'Ireland', 'New Zealand'],
    ],
    ['a language in small letters', 'german speaking markets', null, ['Germany', 'Austria', 'Switzerland']],
    ['speakers', null, 'French speakers in Morocco', ['France', 'Belgium', 'Switzerland', 'Canada', 'Morocco']],
    ['no country in English alone', 'English', 'founders who post in English', ['Worldwide']],
    ['the longer name', 'South Korea and Latin America', null, ['South Korea', 'LATAM']],
    ['a place once', 'USA, the United States, Americans', null, ['United States']],
    ['the European Union', 'EU and Europe', null, ['EU', 'Europe']],
    ['the audience text when geography names none', 'our cities', 'parents in Brazil', ['Brazil']],
    ['the geography alone when it names one', 'Brazil', 'parents in Chile', ['Brazil']],
    ['nothing as worldwide', null, null, ['Worldwide']],
    [
      'no country in professional abbreviations',
      null,
      'IT and HR leaders, AI and ML teams, PR people, VC funds',
      ['Worldwide'],
    ],
    ['those codes in a geography', 'IT, HR', null, ['Italy', 'Croatia']],
    ['no country in everyday words', null, 'nail polish and turkey recipes', ['Worldwide']],
    ['those names with a capital', null, 'Polish cooks in Turkey', ['Poland', 'Turkey']],
  ])('are found in %s', (_name, geography, audience, regions) => {
    expect(regionsOf(geography, audience)).toEqual(regions);
  });

  it('include every place by its own name', () => {
    const missed = PLACES.filter(({ shown }) => regionsOf(shown, null)[0] !== shown).map(({ shown }) => shown);
    expect(missed).toEqual([]);
  });

  it('know every country of a language', () => {
    const named = new Set(PLACES.map(({ shown }) => shown));
    expect([...COUNTRIES_OF_LANGUAGES.values()].flat().filter((country) => !named.has(country))).toEqual([]);
  });

  it('use every code once', () => {
    const codes = PLACES.flatMap(({ codes: own }) => own);
    expect(new Set(codes).size).toBe(codes.length);
  });
});
