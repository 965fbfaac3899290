import { CREATOR_SORTS, FORMATS, GOALS, type Input, REACH_BANDS, SEGMENTS } from '@cds/contracts';

type Query = Input<'creators_search'>;

/** A list as it is requested, by a query string or by a tool's arguments, and the query that is meant. */
export type DrawnList = { sent: string | Record<string, unknown>; query: Query };

export type Known = {
  texts: () => string;
  country: () => string | null;
  language: () => string | null;
  followers: () => number | null;
  rate: () => number | null;
};

const ODD_TEXTS = [
  '.*',
  '[a-z]',
  '(',
  '\\',
  '$',
  '%',
  '+',
  '&=#',
  'İ',
  'ß',
  '😀',
  '\u0000',
  '\u202e',
  'e\u0301',
  'ﬁ',
  'x'.repeat(100),
  '😀'.repeat(100),
  '@',
  '@demo',
  '@@demo',
  'demo_',
  '__proto__',
];

/** The fields that satisfy filter_required (docs/domain/network.md#lists). */
const NAMES: readonly (keyof Query)[] = [
  'q',
  'reach_band',
  'country',
  'language',
  'followers_min',
  'followers_max',
  'er_min',
  'format',
  'price_min',
  'price_max',
];

export const namesSomething = (query: Query): boolean => NAMES.some((name) => query[name] !== undefined);

/** Draws lists that callers may request, over either transport; what is refused has its tables at the edge. */
export const listsDrawn = (random: () => number, known: Known) => {
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <T>(of: readonly T[]): T => of[below(of.length)] as T;
  const cased = (text: string): string => pick([text, text, text.toUpperCase(), text.toLowerCase()]);

  const part = (): string => {
    const letters = [...(random() < 0.15 ? pick(ODD_TEXTS) : known.texts())];
    const from = below(letters.length);
    const taken = random() < 0.2 ? letters.slice(0, 100) : letters.slice(from, from + 1 + below(6));
    const text = cased(taken.join('')).trim();
    // Marks and signs that nobody sees are a blank, which the edge refuses.
    return /[^\p{M}\p{C}\s]/u.test(text) ? text : 'a';
  };

  const parameters: { readonly [N in keyof Required<Query>]: readonly [share: number, draw: () => Query[N]] } = {
    q: [0.2, part],
    segment: [0.15, () => pick(SEGMENTS).id],
    match: [
      0.3,
      () => Array.from({ length: random() < 0.1 ? 10 : 1 + below(3) }, () => pick(SEGMENTS).id).join(pick([',', ', '])),
    ],
    match_min: [0.12, () => pick([0, 1, 30, 31, 50, 51, 70, 100, below(80)])],
    reach_band: [0.12, () => pick(REACH_BANDS)],
    country: [0.08, () => cased(known.country() ?? 'Iceland')],
    language: [0.08, () => cased(known.language() ?? 'None')],
    followers_min: [0.12, () => known.followers() ?? 0],
    followers_max: [0.12, () => known.followers() ?? 9_999],
    er_min: [0.12, () => Math.min(100, known.rate() ?? pick([0, 0.01, 1.5, 100]))],
    format: [0.18, () => pick(FORMATS)],
    price_min: [0.14, () => below(pick([400, 4_000]))],
    price_max: [0.14, () => below(4_000)],
    sort: [0.75, () => pick(CREATOR_SORTS)],
    dir: [0.5, () => pick(['asc', 'desc'] as const)],
    goal: [0.15, () => pick(GOALS)],
    fit: [0.1, () => random() < 0.6],
    on_sale: [0.1, () => random() < 0.6],
    limit: [0.5, () => pick([1, 2, 7, 24, 49, 50])],
    offset: [0.4, () => pick([0, 1, 5, 23, 24, 100, 5_000, 10 ** 15 - 1])],
    budget: [0.2, () => pick([1, 49, 300, 1_500, 5_000, 1_000_000, 1 + below(6_000)])],
  };

  return (): DrawnList => {
    const query: Record<string, unknown> = {};
    for (const [name, [share, draw]] of Object.entries(parameters)) if (random() < share) query[name] = draw();
    if (query['match'] === undefined) delete query['match_min'];
    for (const figure of ['followers', 'price']) {
      const [least, most] = [query[`${figure}_min`], query[`${figure}_max`]];
      if (typeof least === 'number' && typeof most === 'number' && least > most)
        Object.assign(query, { [`${figure}_min`]: most, [`${figure}_max`]: least });
    }
    const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    return { sent: random() < 0.6 ? String(new URLSearchParams(texts)) : { ...query }, query: query as Query };
  };
};
