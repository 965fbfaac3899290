import type { Candidate } from '@cds/contracts';
import { Basket } from '../domain/builder/basket.js';
import type { Brief } from '../domain/builder/build.js';
import { offered } from '../domain/builder/candidates.js';
import { columnsOf } from '../domain/builder/columns.js';
import { limitsOf } from '../domain/builder/limits.js';
import { NO_ANSWERS } from '../domain/builder/value.js';

/**
 * The highest f of any plan under every limit, by branch and bound over the candidates: the builder's oracle on small
 * networks. The rest is bounded by the best gains for the lines left, and by the best rates for the money left.
 */
export const exactValue = (candidates: readonly Candidate[], brief: Brief): number => {
  const pool = offered(candidates, { ...brief, answers: NO_ANSWERS });
  const columns = columnsOf(pool, limitsOf(pool, brief), brief.audience);
  const basket = new Basket(columns);
  const gainOf = (options: readonly number[]): number => Math.max(0, ...options.map((option) => basket.gain(option)));
  const byOwner = pool.candidates
    .map((_, owner) => [...columns.buyable].filter((option) => columns.owner[option] === owner))
    .sort((one, other) => gainOf(other) - gainOf(one));

  const boundFrom = (place: number): number => {
    const open = byOwner.slice(place).map((options) => options.filter((option) => basket.fits(option)));
    const gains = open.map(gainOf).sort((one, other) => other - one);
    const rates = open
      .map((options) => Math.max(0, ...options.map((option) => basket.gain(option) / (columns.cents[option] ?? 1))))
      .map((rate, at) => ({ rate, gain: gainOf(open[at] ?? []) }))
      .sort((one, other) => other.rate - one.rate);
    let money = brief.capCents - basket.cents;
    let byMoney = 0;
    for (const { rate, gain } of rates) {
      const spent = rate === 0 ? 0 : Math.min(money, gain / rate);
      byMoney += spent * rate;
      money -= spent;
    }
    const byLines = gains.slice(0, columns.limits.lines - basket.lines).reduce((sum, gain) => sum + gain, 0);
    return Math.min(byLines, byMoney);
  };

  let best = 0;
  const walk = (place: number): void => {
    best = Math.max(best, basket.value());
    const options = byOwner[place];
    if (options === undefined || basket.value() + boundFrom(place) <= best * (1 + 1e-12)) return;
    for (const option of options.filter((one) => basket.fits(one))) {
      basket.add(option);
      walk(place + 1);
      basket.remove(option);
    }
    walk(place + 1);
  };
  walk(0);
  return best;
};
