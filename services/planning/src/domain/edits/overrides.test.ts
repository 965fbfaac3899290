import { describe, expect, it } from '@jest/globals';
import { aCandidate, aUnit } from '../../test/builders.js';
import { NO_OVERRIDE, overridden, overriddenCandidates } from './overrides.js';

describe('a sandbox’s override of a unit (docs/domain/sandbox.md#sandbox)', () => {
  const unit = aUnit({ price_cents: 45_000 });
  it.each([
    ['of nothing keeps the network’s value', {}, { price_cents: 45_000, buyable: true }],
    ['of the price', { price_cents: 1_000 }, { price_cents: 1_000, buyable: true }],
    ['of the age up to 30 days keeps it on sale', { age_days: 30 }, { buyable: true }],
    ['of the age past 30 days ends its sale (I46)', { age_days: 31 }, { buyable: false }],
    ['of its sale', { off_sale: true }, { buyable: false }],
  ])('%s', (_name, over, expected) => {
    expect(overridden(unit, { ...NO_OVERRIDE, ...over })).toMatchObject(expected);
  });

  it('never puts a unit on sale that the network does not sell', () => {
    expect(overridden({ ...unit, buyable: false }, { ...NO_OVERRIDE, age_days: 0 }).buyable).toBe(false);
  });

  it('applies to candidates, and leaves out a creator with nothing left to sell', () => {
    const [one, two] = [aCandidate(), aCandidate()];
    const overrides = new Map([
      [one.units[0]?.unit_id ?? '', { ...NO_OVERRIDE, off_sale: true }],
      [two.units[0]?.unit_id ?? '', { ...NO_OVERRIDE, price_cents: 1_000 }],
    ]);
    expect(overriddenCandidates([one, two], overrides)).toMatchObject([
      { creator_id: two.creator_id, units: [{ price_cents: 1_000 }] },
    ]);
  });
});
