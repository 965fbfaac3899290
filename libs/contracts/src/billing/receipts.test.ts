import { describe, expect, it } from '@jest/globals';
import { POLICY_REASONS } from '../planning/quote.js';
import { RECEIPT_RULES, ReceiptRuleResult } from './receipts.js';

const result = (figures: unknown) => ReceiptRuleResult.safeParse({ rule: 'over_monthly_cap', passed: true, figures });

describe('the checks of a receipt', () => {
  it('are those that a quote tests, in the same order, and those that only an approve meets', () => {
    const shared = RECEIPT_RULES.filter((rule) => POLICY_REASONS.some((reason) => reason === rule));
    expect(shared).toEqual([...POLICY_REASONS]);
    expect(RECEIPT_RULES.filter((rule) => !shared.includes(rule))).toEqual([
      'terms_changed',
      'payments_closed',
      'rail_not_offered',
    ]);
    // The fingerprint is compared once the mandate allows the approve, and before prices and amounts.
    expect(RECEIPT_RULES.indexOf('terms_changed')).toBe(RECEIPT_RULES.indexOf('over_budget') - 1);
  });

  it.each<[string, unknown, boolean]>([
    ['integers, texts and what is missing', { limit_cents: 1, accepted_version: null, rail: 'invoice' }, true],
    ['lists of texts', { channels: ['x_creators'] }, true],
    ['a fraction', { limit_cents: 0.5 }, false],
    ['an object', { limit: { cents: 1 } }, false],
    ['a list of numbers', { cents: [1] }, false],
  ])('tell with figures that are %s: %#', (_name, figures, taken) => {
    expect(result(figures).success).toBe(taken);
  });
});
