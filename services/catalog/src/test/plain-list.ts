import type { Format, Input } from '@cds/contracts';
import { isBookable, isBuyable, isListed } from '../domain/bookable.js';
import type { Audience } from '../domain/score.js';
import type { RowFacts } from '../present/creator.js';

type Query = Input<'creators_search'>;

/** A list as the plain reference answers it: ids in order, and how many of them are bookable. */
export type PlainList = { ids: string[]; priced: number; scores: (number | null)[] };

const percentile = (values: readonly number[], value: number): number =>
  (values.filter((one) => one < value).length + values.filter((one) => one === value).length / 2) / values.length;

/** Scores of each creator, as domain 1-network 7 words them. */
const scoresOf = (creators: readonly RowFacts[], audience: Audience): Map<string, number> => {
  const medians = creators.flatMap((one) => one.median_views_30d ?? []);
  const ratesOf = new Map<string, number[]>();
  for (const one of creators)
    if (one.engagement_rate_30d !== null)
      ratesOf.set(one.reach_band, [...(ratesOf.get(one.reach_band) ?? []), one.engagement_rate_30d]);
  return new Map(
    creators.map((one) => {
      const weight = (id: string) => one.weights.find((of) => of.id === id)?.w ?? 0;
      const topic = audience.reduce((sum, of) => sum + of.weight * Math.min(1, weight(of.id) / 0.35), 0);
      const reach = one.median_views_30d === null ? 0.3 : percentile(medians, one.median_views_30d);
      const rate = one.engagement_rate_30d;
      const engagement = rate === null ? 0.4 : percentile(ratesOf.get(one.reach_band) ?? [], rate);
      const launches = Math.min(1, 0 / 3);
      const score = Math.floor(100 * (0.55 * topic + 0.2 * reach + 0.15 * engagement + 0.1 * launches) + 0.5 + 1e-9);
      return [one._id, topic < 0.15 ? Math.min(30, score) : score];
    }),
  );
};

const cheapest = (one: RowFacts, day: string, format: Format | undefined): number | null => {
  const prices = one.units.flatMap((unit) =>
    unit.price !== null && (format === undefined || unit.format === format) && isBuyable(one, unit, day)
      ? [unit.price.price_cents]
      : [],
  );
  return prices.length === 0 ? null : Math.min(...prices);
};

/**
 * The plain reference of a list: filters and sorts objects, one sentence of domain 1-network 9 after the other, without
 * any column, order or cache.
 */
export const plainList = (
  creators: readonly RowFacts[],
  {
    query,
    audience,
    day,
    handleOf,
  }: { query: Query; audience: Audience | null; day: string; handleOf: (id: string) => string },
): PlainList => {
  const listed = creators.filter(isListed);
  const scores = audience === null ? null : scoresOf(listed, audience);
  const reaches = (one: RowFacts, id: string) => (one.weights.find((of) => of.id === id)?.w ?? 0) >= 0.15;
  const least = (value: number | null, bound: number | undefined) =>
    bound === undefined || (value !== null && value >= bound);
  const most = (value: number | null, bound: number | undefined) =>
    bound === undefined || (value !== null && value <= bound);
  const same = (value: string | null, wanted: string | undefined) =>
    wanted === undefined || (value !== null && value.toLowerCase() === wanted.toLowerCase());
  const named = (one: RowFacts): boolean => {
    if (query.q === undefined) return true;
    const q = query.q.toLowerCase();
    const part = q.startsWith('@') ? q.slice(1) : q;
    return (
      (one.name ?? '').toLowerCase().includes(q) ||
      (one.bio ?? '').toLowerCase().includes(q) ||
      ([...part].length >= 3 && handleOf(one._id).toLowerCase().includes(part))
    );
  };
  const times100 = (bound: number | undefined) => (bound === undefined ? undefined : bound * 100);

  const passing = listed.filter((one) => {
    const price = cheapest(one, day, query.format);
    return (
      (audience === null || audience.some(({ id }) => reaches(one, id))) &&
      (query.match === undefined || query.segment === undefined || reaches(one, query.segment)) &&
      least(scores?.get(one._id) ?? null, query.match_min) &&
      (query.reach_band === undefined || one.reach_band === query.reach_band) &&
      same(one.country, query.country) &&
      same(one.language, query.language) &&
      least(one.followers, query.followers_min) &&
      most(one.followers, query.followers_max) &&
      least(one.engagement_rate_30d, query.er_min) &&
      (query.format === undefined || price !== null) &&
      least(price, times100(query.price_min)) &&
      most(price, times100(query.price_max)) &&
      named(one)
    );
  });

  const figure = (one: RowFacts): number | null => {
    switch (query.sort ?? 'match') {
      case 'match':
        return scores?.get(one._id) ?? one.median_views_30d;
      case 'followers':
        return one.followers;
      case 'engagement':
        return one.engagement_rate_30d;
      case 'views':
        return one.median_views_30d;
      case 'price':
        return cheapest(one, day, query.format);
    }
  };
  const figures = new Map(passing.map((one) => [one._id, figure(one)]));
  const compare = (one: number | null, other: number | null, ascending: boolean): number => {
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return ascending ? one - other : other - one;
  };
  const sorted = [...passing].sort(
    (one, other) =>
      compare(figures.get(one._id) ?? null, figures.get(other._id) ?? null, query.dir === 'asc') ||
      compare(scores?.get(one._id) ?? 0, scores?.get(other._id) ?? 0, false) ||
      compare(one.median_views_30d, other.median_views_30d, false) ||
      (one._id < other._id ? -1 : 1),
  );
  return {
    ids: sorted.map((one) => one._id),
    priced: sorted.filter((one) => isBookable(one, day)).length,
    scores: sorted.map((one) => scores?.get(one._id) ?? null),
  };
};
