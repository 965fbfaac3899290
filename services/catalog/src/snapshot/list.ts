import type { CreatorSort, Format, ReachBand } from '@cds/contracts';
import type { Audience } from '../domain/score.js';
import type { AudienceView, Network } from './network.js';

/** A list as the network reads it: prices in cents, an audience in force or none (domain 1-network 9). */
export type ListQuery = {
  audience: Audience | null;
  /** A segment that narrows further, when both `match` and `segment` are sent. */
  narrowing: string | null;
  q: string | null;
  /** Rows whose handle holds a part of `q`, as numbers; null when no handle can. */
  byHandle: ReadonlySet<number> | null;
  reachBand: ReachBand | null;
  country: string | null;
  language: string | null;
  followersMin: number | null;
  followersMax: number | null;
  rateMin: number | null;
  scoreMin: number | null;
  format: Format | null;
  priceMinCents: number | null;
  priceMaxCents: number | null;
  sort: CreatorSort;
  ascending: boolean;
};

/** The rows that pass, in order, as indexes; how many of them are bookable; and the audience they are scored for. */
export type Listed = { passing: Uint32Array; priced: number; view: AudienceView | null };

/**
 * Filters and sorts the listed creators. Nulls pass no bound and come last in both directions. The result is kept for
 * the next page, unless the query holds a free text, of which there are too many.
 */
export const listRows = (network: Network, query: ListQuery): Listed =>
  query.q === null
    ? network.kept(`list|${JSON.stringify(query)}`, () => compute(network, query))
    : compute(network, query);

const compute = (network: Network, query: ListQuery): Listed => {
  const view = query.audience === null ? null : network.view(query.audience);
  const passes = filterOf(network, query, view);

  const passing = new Uint32Array(network.rows.length);
  let total = 0;
  let priced = 0;
  for (const index of orderOf(network, query, view)) {
    if (!passes(index)) continue;
    passing[total] = index;
    total += 1;
    if (network.rows[index]?.bookable === true) priced += 1;
  }
  return { passing: passing.slice(0, total), priced, view };
};

/** A comparison with NaN is false, so an unknown figure passes no bound. */
const within = (value: number | undefined, least: number | null, most: number | null): boolean =>
  value !== undefined && (least === null || value >= least) && (most === null || value <= most);

const filterOf = (network: Network, query: ListQuery, view: AudienceView | null): ((index: number) => boolean) => {
  const q = query.q?.toLowerCase() ?? null;
  const country = query.country?.toLowerCase() ?? null;
  const language = query.language?.toLowerCase() ?? null;
  const byPrice = query.priceMinCents !== null || query.priceMaxCents !== null;
  const priceOf = query.format ?? 'any';

  return (index) => {
    const row = network.rows[index];
    if (row === undefined) return false;
    const { creator } = row;
    return (
      (view === null || view.reached[index] === 1) &&
      (query.narrowing === null || network.reachesSegment(index, query.narrowing)) &&
      (query.scoreMin === null || within(view?.scores[index], query.scoreMin, null)) &&
      (query.reachBand === null || creator.reach_band === query.reachBand) &&
      within(network.followers[index], query.followersMin, query.followersMax) &&
      within(network.rates[index], query.rateMin, null) &&
      (country === null || creator.country?.toLowerCase() === country) &&
      (language === null || creator.language?.toLowerCase() === language) &&
      (query.format === null || !Number.isNaN(row.cheapest[query.format])) &&
      (!byPrice || within(row.cheapest[priceOf], query.priceMinCents, query.priceMaxCents)) &&
      (q === null || row.words.includes(q) || query.byHandle?.has(index) === true)
    );
  };
};

/** All rows in the order asked for; ties by score, then median views, then id. Kept per version of the network. */
const orderOf = (network: Network, query: ListQuery, view: AudienceView | null): Uint32Array => {
  const key = ['order', query.sort, query.ascending, query.format ?? '', view?.key ?? ''].join('|');
  return network.kept(key, () => {
    const sortBy = sortValues(network, query, view);
    const scores = view?.scores;
    const sign = query.ascending ? 1 : -1;
    return Uint32Array.from(network.rows.keys()).sort(
      (one, other) =>
        nullsLast(sortBy(one), sortBy(other), sign) ||
        (scores?.[other] ?? 0) - (scores?.[one] ?? 0) ||
        nullsLast(network.medians[one], network.medians[other], -1) ||
        one - other,
    );
  });
};

const sortValues = (
  network: Network,
  query: ListQuery,
  view: AudienceView | null,
): ((index: number) => number | undefined) => {
  switch (query.sort) {
    case 'match':
      return view === null ? (index) => network.medians[index] : (index) => view.scores[index];
    case 'followers':
      return (index) => network.followers[index];
    case 'engagement':
      return (index) => network.rates[index];
    case 'views':
      return (index) => network.medians[index];
    case 'price':
      return (index) => network.rows[index]?.cheapest[query.format ?? 'any'];
  }
};

const nullsLast = (one = Number.NaN, other = Number.NaN, sign: 1 | -1 = 1): number => {
  if (Number.isNaN(one) || Number.isNaN(other)) return Number(Number.isNaN(one)) - Number(Number.isNaN(other));
  return sign * (one - other);
};
