import type { Format, Input } from '@cds/contracts';
import { isBookable, isBuyable, isListed } from '../domain/creator/bookable.js';
import type { Audience } from '../domain/matching/score.js';
import type { RowFacts } from '../present/creator.js';

type Query = Input<'creators_search'>;

/** A list as the reference implementation returns it: ids in order, how many are bookable, and the page size. */
export type ReferenceList = {
  ids: string[];
  priced: number;
  scores: (number | null)[];
  limit: number;
  catalog: { approved: number; priced: number };
};

const percentile = (values: readonly number[], value: number): number =>
  (values.filter((one) => one < value).length + values.filter((one) => one === value).length / 2) / values.length;

/** The parts of a score that do not depend on the audience. */
type RankedCreator = { creator: RowFacts; reach: number; engagement: number };

/** The listed creators' percentiles, as docs/domain/network.md#match-score words them; cached per network. */
const ranked = new WeakMap<readonly RowFacts[], readonly RankedCreator[]>();
const rankedFrom = (creators: readonly RowFacts[]): readonly RankedCreator[] => {
  const held = ranked.get(creators);
  if (held !== undefined) return held;
  const listed = creators.filter(isListed);
  const medians = listed.flatMap((one) => one.median_views_30d ?? []);
  const made = listed.map((creator): RankedCreator => {
    const { median_views_30d: views, engagement_rate_30d: rate, reach_band: band } = creator;
    const rates = listed.flatMap((one) => (one.reach_band === band ? (one.engagement_rate_30d ?? []) : []));
    return {
      creator,
      reach: views === null ? 0.3 : percentile(medians, views),
      engagement: rate === null ? 0.4 : percentile(rates, rate),
    };
  });
  ranked.set(creators, made);
  return made;
};

const weightOf = (one: RowFacts, id: string): number => one.weights.find((of) => of.id === id)?.w ?? 0;

/** Launches and partnerships of the last 12 months in the audience's segments; three are the most that count. */
const launchesOf = (creator: RowFacts, audience: Audience, day: string): number => {
  const yearAgo = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
  const ours = (creator.collabs ?? []).filter(
    ({ date, segments }) =>
      date >= yearAgo && date <= day && segments.some((id) => audience.some((of) => of.id === id)),
  );
  return Math.min(1, ours.length / 3);
};

/** Scores of each listed creator. */
const scoresOf = (creators: readonly RowFacts[], audience: Audience, day: string): Map<string, number> =>
  new Map(
    rankedFrom(creators).map(({ creator, reach, engagement }) => {
      const topic = audience.reduce((sum, of) => sum + of.weight * Math.min(1, weightOf(creator, of.id) / 0.35), 0);
      const launches = launchesOf(creator, audience, day);
      const score = Math.floor(100 * (0.55 * topic + 0.2 * reach + 0.15 * engagement + 0.1 * launches) + 0.5 + 1e-9);
      return [creator._id, topic < 0.15 ? Math.min(30, score) : score];
    }),
  );

type Sale = { bookable: boolean; cheapest: Record<Format | 'any', number | null> };

/** What each listed creator sells on a day; cached per network and day. */
const sales = new WeakMap<readonly RowFacts[], Map<string, ReadonlyMap<RowFacts, Sale>>>();
const salesOn = (creators: readonly RowFacts[], day: string): ReadonlyMap<RowFacts, Sale> => {
  const held = sales.get(creators)?.get(day);
  if (held !== undefined) return held;
  const made = new Map(
    creators.filter(isListed).map((one) => {
      const cheapest = (format: Format | null): number | null => {
        const prices = one.units.flatMap((unit) =>
          unit.price !== null && (format === null || unit.format === format) && isBuyable(one, unit, day)
            ? [unit.price.price_cents]
            : [],
        );
        return prices.length === 0 ? null : Math.min(...prices);
      };
      return [
        one,
        {
          bookable: isBookable(one, day),
          cheapest: {
            any: cheapest(null),
            post: cheapest('post'),
            quote: cheapest('quote'),
            thread: cheapest('thread'),
          },
        },
      ] as const;
    }),
  );
  sales.set(creators, (sales.get(creators) ?? new Map<string, ReadonlyMap<RowFacts, Sale>>()).set(day, made));
  return made;
};

/** `match` with equal weights, else `segment` alone, else the audience on file, else none. */
export const referenceAudience = (query: Query, onFile: Audience): Audience | null => {
  const ids = query.match?.split(',').map((id) => id.trim()) ?? (query.segment === undefined ? [] : [query.segment]);
  const distinct = ids.filter((id, at) => ids.indexOf(id) === at);
  if (distinct.length > 0) return distinct.map((id) => ({ id, weight: 1 / distinct.length }));
  return onFile.length > 0 ? onFile : null;
};

/** clamp(3 x floor(budget / median cheapest price of good fits), 10, 50); 25 without a price. */
const shortlist = (budgetUsd: number, bookable: readonly { score: number | null; cents: number }[]): number => {
  const good = bookable.filter(({ score }) => (score ?? 0) > 50);
  const prices = (good.length > 0 ? good : bookable).map(({ cents }) => cents).sort((one, other) => one - other);
  const half = prices.length / 2;
  const [low, high] = [prices[Math.ceil(half) - 1], prices[Math.floor(half)]];
  if (low === undefined || high === undefined) return 25;
  return Math.min(50, Math.max(10, 3 * Math.floor((budgetUsd * 100) / ((low + high) / 2))));
};

/** A text without case and marks, in compatible forms, as lists compare it (docs/domain/network.md#lists). */
const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase();

/** Filters and sorts objects sentence by sentence (docs/domain/network.md#lists), without columns or caches. */
export const referenceList = (
  creators: readonly RowFacts[],
  {
    query,
    audience,
    day,
    handleOf,
  }: { query: Query; audience: Audience | null; day: string; handleOf: (id: string) => string },
): ReferenceList => {
  const sold = salesOn(creators, day);
  const listed = [...sold.keys()];
  const cheapest = (one: RowFacts): number | null => sold.get(one)?.cheapest[query.format ?? 'any'] ?? null;
  const scores = audience === null ? null : scoresOf(creators, audience, day);
  const reaches = (one: RowFacts, id: string) => weightOf(one, id) >= 0.15;
  const least = (value: number | null, bound: number | undefined) =>
    bound === undefined || (value !== null && value >= bound);
  const most = (value: number | null, bound: number | undefined) =>
    bound === undefined || (value !== null && value <= bound);
  const same = (value: string | null, wanted: string | undefined) =>
    wanted === undefined || (value !== null && value.toLowerCase() === wanted.toLowerCase());
  const named = (one: RowFacts): boolean => {
    if (query.q === undefined) return true;
    const handle = handleOf(one._id).toLowerCase();
    const words = handle.split(/_|(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)/).filter(({ length }) => length >= 4);
    return plain(query.q)
      .split(/\s+/)
      .every((term) => {
        const name = term.startsWith('@') ? term.slice(1) : term;
        return (
          plain(one.name ?? '').includes(term) ||
          plain(one.bio ?? '').includes(term) ||
          (name.length >= 3 && [handle, ...words].includes(name))
        );
      });
  };
  const times100 = (bound: number | undefined) => (bound === undefined ? undefined : bound * 100);

  const passing = listed.filter((one) => {
    const price = cheapest(one);
    return (
      (audience === null || audience.some(({ id }) => reaches(one, id))) &&
      (query.match === undefined || query.segment === undefined || reaches(one, query.segment)) &&
      least(scores?.get(one._id) ?? null, query.match_min) &&
      (query.reach_band === undefined || one.reach_band === query.reach_band) &&
      (query.on_sale === undefined || sold.get(one)?.bookable === query.on_sale) &&
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
        return cheapest(one);
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
  const bookable = sorted.flatMap((one) => {
    const { bookable, cheapest } = sold.get(one) as Sale;
    return bookable ? [{ score: scores?.get(one._id) ?? null, cents: cheapest[query.format ?? 'any'] ?? 0 }] : [];
  });
  return {
    ids: sorted.map((one) => one._id),
    priced: bookable.length,
    scores: sorted.map((one) => scores?.get(one._id) ?? null),
    limit: query.limit ?? (query.budget === undefined ? 24 : shortlist(query.budget, bookable)),
    catalog: { approved: listed.length, priced: [...sold.values()].filter((one) => one.bookable).length },
  };
};
