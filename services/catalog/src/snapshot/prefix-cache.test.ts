import { describe, expect, it } from '@jest/globals';
import { PrefixCache } from './prefix-cache.js';
import type { Row } from './rows.js';

const ROW = {} as Row;

/** docs/reliability.md#catalog-memory. */
describe('the prefixes that one version keeps', () => {
  it('are encoded once for all requests that ask for the same fields', () => {
    const cache = new PrefixCache();
    const encoded: number[] = [];
    const encode = (_row: Row, place: number): string => {
      encoded.push(place);
      return `row ${place}`;
    };
    const texts = [1, 2, 1].map((place) => String(cache.forRequest('founders', encode)(ROW, place)));
    expect(texts).toEqual(['row 1', 'row 2', 'row 1']);
    expect(encoded).toEqual([1, 2]);
    expect(cache.requests).toBe(1);
  });

  it('are none of a request whose page has no rows', () => {
    const cache = new PrefixCache();
    for (let asked = 0; asked < 1_000; asked += 1) cache.forRequest(`audience ${asked}`, () => 'unused');
    expect(cache.requests).toBe(0);
  });

  it('start over when there are too many, however many requests they are of', () => {
    const cache = new PrefixCache();
    for (let asked = 0; asked < 20_000; asked += 1) cache.forRequest(`audience ${asked}`, () => 'row')(ROW, 0);
    expect(cache.requests).toBe(20_000);
    cache.forRequest('one more', () => 'row')(ROW, 0);
    expect(cache.requests).toBe(1);
  });
});
