import { describe, expect, it } from '@jest/globals';
import { countryAsked } from './countries.js';

const ask = (asked: string) => countryAsked(asked, (name) => name === 'Freedonia');

describe('a country filter (docs/domain/network.md#lists)', () => {
  it.each([
    ['an ISO code', 'DE', 'Germany'],
    ['a code in lower case', 'us', 'United States'],
    ['a code that people write', 'UK', 'United Kingdom'],
    ['a code with full stops', 'U.S.A.', 'United States'],
    ['a former name', 'Turkey', 'Turkey'],
    ['a name with its marks', 'Türkiye', 'Turkey'],
    ['a name without its marks', 'TURKIYE', 'Turkey'],
    ['a name in decomposed letters', 'Tu\u0308rkiye', 'Turkey'],
    ['a name with an article', 'the Netherlands', 'Netherlands'],
    ['a name in its own language', 'Deutschland', 'Germany'],
    ['a code that no list of ours has', 'tg', 'Togo'],
    ['an English name that no list of ours has', 'Central African Republic', 'Central African Republic'],
    ['a name with a sign for and', 'São Tomé & Príncipe', 'São Tomé & Príncipe'],
    ['the same name in words', 'Sao Tome and Principe', 'São Tomé & Príncipe'],
    ['a short name that no list of ours has', 'Palestine', 'Palestinian Territories'],
    ['a short name of a special region', 'Macao', 'Macao SAR China'],
    ['a name written out', 'Saint Lucia', 'St. Lucia'],
    ['a name in the language of most people there', 'schweiz', 'Switzerland'],
    ['a name in another alphabet', '日本', 'Japan'],
    ['an official name', 'Viet Nam', 'Vietnam'],
    ['a name that a creator has', 'Freedonia', 'Freedonia'],
  ])('takes %s', (_name, asked, country) => {
    expect(ask(asked)).toMatchObject({ names: expect.arrayContaining([country]) });
  });

  it.each([
    ['a group', 'DACH', 'must be one country; DACH is a region of 3: Germany, Austria, Switzerland'],
    [
      'a code out of use',
      'DD',
      'names no country that we know; send an English name or an ISO 3166 code of two letters',
    ],
    ['the world', 'Worldwide', 'must be one country; leave it out for all of them'],
    [
      'nothing known',
      'Sylvania',
      'names no country that we know; send an English name or an ISO 3166 code of two letters',
    ],
  ])('says what is wrong with %s', (_name, asked, problem) => {
    expect(ask(asked)).toEqual({ problem });
  });

  it('names every country of a region', () => {
    expect(ask('Africa')).toMatchObject({ problem: expect.stringContaining('Central African Republic') });
    expect(ask('Africa')).toMatchObject({ problem: expect.not.stringMatching(/[:,] [A-Z]{2}(?:,|$)/) });
  });

  it.each(['Europe', 'european', 'EU', 'latam', 'Middle East', 'Nordics'])('lists the countries of %s', (asked) => {
    expect(ask(asked)).toMatchObject({ problem: expect.stringMatching(/is a region of \d+: \w+/) });
  });
});
