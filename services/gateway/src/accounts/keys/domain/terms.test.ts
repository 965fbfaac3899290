import { describe, expect, test } from '@jest/globals';
import type { StoredMandate } from './mandate.js';
import { acceptTerms } from './terms.js';

const now = new Date('2026-11-21T12:00:00.000Z');
const mandate: StoredMandate = {
  version: 1,
  max_plan_cents: 1,
  monthly_cap_cents: 1,
  channels: ['x_creators'],
  may_approve: true,
  expires_at: now,
  updated_at: new Date(0),
  terms_version: null,
  terms_accepted_at: null,
  terms_accepted_email: null,
};
const by = { version: '2026-11-01', email: 'owner@example.com' };

describe('accepting the brand terms for a key (docs/domain/orders.md#brand-terms)', () => {
  test('makes a new version of the mandate', () => {
    expect(acceptTerms(mandate, 1, by, '2026-11-01', now)).toEqual({
      mandate: {
        ...mandate,
        version: 2,
        updated_at: now,
        terms_version: '2026-11-01',
        terms_accepted_at: now,
        terms_accepted_email: 'owner@example.com',
      },
    });
  });

  test.each([
    ['another version is current', mandate, '2027-01-01', 'terms_superseded'],
    ['nothing is published', mandate, null, 'terms_superseded'],
    ['there is no mandate', null, '2026-11-01', 'approval_not_allowed'],
    ['the key may not sign', { ...mandate, may_approve: false }, '2026-11-01', 'approval_not_allowed'],
  ])('is refused when %s', (_name, of, current, refusal) => {
    expect(acceptTerms(of, 1, by, current, now)).toEqual({ refusal });
  });
});
