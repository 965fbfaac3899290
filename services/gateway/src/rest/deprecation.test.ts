import { describe, expect, test } from '@jest/globals';
import { deprecationHeaders } from './deprecation.js';

const operation = { deprecated: { fields: ['items[].brief_id'], sunset: '2026-11-10' } };

describe('Deprecation and Sunset (docs/domain/access.md#every-request, I65)', () => {
  test('are sent with an answer that holds a deprecated field', () => {
    const headers = { Deprecation: '@1778716800', Sunset: 'Tue, 10 Nov 2026 00:00:00 GMT' };
    expect(deprecationHeaders(operation, '{"items":[{"brief_id":"x"}]}')).toEqual(headers);
    expect(deprecationHeaders(operation, new TextEncoder().encode('{"items":[{"brief_id":"x"}]}'))).toEqual(headers);
  });

  test.each([
    ['an answer without the field', operation, '{"items":[]}'],
    ['an operation without deprecated fields', {}, '{"brief_id":1}'],
  ])('are not sent with %s', (_name, declared, body) => {
    expect(deprecationHeaders(declared, body)).toEqual({});
  });
});
