import { MandateInput, SCOPES } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { type MandatedKey, mandateProblems, nextMandate, type StoredMandate } from './mandate.js';

const now = new Date('2026-11-21T12:00:00.000Z');
const input = (over: Partial<MandateInput> = {}): MandateInput => ({
  max_plan_cents: 100,
  monthly_cap_cents: 200,
  channels: ['x_creators'],
  may_approve: true,
  expires_at: '2027-11-21T12:00:00.000Z',
  ...over,
});
const accepted: StoredMandate = {
  version: 4,
  max_plan_cents: 1,
  monthly_cap_cents: 1,
  channels: ['reddit'],
  may_approve: true,
  expires_at: now,
  updated_at: now,
  terms_version: '2026-11-01',
  terms_accepted_at: now,
  terms_accepted_email: 'a@example.com',
};
const key = (over: Partial<MandatedKey> = {}): MandatedKey => ({
  scopes: SCOPES,
  mandate: null,
  mandate_version: 0,
  ...over,
});

describe('the form of a mandate (docs/domain/orders.md#mandate)', () => {
  test.each([
    ['every figure in bounds', input(), true],
    ['the greatest figures', input({ max_plan_cents: 100_000_000, monthly_cap_cents: 1_000_000_000 }), true],
    ['a plan of 0 cents', input({ max_plan_cents: 0 }), false],
    ['a plan above the bound', input({ max_plan_cents: 100_000_001 }), false],
    ['a cap above the bound', input({ monthly_cap_cents: 1_000_000_001 }), false],
    ['half a cent', input({ max_plan_cents: 1.5 }), false],
    ['no channel', input({ channels: [] }), false],
    ['a channel twice', input({ channels: ['reddit', 'reddit'] }), false],
    ['the retired may_exceed_budget', { ...input(), may_exceed_budget: false }, false],
  ])('%s', (_name, sent, ok) => {
    expect(MandateInput.safeParse(sent).success).toBe(ok);
  });
});

describe('the rules of a mandate (docs/domain/orders.md#mandate)', () => {
  test.each([
    ['a year ahead', {}, key(), []],
    ['366 days ahead', { expires_at: '2027-11-22T12:00:00.000Z' }, key(), []],
    ['a moment more', { expires_at: '2027-11-22T12:00:00.001Z' }, key(), ['expires_at']],
    ['at this instant', { expires_at: '2026-11-21T12:00:00.000Z' }, key(), ['expires_at']],
    ['may sign without the scope', {}, key({ scopes: ['campaigns:write'] }), ['may_approve']],
    ['may not sign without the scope', { may_approve: false }, key({ scopes: ['campaigns:write'] }), []],
  ])('%s', (_name, over, of, fields) => {
    expect(mandateProblems(of, input(over), now).map((problem) => problem.field)).toEqual(fields);
  });

  test('the numbering of versions continues after a removal', () => {
    expect(nextMandate(key({ mandate_version: 7 }), input(), now).version).toBe(8);
  });

  test('a changed limit keeps the acceptance', () => {
    expect(nextMandate(key({ mandate: accepted, mandate_version: 4 }), input(), now)).toMatchObject({
      version: 5,
      terms_version: '2026-11-01',
      terms_accepted_email: 'a@example.com',
    });
  });

  test('losing the right to sign clears the acceptance, and it does not come back', () => {
    const muted = nextMandate(key({ mandate: accepted, mandate_version: 4 }), input({ may_approve: false }), now);
    expect(muted).toMatchObject({ terms_version: null, terms_accepted_at: null, terms_accepted_email: null });
    expect(nextMandate(key({ mandate: muted, mandate_version: 5 }), input(), now).terms_version).toBeNull();
  });
});
