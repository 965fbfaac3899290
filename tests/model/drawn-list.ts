import { CREATOR_SORTS, FORMATS, GOALS, type Input, REACH_BANDS, SEGMENTS } from '@cds/contracts';

type Query = Input<'creators_search'>;
type Name = keyof Query;

/** The transport of a list: texts of a query string, or values of a tool's arguments. */
type Transport = 'REST' | 'MCP';

/** A value as sent, and what the list takes it for; `taken` is absent where docs/domain/network.md#lists refuses it. */
type Value = { sent: unknown; taken?: unknown };

/** A list as requested: what is sent, which fields are refused for it, otherwise the query that is meant. */
export type DrawnList = {
  transport: Transport;
  /** The query string of REST, or the arguments of MCP. */
  sent: string | Record<string, unknown>;
  refused: string[];
  query: Query;
  /** What this draw contains, for counting. */
  holds: string[];
};

/** Texts in the network at this moment, from which free texts and exact filters are drawn. */
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

const SEGMENT_IDS = SEGMENTS.map(({ id }) => id);

/** Values that are not whole numbers, in a query string and in a tool's arguments. */
const NO_WHOLE: Readonly<Record<Transport, readonly unknown[]>> = {
  REST: [
    '',
    ' ',
    '-1',
    '-0',
    '1.5',
    '1.0',
    '1e1',
    '1E2',
    'NaN',
    'Infinity',
    '+5',
    '0x10',
    '٣',
    '1_0',
    '9'.repeat(16),
    ' 5',
  ],
  MCP: [-1, 1.5, Number.MAX_SAFE_INTEGER + 1, '1e1', 'NaN', '', '-1', '0x10', null, true, [], {}],
};
const NO_RATE: Readonly<Record<Transport, readonly unknown[]>> = {
  REST: ['', '-0.01', '100.01', '1.234', '1e1', 'NaN', 'Infinity', '+5', '.', '.5', '5.', '0x10', '1,5'],
  MCP: [-0.01, 100.01, 1.234, 'NaN', '', null, false, [5]],
};
const NO_TEXT: Readonly<Record<Transport, readonly unknown[]>> = {
  REST: ['', ' ', '\t\n', 'x'.repeat(101), '😀'.repeat(101), 'x'.repeat(5_000)],
  MCP: ['', ' ', '\u00a0', 'x'.repeat(101), '😀'.repeat(101), 'x'.repeat(100_000), '\ud800', 5, null, ['a']],
};
const NO_MATCH = [
  '',
  ',',
  'sales,',
  'sales,,gaming',
  'nobody',
  'sales,nobody',
  'Sales',
  'sales;gaming',
  SEGMENT_IDS.slice(0, 11).join(),
];
const NO_SEGMENT = ['', 'nobody', 'Sales', 'sales,gaming', ' sales', '__proto__', 'AI builders'];
const UNKNOWN = [
  'page',
  'Limit',
  'followers',
  'cursor',
  'constructor',
  'q[]',
  'sort_by',
  'price',
  'price_estimate',
  'estimate_max',
];

/** The fields that satisfy filter_required (docs/domain/network.md#lists). */
const NAMES: readonly Name[] = [
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

/** Whether a query satisfies filter_required by itself. */
export const namesSomething = (query: Query): boolean => NAMES.some((name) => query[name] !== undefined);

/**
 * Draws lists as callers may request them, right and wrong, over either transport. The draw itself determines what is
 * refused and what is meant: the reference of docs/domain/network.md#lists, docs/domain/access.md#every-request for
 * parameters.
 */
export const listsDrawn = (random: () => number, known: Known) => {
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <T>(of: readonly T[]): T => of[below(of.length)] as T;
  const cased = (text: string): string => pick([text, text, text.toUpperCase(), text.toLowerCase()]);

  const right = (sent: unknown, taken: unknown = sent): Value => ({ sent, taken });
  const wrong = (sent: unknown): Value => ({ sent });
  const whole = (transport: Transport, value: number): Value => {
    if (transport === 'MCP') return right(random() < 0.8 ? value : String(value), value);
    return right(random() < 0.9 ? String(value) : String(value).padStart(15, '0'), value);
  };
  const text = (value: string): Value => {
    const taken = value.trim();
    if (taken === '') return wrong(value);
    return right(random() < 0.1 ? ` ${value}\t` : value, taken);
  };
  const oneOf = (words: readonly string[]): Value => right(pick(words));
  const noneOf = (words: readonly string[]): Value =>
    wrong(pick(['', 'nothing', 'price_estimate', ` ${words[0]}`, words.join(), pick(words).toUpperCase()]));

  const part = (): string => {
    const whole_ = random() < 0.15 ? pick(ODD_TEXTS) : known.texts();
    if (random() < 0.2) return cased([...whole_].slice(0, 100).join(''));
    const letters = [...whole_];
    const from = below(letters.length);
    return cased(letters.slice(from, from + 1 + below(6)).join(''));
  };
  const match = (): string => {
    const count = random() < 0.1 ? 10 : 1 + below(3);
    return Array.from({ length: count }, () => pick(SEGMENT_IDS)).join(pick([',', ',', ', ']));
  };
  const rate = (): number => Math.min(100, known.rate() ?? pick([0, 0.01, 1.5, 100]));
  const pair = (one: number, other: number): [number, number] => (one <= other ? [one, other] : [other, one]);

  /** One parameter: how often it appears in a list, and its right and wrong values. */
  type Parameter = { share: number; right: (transport: Transport) => Value; wrong: (transport: Transport) => Value };
  const wholeFrom = (share: number, least: number, most: number | null, draw: () => number): Parameter => ({
    share,
    right: (transport) => whole(transport, draw()),
    wrong: (transport) => {
      const outside = [...(most === null ? [] : [most + 1]), ...(least > 0 ? [least - 1] : [])];
      const value = pick<unknown>([...outside, ...NO_WHOLE[transport]]);
      return wrong(transport === 'REST' ? String(value) : value);
    },
  });
  const word = (share: number, words: readonly string[]): Parameter => ({
    share,
    right: () => oneOf(words),
    wrong: () => noneOf(words),
  });
  const free = (share: number, draw: () => string): Parameter => ({
    share,
    right: () => text(draw()),
    wrong: (transport) => wrong(pick(NO_TEXT[transport])),
  });

  const parameters: Readonly<Record<Name, Parameter>> = {
    q: free(0.2, part),
    segment: { share: 0.15, right: () => right(pick(SEGMENT_IDS)), wrong: () => wrong(pick(NO_SEGMENT)) },
    match: { share: 0.3, right: () => right(match()), wrong: () => wrong(pick(NO_MATCH)) },
    match_min: wholeFrom(0.12, 0, 100, () => pick([0, 1, 30, 31, 50, 51, 70, 100, below(80)])),
    reach_band: word(0.12, REACH_BANDS),
    country: free(0.08, () => cased(known.country() ?? 'Nowhere')),
    language: free(0.08, () => cased(known.language() ?? 'None')),
    followers_min: wholeFrom(0.12, 0, null, () => known.followers() ?? 0),
    followers_max: wholeFrom(0.12, 0, null, () => known.followers() ?? 9_999),
    er_min: {
      share: 0.12,
      right: (transport) => {
        const value = rate();
        return transport === 'MCP' ? right(value) : right(random() < 0.5 ? String(value) : value.toFixed(2), value);
      },
      wrong: (transport) => wrong(pick(NO_RATE[transport])),
    },
    format: word(0.18, FORMATS),
    price_min: wholeFrom(0.14, 0, null, () => below(pick([400, 4_000]))),
    price_max: wholeFrom(0.14, 0, null, () => below(4_000)),
    sort: word(0.75, CREATOR_SORTS),
    dir: word(0.5, ['asc', 'desc']),
    goal: word(0.15, GOALS),
    fit: {
      share: 0.1,
      right: (transport) => {
        const value = random() < 0.6;
        return right(transport === 'MCP' && random() < 0.8 ? value : String(value), value);
      },
      wrong: (transport) =>
        wrong(pick(transport === 'MCP' ? [1, 'True', null, ''] : ['1', 'True', 'yes', '', 'false '])),
    },
    on_sale: {
      share: 0.1,
      right: (transport) => {
        const value = random() < 0.6;
        return right(transport === 'MCP' && random() < 0.8 ? value : String(value), value);
      },
      wrong: (transport) =>
        wrong(pick(transport === 'MCP' ? [1, 'True', null, ''] : ['1', 'True', 'yes', '', 'false '])),
    },
    limit: wholeFrom(0.5, 1, 50, () => pick([1, 2, 7, 24, 49, 50])),
    offset: wholeFrom(0.4, 0, null, () => pick([0, 1, 5, 23, 24, 100, 5_000, 10 ** 15 - 1])),
    budget: wholeFrom(0.2, 1, null, () => pick([1, 49, 300, 1_500, 5_000, 1_000_000, 1 + below(6_000)])),
  };

  const encoded = (value: unknown): string => {
    const plain = encodeURIComponent(String(value));
    return random() < 0.5 ? plain.replaceAll('%20', '+') : plain;
  };

  /** Fields that are refused together; a wrong bound is reported by itself. */
  const crossed = (values: ReadonlyMap<string, Value>): string[] => {
    const above = (least: string, most: string): boolean => {
      const [from, to] = [values.get(least)?.taken, values.get(most)?.taken];
      return typeof from === 'number' && typeof to === 'number' && from > to;
    };
    return [
      ...(above('followers_min', 'followers_max') ? ['followers_min'] : []),
      ...(above('price_min', 'price_max') ? ['price_min'] : []),
      ...(values.has('match_min') && !values.has('match') ? ['match_min'] : []),
    ];
  };

  return (): DrawnList => {
    const transport: Transport = random() < 0.6 ? 'REST' : 'MCP';
    // Most lists are right, some have one mistake, and some are wrong throughout, so that problems combine.
    const slip = pick([0, 0, 0, 0, 0, 0, 0.04, 0.04, 0.1, 0.7]);
    const careful = random() < 0.7;
    const values = new Map<string, Value>();
    for (const [name, parameter] of Object.entries(parameters))
      if (random() < parameter.share)
        values.set(name, random() < slip ? parameter.wrong(transport) : parameter.right(transport));
    if (careful) {
      if (!values.has('match')) values.delete('match_min');
      for (const figure of ['followers', 'price']) {
        const [least, most] = [values.get(`${figure}_min`), values.get(`${figure}_max`)];
        if (typeof least?.taken !== 'number' || typeof most?.taken !== 'number') continue;
        const [from, to] = pair(least.taken, most.taken);
        values.set(`${figure}_min`, whole(transport, from)).set(`${figure}_max`, whole(transport, to));
      }
    }
    const refused = new Set(crossed(values));
    const holds: string[] = [transport];
    for (const [name, { taken }] of values) {
      holds.push(taken === undefined ? `a wrong ${name}` : name);
      if (taken === undefined) refused.add(name);
    }
    for (const name of refused) if (values.get(name)?.taken !== undefined) holds.push(`${name} that clashes`);
    if (random() < slip / 4) {
      const name = pick(UNKNOWN);
      values.set(name, { sent: '1' });
      refused.add(name);
      holds.push('an unknown name');
    }

    const pairs = transport === 'MCP' ? [] : [...values].map(([name, { sent }]) => `${encoded(name)}=${encoded(sent)}`);
    if (transport === 'REST' && random() < slip / 4 && pairs.length > 0) {
      const name = pick([...values.keys()]);
      pairs.push(`${name}=${encoded(values.get(name)?.sent)}`);
      refused.add(name);
      holds.push('a name sent twice');
    }
    if (transport === 'REST' && random() < slip / 4 && !values.has('q')) {
      pairs.push('q=%ff');
      refused.add('q');
      holds.push('a broken escape');
    }
    if (refused.size > 2) holds.push('many problems');
    return {
      transport,
      sent:
        transport === 'REST'
          ? pairs.join('&')
          : Object.fromEntries([...values].map(([name, { sent }]) => [name, sent])),
      refused: [...refused].sort((one, other) => one.localeCompare(other)),
      query: Object.fromEntries([...values].map(([name, { taken }]) => [name, taken])) as Query,
      holds,
    };
  };
};

/** What every run with enough draws must contain, so that no parameter goes undrawn. */
export const MUST_HOLD: readonly string[] = [
  'REST',
  'MCP',
  'many problems',
  'an unknown name',
  'a name sent twice',
  'a broken escape',
  'followers_min that clashes',
  'price_min that clashes',
  'match_min that clashes',
  ...(
    [
      'q',
      'segment',
      'match',
      'match_min',
      'reach_band',
      'country',
      'language',
      'followers_min',
      'followers_max',
      'er_min',
      'format',
      'price_min',
      'price_max',
      'sort',
      'dir',
      'goal',
      'fit',
      'on_sale',
      'limit',
      'offset',
      'budget',
    ] satisfies Name[]
  ).flatMap((name) => [name, `a wrong ${name}`]),
];
