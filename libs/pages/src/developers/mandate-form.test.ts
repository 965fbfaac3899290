import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formOf } from '../foundation/form.js';
import { checkedMandate, keyBody, keyFields, keyTyped, newKey } from './key-new-model.js';
import { centsOf, endOfDay, mandateBody, typedOf } from './mandate-form.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');

describe('an amount that somebody typed', () => {
  test.each([
    ['5000', 500_000],
    ['5,000.50', 500_050],
    ['$ 5,000.5', 500_050],
    [' 0.01 ', 1],
    ['1,000,000', 100_000_000],
    ['', null],
    ['-5', null],
    ['5.001', null],
    ['5e3', null],
    ['5.000,50', null],
    ['five', null],
    ['1,00', null],
  ])('%j is %j cents', (typed, cents) => {
    expect(centsOf(typed)).toBe(cents);
  });

  test('every amount survives being shown and sent again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (cents) => {
        const mandate = { max_plan_cents: cents, monthly_cap_cents: cents, channels: ['other'], may_approve: false };
        const typed = typedOf({ ...mandate, expires_at: '2027-01-01T23:59:59.000Z' } as never, NOW);
        expect(mandateBody(typed)).toEqual({ body: { ...mandate, expires_at: '2027-01-01T23:59:59.000Z' } });
      }),
    );
  });
});

test('a day ends with its last second, and anything else is left to the operation', () => {
  expect(endOfDay('2027-01-31')).toBe('2027-01-31T23:59:59.000Z');
  expect(endOfDay('soon')).toBe('soon');
});

describe('the mandate of a new key', () => {
  const typed = (over: object, mandate: object = {}) => ({
    ...newKey(NOW),
    with_mandate: true,
    ...over,
    mandate: { ...newKey(NOW).mandate, max_plan: '100', monthly_cap: '1000', ...mandate },
  });

  test('is left out unless it was chosen', () => {
    expect(checkedMandate(typed({ with_mandate: false }, { max_plan: 'x' }), NOW)).toEqual({ body: null });
  });

  test.each([
    ['amounts that are none', {}, { max_plan: 'x', monthly_cap: '' }, ['max_plan', 'monthly_cap']],
    ['a limit of nothing', {}, { max_plan: '0' }, ['max_plan']],
    ['no channel', {}, { channels: [] }, ['channels']],
    ['signing without the scope', {}, { may_approve: true }, ['may_approve']],
    ['a day that has passed', {}, { mandate_expires: '2026-11-21' }, ['mandate_expires']],
    ['a day that is none', {}, { mandate_expires: '' }, ['mandate_expires']],
  ])('%s is a problem at its field, before a key is made', (_name, over, mandate, fields) => {
    const checked = checkedMandate(typed(over, mandate), NOW);
    expect('problems' in checked && checked.problems.map(({ field }) => field)).toEqual(fields);
  });
});

test.each([
  ['ticked', 'name=a&may_delegate=true', true],
  ['left empty', 'name=a', false],
])('the box for child keys, %s, is sent and shown again', (_name, sent, may_delegate) => {
  const typed = keyTyped(formOf(new URLSearchParams(sent)));
  expect(keyBody(typed)).toMatchObject({ name: 'a', may_delegate });
  expect(keyFields(typed, []).delegate.options).toMatchObject([{ value: 'true', checked: may_delegate }]);
});
