/**
 * The bookable rule (docs/specification.md#the-bookable-rule, docs/domain/network.md#bookable) as a predicate, and as a
 * MongoDB filter. A test on a real database proves the two equal; every count on every surface uses this rule.
 */

import { freshSince } from '../pricing/prices.js';
import type { Creator, CurrentPrice, SaleStatus, Unit } from './creator.js';

/** Approved and active: appears in lists. */
export const isListed = (creator: SaleStatus): boolean => creator.status === 'approved' && creator.active;

/** Listed and not withdrawn from sale: bookable conditions 1 and 2. */
export const isSellable = (creator: SaleStatus): boolean =>
  isListed(creator) && !creator.flag_inactive && !creator.excluded;

/** Set by the team, or at most 30 days old on `day`, inclusive. */
export const isFresh = (price: CurrentPrice, day: string): boolean =>
  price.method === 'set_price' || price.as_of >= freshSince(day);

/** Whether one format can be bought on `day`. */
export const isBuyable = (creator: SaleStatus, unit: Unit, day: string): boolean =>
  isSellable(creator) && unit.price !== null && isFresh(unit.price, day);

/** Whether a creator is on sale on `day`: all three conditions of the rule. */
export const isBookable = (creator: SaleStatus & Pick<Creator, 'units'>, day: string): boolean =>
  creator.units.some((unit) => isBuyable(creator, unit, day));

/** Whether the plan builder may choose the creator on its own. */
export const isInAutomaticPlans = (creator: SaleStatus & Pick<Creator, 'units'>, day: string): boolean =>
  isBookable(creator, day) && !creator.manual_only;

/** `isListed` as a filter of the creators collection. */
export const LISTED_FILTER = { status: 'approved', active: true } as const;

/** `isBookable` as a filter of the creators collection. */
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
