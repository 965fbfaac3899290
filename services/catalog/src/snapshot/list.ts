import type { CreatorSort, Format, ReachBand } from '@cds/contracts';
import type { Audience } from '../domain/matching/score.js';
import { bandCode } from './columns.js';
import type { Network } from './network.js';
import type { AudienceView } from './scores.js';
import { keyColumn, type OrderKey } from './sort-orders.js';

export type ListQuery = {
  audience: Audience | null;
  narrowing: string | null;
  /** What must all be found: in the texts, or in the handles of these rows. */
  q: readonly { term: string; byHandle: ReadonlySet<number> | null }[] | null;
  reachBand: ReachBand | null;
  countries: readonly string[] | null;
  language: string | null;
  followersMin: number | null;
  followersMax: number | null;
  rateMin: number | null;
  scoreMin: number | null;
  format: Format | null;
  priceMinCents: number | null;
  priceMaxCents: number | null;
  onSale: boolean | null;
  sort: CreatorSort;
  ascending: boolean;
};

export type Listed = { passing: Uint32Array; priced: number; view: AudienceView | null };

/** Nulls fail every bound and come last in both directions. Free texts are not cached: there are too many. */
export const listRows = (network: Network, query: ListQuery): Listed =>
  query.q === null
    ? network.cached(`list|${JSON.stringify(query)}`, () => compute(network, query))
    : compute(network, query);

type Passes = (index: number) => boolean;

const compute = (network: Network, query: ListQuery): Listed => {
  const view = query.audience === null ? null : network.scores.view(query.audience);
  const tests = testsOf(network, query, view);
  const { key, ascending } = orderOf(query, view);
  const { bookable } = network.columns;

  const passing = new Uint32Array(network.rows.length);
  let total = 0;
  let priced = 0;
  for (const index of network.orders.by(key, ascending)) {
    if (!tests.every((passes) => passes(index))) continue;
    passing[total] = index;
    total += 1;
    priced += bookable[index] ?? 0;
  }

  const listed = passing.slice(0, total);
  if (view !== null && query.sort === 'match') sortByScore(listed, view.scores, query.ascending);
  else if (view !== null) breakTies(listed, keyColumn(network.columns, key), view.scores);
  return { passing: listed, priced, view };
};

/** The tests of a row, one per filter in the query. Comparisons with NaN are false, so unknown values fail. */
const testsOf = (network: Network, query: ListQuery, view: AudienceView | null): Passes[] => {
  const { columns } = network;
  const tests: Passes[] = [];
  const bounded = (column: ArrayLike<number>, least: number | null, most: number | null): void => {
    if (least !== null) tests.push((index) => (column[index] as number) >= least);
    if (most !== null) tests.push((index) => (column[index] as number) <= most);
  };
  const equal = (column: ArrayLike<number>, value: number | null): void => {
    if (value !== null) tests.push((index) => column[index] === value);
  };
  const { narrowing, q, format } = query;

  if (view !== null) equal(view.reached, 1);
  if (narrowing !== null) tests.push((index) => network.reachesSegment(index, narrowing));
  if (view !== null) bounded(view.scores, query.scoreMin, null);
  else if (query.scoreMin !== null) tests.push(() => false);
  equal(columns.bands, query.reachBand === null ? null : bandCode(query.reachBand));
  bounded(columns.followers, query.followersMin, query.followersMax);
  bounded(columns.rates, query.rateMin, null);
  if (query.countries !== null) {
    const codes = new Set(query.countries.map((name) => network.dictionaries.countries.asked(name)));
    tests.push((index) => codes.has(columns.countries[index] as number));
  }
  equal(columns.bookable, query.onSale === null ? null : Number(query.onSale));
  equal(columns.languages, query.language === null ? null : network.dictionaries.languages.asked(query.language));
  if (format !== null) tests.push((index) => !Number.isNaN(columns.cheapest[format][index]));
  bounded(columns.cheapest[format ?? 'any'], query.priceMinCents, query.priceMaxCents);
  for (const { term, byHandle } of q ?? []) {
    const holding = network.text.rowsContaining(term);
    tests.push((index) => holding[index] === 1 || byHandle?.has(index) === true);
  }
  return tests;
};

const ORDERS = { followers: 'followers', engagement: 'rates', views: 'medians' } as const;

const orderOf = (query: ListQuery, view: AudienceView | null): { key: OrderKey; ascending: boolean } => {
  const { sort, ascending } = query;
  if (sort === 'match') return { key: 'medians', ascending: view === null && ascending };
  if (sort === 'price') return { key: `cheapest.${query.format ?? 'any'}`, ascending };
  return { key: ORDERS[sort], ascending };
};

const SCORES = 101;

const sortByScore = (places: Uint32Array, scores: Uint8Array, ascending: boolean): void => {
  const starts = new Uint32Array(SCORES + 1);
  const rank = (place: number): number => (ascending ? (scores[place] ?? 0) : SCORES - 1 - (scores[place] ?? 0));
  for (const place of places) starts[rank(place) + 1] = (starts[rank(place) + 1] ?? 0) + 1;
  for (let score = 1; score <= SCORES; score += 1) starts[score] = (starts[score] ?? 0) + (starts[score - 1] ?? 0);
  const sorted = new Uint32Array(places.length);
  for (const place of places) {
    const at = starts[rank(place)] ?? 0;
    sorted[at] = place;
    starts[rank(place)] = at + 1;
  }
  places.set(sorted);
};

/** Runs up to this length are sorted by insertion, longer ones by counting. */
const SHORT_RUN = 16;

const breakTies = (places: Uint32Array, figures: Float64Array, scores: Uint8Array): void => {
  const figureAt = (at: number): number => figures[places[at] as number] as number;
  for (let from = 0; from < places.length; ) {
    let to = from + 1;
    while (to < places.length && Object.is(figureAt(to), figureAt(from))) to += 1;
    if (to - from > SHORT_RUN) sortByScore(places.subarray(from, to), scores, false);
    else if (to - from > 1) insertByScore(places, from, to, scores);
    from = to;
  }
};

const insertByScore = (places: Uint32Array, from: number, to: number, scores: Uint8Array): void => {
  for (let at = from + 1; at < to; at += 1) {
    const place = places[at] as number;
    let free = at;
    while (free > from && (scores[places[free - 1] as number] ?? 0) < (scores[place] ?? 0)) {
      places[free] = places[free - 1] as number;
      free -= 1;
    }
    places[free] = place;
  }
};
