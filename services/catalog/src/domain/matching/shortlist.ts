import { GOOD_FIT_OVER, SHORTLIST } from '../constants.js';
import { median } from '../statistics.js';

export type Priced = { score: number | null; cheapestCents: number };

export type Shortlist = { limit: number; why: string };

/** Three times the posts that the budget buys at the median price of good fits, 10 to 50; 25 without a price. */
export const shortlistFor = (budgetUsd: number, bookable: readonly Priced[]): Shortlist => {
  const good = bookable.filter(({ score }) => score !== null && score > GOOD_FIT_OVER);
  const price = median((good.length > 0 ? good : bookable).map(({ cheapestCents }) => cheapestCents));
  if (price === null)
    return { limit: SHORTLIST.unknown, why: `Nobody on this list has a price now, so ${SHORTLIST.unknown} are shown.` };
  const posts = Math.floor((budgetUsd * 100) / price);
  const size = SHORTLIST.perPost * posts;
  const limit = Math.min(SHORTLIST.most, Math.max(SHORTLIST.least, size));
  const who = good.length > 0 ? 'good fits' : 'creators on sale';
  const buys = `${usd(budgetUsd)} buys ${posts.toLocaleString('en-US')} ${posts === 1 ? 'post' : 'posts'}`;
  const bound = limit === size ? '' : `, at ${limit === SHORTLIST.least ? 'least' : 'most'} ${limit}`;
  return {
    limit,
    why: `${buys} at ${usd(price / 100)}, the median of the ${who}; a shortlist is three times that${bound}. The budget filters nobody.`,
  };
};

const usd = (amount: number): string => `$${amount.toLocaleString('en-US')}`;
