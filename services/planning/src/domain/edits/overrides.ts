import type { Candidate, UnitFacts } from '@cds/contracts';
import { PRICE_FRESH_DAYS } from '../constants.js';

/**
 * What one sandbox sees instead of the network's values; null and false keep these (docs/domain/sandbox.md#sandbox).
 */
export type UnitOverride = { price_cents: number | null; age_days: number | null; off_sale: boolean };

export const NO_OVERRIDE: UnitOverride = { price_cents: null, age_days: null, off_sale: false };

const endsSale = (override: UnitOverride): boolean =>
  override.off_sale || (override.age_days !== null && override.age_days > PRICE_FRESH_DAYS);

/** An aged price is not buyable (I46). */
export const overridden = (unit: UnitFacts, override: UnitOverride): UnitFacts => ({
  ...unit,
  price_cents: override.price_cents ?? unit.price_cents,
  buyable: unit.buyable && !endsSale(override),
});

export const overriddenCandidates = (
  candidates: readonly Candidate[],
  overrides: ReadonlyMap<string, UnitOverride>,
): Candidate[] =>
  candidates.flatMap((candidate) => {
    const units = candidate.units.flatMap((unit) => {
      const override = overrides.get(unit.unit_id) ?? NO_OVERRIDE;
      return endsSale(override) ? [] : [{ ...unit, price_cents: override.price_cents ?? unit.price_cents }];
    });
    return units.length === 0 ? [] : [{ ...candidate, units }];
  });
