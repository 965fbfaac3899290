import { describe, expect, it } from '@jest/globals';
import { countryNames } from './countries.js';

describe('a country filter (docs/domain/network.md#lists)', () => {
  it.each([
    ['an ISO code', 'DE', 'Germany'],
    ['a code in lower case', 'us', 'United States'],
    ['a code that people write', 'UK', 'United Kingdom'],
    ['a name, as it is', 'Freedonia', 'Freedonia'],
    ['a group, as it is', 'EU', 'EU'],
  ])('takes %s', (_name, asked, country) => {
    expect(countryNames(asked)).toContain(country);
  });
});
