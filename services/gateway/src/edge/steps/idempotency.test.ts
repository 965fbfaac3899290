import { gatewayOperations } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { idempotencyKeyOf } from './idempotency.js';

const required = gatewayOperations.sandbox_clock_advance;
const optional = gatewayOperations.feedback_send;
const read = gatewayOperations.sandbox_clock;

describe('the Idempotency-Key (I07; docs/specification.md#limits)', () => {
  test.each(['abcdefgh', 'x'.repeat(128), 'A1._:-zz'])('is accepted: %s', (key) => {
    expect(idempotencyKeyOf(required, [key], 'Idempotency-Key')).toEqual({ key });
  });

  test.each([
    ['7 characters', ['abcdefg'], '8 to 128'],
    ['129 characters', ['x'.repeat(129)], '8 to 128'],
    ['a space', ['abc defgh'], '8 to 128'],
    ['an empty value', [''], '8 to 128'],
    ['quotes', ['"abcdefgh"'], 'without quotes'],
    ['two headers', ['abcdefgh', 'abcdefgh'], 'once'],
    ['none', [], 'is required'],
  ])('is refused: %s', (_name, sent, words) => {
    expect(idempotencyKeyOf(required, sent, 'Idempotency-Key')).toEqual({
      problem: { field: 'Idempotency-Key', message: expect.stringContaining(words) },
    });
  });

  test('may be left out where it is optional, but not be malformed', () => {
    expect(idempotencyKeyOf(optional, [], 'idempotency_key')).toEqual({ key: null });
    expect(idempotencyKeyOf(optional, ['short'], 'idempotency_key')).toHaveProperty('problem');
  });

  test('is ignored on a read', () => {
    expect(idempotencyKeyOf(read, ['"'], 'Idempotency-Key')).toEqual({ key: null });
  });
});
