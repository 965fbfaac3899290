import { describe, expect, test } from '@jest/globals';
import { readQuery, safeName } from './query.js';

describe('the query of a request (docs/domain/requests.md#every-request)', () => {
  test.each([
    ['', {}],
    ['&&', {}],
    ['a=1&b=', { a: '1', b: '' }],
    ['a', { a: '' }],
    ['q=x+y%20z%2B', { q: 'x y z+' }],
    ['a=b=c', { a: 'b=c' }],
    ['%61=1', { a: '1' }],
  ])('%j reads as %j', (query, values) => {
    expect(readQuery(query)).toEqual({ values: expect.objectContaining(values), problems: [] });
    expect(Object.keys(readQuery(query).values)).toEqual(Object.keys(values));
  });

  test.each([
    ['a=1&a=2', 'a', 'once'],
    ['a=1&a=2&a=3', 'a', 'once'],
    ['a=%zz', 'a', 'percent-encoded'],
    ['%ff=1', 'query', 'percent-encoded'],
  ])('%j is a problem of %s', (query, field, words) => {
    expect(readQuery(query).problems).toEqual([{ field, message: expect.stringContaining(words) }]);
  });

  test('names of built-in properties are ordinary names', () => {
    expect(Object.entries(readQuery('__proto__=1&constructor=2').values)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
  });

  test('an answer repeats neither a key nor a long name', () => {
    expect(safeName('cds_live_abc')).toBe('a key');
    expect(safeName('x'.repeat(500))).toHaveLength(101);
  });
});
