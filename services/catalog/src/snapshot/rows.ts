import { FORMATS, type Format } from '@cds/contracts';
import { isBookable, isBuyable } from '../domain/creator/bookable.js';
import { expiryDay } from '../domain/pricing/prices.js';
import { folded } from '../domain/search-terms.js';
import type { RowFacts } from '../present/creator.js';
import { type EncodedRow, encodeRow } from '../present/row.js';

export type PriceOf = Format | 'any';
export const PRICES_OF: readonly PriceOf[] = ['any', ...FORMATS];

/** One listed creator in memory, valid from the day it was built until `changesOn`. */
export type Row = EncodedRow & {
  creator: RowFacts;
  day: string;
  /** The first day on which one of its fresh prices expires; null if none does. */
  changesOn: string | null;
  bookable: boolean;
  buyableUnits: number;
  cheapest: Readonly<Record<PriceOf, number>>;
  words: string;
  weights: ReadonlyMap<string, number>;
};

/** Separates the texts of rows, so that no match spans two of them. */
export const WORDS_END = '\u0000';

export const makeRow = (creator: RowFacts, day: string, appUrl: string): Row => {
  const buyable = creator.units.filter((unit) => isBuyable(creator, unit, day));
  const cheapest = (format: Format | null): number => {
    const prices = buyable.flatMap((unit) =>
      unit.price !== null && (format === null || unit.format === format) ? [unit.price.price_cents] : [],
    );
    return prices.length === 0 ? Number.NaN : Math.min(...prices);
  };
  const expiries = creator.units.flatMap((unit) => {
    const expires = unit.price === null ? null : expiryDay(unit.price);
    return expires !== null && expires > day ? [expires] : [];
  });
  return {
    ...encodeRow(creator, day, appUrl),
    creator,
    day,
    changesOn: expiries.sort()[0] ?? null,
    bookable: isBookable(creator, day),
    buyableUnits: buyable.length,
    cheapest: { any: cheapest(null), post: cheapest('post'), quote: cheapest('quote'), thread: cheapest('thread') },
    words: folded(`${creator.name ?? ''}${WORDS_END}${creator.bio ?? ''}${WORDS_END}`),
    weights: new Map(creator.weights.map(({ id, w }) => [id, w])),
  };
};
