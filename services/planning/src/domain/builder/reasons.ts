import type { LeftOutLimit, LeftOutReason } from '@cds/contracts';
import { LEFT_OUT } from '../constants.js';
import { Basket } from './basket.js';
import type { Offered, Option } from './candidates.js';

/** Never part of the choice (docs/adr/0013-the-rationale-speaks-of-the-plan-as-built.md). */

export type LeftOut = { option: Option; value: number; reason: LeftOutReason; limit: LeftOutLimit };

/** f(S) - f(S without one line of the option), per option held. Of a post bought twice, one line is taken out. */
export const marginalValues = (basket: Basket): number[] => {
  const { columns, held } = basket;
  return held.map((option) => {
    const loss = basket.loss(option);
    if (columns.lines[option] === 1) return loss;
    const rest = new Basket(
      columns,
      held.filter((one) => one !== option),
    );
    // A post bought twice comes right after the same post bought once.
    return loss - rest.gain(option - 1);
  });
};

/** Each by its best option: most gain per price, where a small price counts as an even share of the cap. */
export const leftOutOf = ({ options }: Offered, basket: Basket): LeftOut[] => {
  const { columns } = basket;
  const evenShare = columns.limits.capCents / columns.limits.lines;
  const rateOf = (option: number): number =>
    basket.gain(option) / Math.max(1, columns.cents[option] as number, evenShare * (columns.lines[option] as number));

  const bestOf = new Map<number, { option: number; rate: number }>();
  for (let option = 0; option < options.length; option += 1) {
    const owner = columns.owner[option] as number;
    if (basket.heldOf[owner] !== -1 || (columns.cents[option] as number) > columns.limits.capCents) continue;
    const rate = rateOf(option);
    if (rate > (bestOf.get(owner)?.rate ?? 0)) bestOf.set(owner, { option, rate });
  }
  return [...bestOf.values()]
    .sort((one, other) => other.rate - one.rate || one.option - other.option)
    .slice(0, LEFT_OUT.kept)
    .flatMap(({ option: place }) => {
      const option = options[place];
      return option === undefined ? [] : [{ option, value: basket.gain(place), ...whyLeftOut(basket, place) }];
    });
};

/** A creator who alone costs too much for a line says nothing about the others. */
export const fullBy = (
  { held, lines, columns: { limits } }: Basket,
  leftOut: readonly LeftOut[],
): LeftOutLimit | null => {
  if (leftOut.length === 0) return null;
  if (held.length >= limits.creators) return 'creators';
  if (lines >= limits.lines) return 'lines';
  return (leftOut.find(({ limit }) => limit !== 'line_price') ?? leftOut[0])?.limit ?? null;
};

/** The first that applies: no plan may hold it; it brings too little; it would have to replace others. */
const whyLeftOut = (basket: Basket, option: number): { reason: LeftOutReason; limit: LeftOutLimit } => {
  const { limits, cents, lines } = basket.columns;
  const [price, count] = [cents[option] as number, lines[option] as number];
  if (price / count > limits.lineCents) return { reason: 'limit', limit: 'line_price' };

  const limit = blockingLimit(basket, option);
  // A finished set has taken everything that fits and passes the spend rule.
  if (limit === null) return { reason: 'price', limit: 'spend_rule' };
  if (basket.held.some((out) => basket.fitsFor(option, out))) return { reason: 'value', limit };
  return { reason: limit === 'budget' ? 'price' : 'limit', limit };
};

const blockingLimit = (basket: Basket, option: number): LeftOutLimit | null => {
  const { limits, cents, lines, band, bandLines } = basket.columns;
  const [count, of] = [lines[option] as number, band[option] as number];
  if (basket.cents + (cents[option] as number) > limits.capCents) return 'budget';
  if (basket.lines + count > limits.lines) return 'lines';
  if (basket.held.length >= limits.creators) return 'creators';
  return (basket.bandLines[of] as number) + count > (bandLines[of] as number) ? 'reach_band' : null;
};
