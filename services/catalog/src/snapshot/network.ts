import type { Format } from '@cds/contracts';
import { isBookable, isBuyable } from '../domain/bookable.js';
import { REACHES_FROM } from '../domain/constants.js';
import type { Coverage } from '../domain/coverage.js';
import { type Audience, matchScore, reaches, topicOf } from '../domain/score.js';
import { percentileIn } from '../domain/statistics.js';
import type { RowFacts } from '../present/creator.js';
import { type EncodedRow, encodeRow } from '../present/row.js';

/** One listed creator in memory, ready for one day of the network. */
export type Row = EncodedRow & {
  creator: RowFacts;
  day: string;
  bookable: boolean;
  buyableUnits: number;
  /** Cheapest buyable price in cents, of any format and of each; NaN where none is on sale. */
  cheapest: Readonly<Record<Format | 'any', number>>;
  /** Name and bio in lower case, for `q`. */
  words: string;
  weights: ReadonlyMap<string, number>;
};

export const makeRow = (creator: RowFacts, day: string): Row => {
  const buyable = creator.units.filter((unit) => isBuyable(creator, unit, day));
  const cheapest = (format: Format | null): number => {
    const prices = buyable.flatMap((unit) =>
      unit.price !== null && (format === null || unit.format === format) ? [unit.price.price_cents] : [],
    );
    return prices.length === 0 ? Number.NaN : Math.min(...prices);
  };
  return {
    ...encodeRow(creator, day),
    creator,
    day,
    bookable: isBookable(creator, day),
    buyableUnits: buyable.length,
    cheapest: { any: cheapest(null), post: cheapest('post'), quote: cheapest('quote'), thread: cheapest('thread') },
    words: `${creator.name ?? ''}\n${creator.bio ?? ''}`.toLowerCase(),
    weights: new Map(creator.weights.map(({ id, w }) => [id, w])),
  };
};

/** What an audience makes of the network: the score of each row, and whether the row reaches it. */
export type AudienceView = { key: string; scores: Uint8Array; reached: Uint8Array };

/** Audiences, orders and lists kept per version of the network. */
const CACHE_MAX = 256;

/**
 * The listed creators of one version and one day, never changed: rows sorted by id, figures in columns, and what was
 * computed for an audience or an order kept beside them (reliability 3.12).
 */
export class Network {
  readonly rows: readonly Row[];
  readonly followers: Float64Array;
  readonly medians: Float64Array;
  readonly rates: Float64Array;
  readonly counts: { approved: number; priced: number };
  /** The newest sync among listed creators, null when there are none. */
  readonly coverageAsOf: string | null;
  private readonly indexes: ReadonlyMap<string, number>;
  private readonly sortedMedians: Float64Array;
  private readonly sortedRates: ReadonlyMap<string, Float64Array>;
  private readonly reachOf: Float64Array;
  private readonly engagementOf: Float64Array;
  private readonly cache = new Map<string, unknown>();

  constructor(
    rows: Iterable<Row>,
    readonly version: number,
    readonly day: string,
  ) {
    this.rows = [...rows].sort((one, other) => (one.creator._id < other.creator._id ? -1 : 1));
    this.indexes = new Map(this.rows.map((row, index) => [row.creator._id, index]));
    this.followers = column(this.rows, (row) => row.creator.followers);
    this.medians = column(this.rows, (row) => row.creator.median_views_30d);
    this.rates = column(this.rows, (row) => row.creator.engagement_rate_30d);
    this.sortedMedians = known(this.medians);
    this.sortedRates = this.ratesByBand();
    this.reachOf = column(this.rows, (row) => this.reachPercentile(row.creator));
    this.engagementOf = column(this.rows, (row) => this.engagementPercentile(row.creator));
    this.counts = { approved: this.rows.length, priced: this.rows.filter((row) => row.bookable).length };
    const newest = this.rows.reduce((most, row) => Math.max(most, row.creator.synced_at?.getTime() ?? 0), 0);
    this.coverageAsOf = newest === 0 ? null : new Date(newest).toISOString();
  }

  /** The creators in the order of the rows. */
  ids(): string[] {
    return this.rows.map((row) => row.creator._id);
  }

  /** The creator of a row. */
  idAt(index: number): string {
    return this.rows[index]?.creator._id ?? '';
  }

  has(id: string): boolean {
    return this.indexes.has(id);
  }

  /** The match score of any creator for an audience, measured against the listed ones. */
  scoreOf(creator: RowFacts, audience: Audience): number {
    const weights = new Map(creator.weights.map(({ id, w }) => [id, w]));
    return matchScore({
      topic: topicOf(audience, (id) => weights.get(id) ?? 0),
      reach: this.reachPercentile(creator),
      engagement: this.engagementPercentile(creator),
      launches: 0,
    });
  }

  /** Scores and reach of every row for an audience. */
  view(audience: Audience): AudienceView {
    const key = audience.map(({ id, weight }) => `${id}=${weight}`).join(',');
    return this.kept(`audience|${key}`, () => {
      const scores = new Uint8Array(this.rows.length);
      const reached = new Uint8Array(this.rows.length);
      for (const [index, row] of this.rows.entries()) {
        const weightOn = (id: string): number => row.weights.get(id) ?? 0;
        reached[index] = reaches(audience, weightOn) ? 1 : 0;
        scores[index] = matchScore({
          topic: topicOf(audience, weightOn),
          reach: orNull(this.reachOf[index]),
          engagement: orNull(this.engagementOf[index]),
          launches: 0,
        });
      }
      return { key, scores, reached };
    });
  }

  /** Whether a row reaches one segment. */
  reachesSegment(index: number, segment: string): boolean {
    return (this.rows[index]?.weights.get(segment) ?? 0) >= REACHES_FROM;
  }

  /** How the listed creators cover an audience, or the whole network without one. */
  coverage(audience: Audience | null): Coverage {
    const view = audience === null ? null : this.view(audience);
    const covered = { verified: 0, bookable: 0, pricedUnits: 0 };
    for (const [index, row] of this.rows.entries()) {
      if (view !== null && view.reached[index] === 0) continue;
      covered.verified += 1;
      if (!row.bookable) continue;
      covered.bookable += 1;
      covered.pricedUnits += row.buyableUnits;
    }
    return covered;
  }

  /** What was computed for a key of this version, or the result of computing it now; the longest unused goes first. */
  kept<T>(key: string, compute: () => T): T {
    const held = this.cache.get(key);
    const value = held === undefined ? compute() : (held as T);
    this.cache.delete(key);
    const oldest = this.cache.keys().next();
    if (this.cache.size >= CACHE_MAX && oldest.done !== true) this.cache.delete(oldest.value);
    this.cache.set(key, value);
    return value;
  }

  private ratesByBand(): ReadonlyMap<string, Float64Array> {
    const byBand = new Map<string, number[]>();
    for (const { creator } of this.rows) {
      if (creator.engagement_rate_30d === null) continue;
      const rates = byBand.get(creator.reach_band) ?? [];
      rates.push(creator.engagement_rate_30d);
      byBand.set(creator.reach_band, rates);
    }
    return new Map([...byBand].map(([band, rates]) => [band, Float64Array.from(rates).sort()]));
  }

  private reachPercentile(creator: RowFacts): number | null {
    return creator.median_views_30d === null ? null : percentileIn(this.sortedMedians, creator.median_views_30d);
  }

  private engagementPercentile(creator: RowFacts): number | null {
    const rates = this.sortedRates.get(creator.reach_band);
    if (creator.engagement_rate_30d === null || rates === undefined) return null;
    return percentileIn(rates, creator.engagement_rate_30d);
  }
}

/** A column of figures; NaN stands for null. */
const column = (rows: readonly Row[], figure: (row: Row) => number | null): Float64Array =>
  Float64Array.from(rows, (row) => figure(row) ?? Number.NaN);

const known = (values: Float64Array): Float64Array => values.filter((value) => !Number.isNaN(value)).sort();

const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;
