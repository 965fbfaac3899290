/**
 * The bookable rule (docs/specification.md#the-bookable-rule) as a predicate and as a MongoDB filter. A test on a real
 * database proves the two equal; every count on every surface uses it.
 */

import { freshSince } from '../pricing/prices.js';
import type { Creator, CurrentPrice, SaleStatus, Unit } from './creator.js';

export const isListed = (creator: SaleStatus): boolean => creator.status === 'approved' && creator.active;

/** Listed and not withdrawn from sale: bookable conditions 1 and 2. */
export const isSellable = (creator: SaleStatus): boolean =>
  isListed(creator) && !creator.flag_inactive && !creator.excluded;

/** Set by the team, or at most 30 days old on `day`, inclusive. */
export const isFresh = (price: CurrentPrice, day: string): boolean =>
  price.method === 'set_price' || price.as_of >= freshSince(day);

export const isBuyable = (creator: SaleStatus, unit: Unit, day: string): boolean =>
  isSellable(creator) && unit.price !== null && isFresh(unit.price, day);

export const isBookable = (creator: SaleStatus & Pick<Creator, 'units'>, day: string): boolean =>
  creator.units.some((unit) => isBuyable(creator, unit, day));

export const isInAutomaticPlans = (creator: SaleStatus & Pick<Creator, 'units'>, day: string): boolean =>
  isBookable(creator, day) && !creator.manual_only;

export const LISTED_FILTER = { status: 'approved', active: true } as const;

export const bookableFilter = (day: string) => ({
  ...LISTED_FILTER,
  flag_inactive: false,
  excluded: false,
  units: {
    $elemMatch: {
      price: { $ne: null },
      $or: [{ 'price.method': 'set_price' }, { 'price.as_of': { $gte: freshSince(day) } }],
    },
  },
});
