import { describe, expect, it } from '@jest/globals';
import { overMonthlyCap } from './over-monthly-cap.js';

describe('the monthly cap (docs/domain/orders.md#spend, I18)', () => {
  it.each([
    ['spent plus total is the cap', 900, 100, 1_000, null],
    ['one cent over', 901, 100, 1_000, 1],
    ['a cap lowered under what is spent', 900, 100, 500, 500],
    ['a cap of 0', 0, 1, 0, 1],
  ])('%s', (_name, spent, requested, limit, over) => {
    expect(overMonthlyCap(spent, requested, limit)?.details['over_by_cents'] ?? null).toBe(over);
  });
});
