import type { Offering } from '@cds/contracts';
import { FORMAT_FACTOR, PAID_FACTOR, VIEWS_VERSION } from '../domain/constants.js';
import { isBuyable } from '../domain/creator/bookable.js';
import type { Creator, Unit } from '../domain/creator/creator.js';
import { costPer1kCents } from '../domain/creator/expected-views.js';
import { provenanceOf } from '../domain/pricing/prices.js';

type Sold = Omit<Creator, 'posts' | 'posts_summary'>;

export const presentOffering = (creator: Sold, unit: Unit, day: string): Offering | null => {
  if (unit.price === null) return null;
  const expected = creator.expected_views?.[unit.format].mid ?? null;
  return {
    unit_id: unit.unit_id,
    format: unit.format,
    label: unit.label,
    deliverable: unit.deliverable,
    price_cents: unit.price.price_cents,
    buyable: isBuyable(creator, unit, day),
    price_as_of: unit.price.as_of,
    expected_views: expected,
    cost_per_1k_views_cents: costPer1kCents(unit.price.price_cents, expected),
    provenance: provenanceOf(unit.price, day),
    calc: {
      calc_version: VIEWS_VERSION,
      inputs: {
        posts_measured: creator.posts_measured,
        median_views: creator.median_views_30d,
        followers: creator.followers,
        reach_band: creator.reach_band,
        format: unit.format,
        format_factor: FORMAT_FACTOR[unit.format],
        paid_factor: PAID_FACTOR,
        views_source: creator.views_source,
      },
    },
  };
};
