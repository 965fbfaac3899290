import { describe, expect, it } from '@jest/globals';
import { aCampaign, aLine, aPlan, aUnit, NOW, TODAY } from '../../test/builders.js';
import { evidenceOf, evidenceOnWire } from './evidence.js';

/** docs/domain/orders.md#receipts. */
describe('what an approval was judged by', () => {
  it('is the budget, and each line with its price then and now', () => {
    const unit = aUnit({ unit_id: 'unit', price_cents: 120 });
    const campaign = aCampaign({ budget_cents: 500 });
    const line = aLine(unit, { id: 'line', price_cents: 110 });
    const facts = { plan: aPlan(campaign, [line]), campaign, units: new Map([['unit', unit]]), today: TODAY };
    const said = {
      line_id: 'line',
      unit_id: 'unit',
      scheduled_date: '2026-12-01',
      price_cents: 110,
      current_price_cents: 120,
      on_sale: true,
    };
    expect(evidenceOf(facts, NOW)).toEqual({ at: NOW, budget_cents: 500, lines: [said] });
    expect(evidenceOnWire(evidenceOf(facts, NOW)).at).toBe(NOW.toISOString());
    const unbuyable = { ...facts, units: new Map([['unit', { ...unit, buyable: false }]]) };
    expect(evidenceOf(unbuyable, NOW).lines).toEqual([{ ...said, on_sale: false }]);
    expect(evidenceOf({ ...facts, today: '2026-12-02' }, NOW).lines).toEqual([{ ...said, on_sale: false }]);
  });
});
