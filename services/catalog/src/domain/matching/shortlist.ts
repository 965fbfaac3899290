/** The length of a shortlist (docs/domain/network.md#shortlist, docs/specification.md#browse-creators, budget). */
import { GOOD_FIT_OVER, SHORTLIST } from '../constants.js';
import { median } from '../statistics.js';

/** A bookable creator of a list: its score for the audience and its cheapest price in cents. */
export type Priced = { score: number | null; cheapestCents: number };

/** Three times the posts that the budget buys at the median price of good fits, 10 to 50; 25 without a price. */
export const shortlistSize = (budgetUsd: number, bookable: readonly Priced[]): number => {
  const good = bookable.filter(({ score }) => score !== null && score > GOOD_FIT_OVER);
  const price = median((good.length > 0 ? good : bookable).map(({ cheapestCents }) => cheapestCents));
  if (price === null) return SHORTLIST.unknown;
  const size = SHORTLIST.perPost * Math.floor((budgetUsd * 100) / price);
  return Math.min(SHORTLIST.most, Math.max(SHORTLIST.least, size));
};
