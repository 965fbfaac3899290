import { describe, expect, test } from '@jest/globals';
import { deprecationOf } from './deprecation.js';

const operation = { deprecated: ['items[].brief_id'] };

describe('Deprecation and Sunset (docs/domain/requests.md#every-request, I65)', () => {
  test('are said of an answer that holds a deprecated field', () => {
    const said = {
      deprecation: '@1778716800',
      sunset: 'Tue, 10 Nov 2026 00:00:00 GMT',
      fields: ['items[].brief_id'],
    };
    expect(deprecationOf(operation, '{"items":[{"brief_id":"x"}]}', {})).toEqual(said);
    expect(deprecationOf(operation, new TextEncoder().encode('{"items":[{"brief_id":"x"}]}'), {})).toEqual(said);
  });

  test.each([
    ['an answer without the field', operation, '{"items":[]}'],
    ['an operation without deprecated fields', {}, '{"brief_id":1}'],
  ])('are not said of %s', (_name, declared, body) => {
    expect(deprecationOf(declared, body, {})).toBeNull();
  });
});
