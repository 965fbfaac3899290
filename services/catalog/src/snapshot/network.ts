import { type MatchReason, type PriceEstimate, REACH_BANDS } from '@cds/contracts';
import type { Coverage } from '../domain/audience/coverage.js';
import { HELD_POSTS, REACHES_FROM } from '../domain/constants.js';
import { startOf } from '../domain/days.js';
import { launchesFor, launchPart } from '../domain/launches/collabs.js';
import { matchReasons } from '../domain/matching/match-reasons.js';
import { type Audience, matchScore, reaches, topicOf } from '../domain/matching/score.js';
import { type EstimateBasis, estimateBasisOf, priceEstimate } from '../domain/pricing/price-estimate.js';
import { percentileIn } from '../domain/statistics.js';
import type { RowFacts } from '../present/creator.js';
import { type Changed, type Columns, type Dictionaries, makeColumns } from './columns.js';
import type { Row } from './rows.js';
import { SortOrders } from './sort-orders.js';

/** What an audience makes of the network: the score of each row, and whether the row reaches it. */
export type AudienceView = { key: string; scores: Uint8Array; reached: Uint8Array };

/** What each row brings to an audience's scores that no figure of the network changes. */
type Topics = { topics: Float64Array; launches: Uint8Array; reached: Uint8Array };

/** So many launches count in full many times over. */
const MANY = 255;

/** Things of a kind kept at a time: so many, and fewer where one of the whole network is large. */
type Bounds = { most: number; least: number; places: number };
/** Audiences and lists, per version. */
const KEPT: Bounds = { most: 256, least: 16, places: 16_000_000 };
/** Topics, about 10 bytes a row, which stand through versions that leave weights and collaborations alone. */
const TOPICS_KEPT: Bounds = { most: 64, least: 4, places: 2_000_000 };
const mostOf = ({ most, least, places }: Bounds, rows: number): number =>
  Math.max(least, Math.min(most, Math.floor(places / Math.max(1, rows))));

/** So many row prefixes are kept per version, about 0.5 KB each. */
const PREFIXES_MAX = 20_000;

/** A version that the next one is made of: which of its places changed. */
type Former = { network: Network; changed: Changed };

/**
 * The listed creators of one version and one day, never changed: rows, their figures in columns, the orders by each
 * figure, and what was computed for an audience or a list kept beside them. The next version takes over all that did not
 * change (reliability 3.12).
 */
export class Network {
  readonly columns: Columns;
  readonly orders: SortOrders;
  readonly counts: { approved: number; priced: number };
  /** The newest sync among listed creators, null when there are none. */
  readonly coverageAsOf: string | null;
  private medians: Float64Array | null;
  private rates: ReadonlyMap<string, Float64Array> | null;
  private readonly cache = new Map<string, unknown>();
  private readonly cacheMax: number;
  private readonly topics: Map<string, Topics>;
  private readonly prefixes = new Map<string, Map<number, Buffer>>();
  private prefixesKept = 0;

  constructor(
    readonly rows: readonly Row[],
    readonly version: number,
    readonly day: string,
    readonly dictionaries: Dictionaries,
    former: Former | null = null,
  ) {
    const before = former && { columns: former.network.columns, changed: former.changed };
    this.columns = makeColumns(rows, dictionaries, before);
    this.orders = new SortOrders(
      rows,
      this.columns,
      former && { orders: former.network.orders, changed: former.changed },
    );
    const keeps = (column: 'medians' | 'rates' | 'bands'): boolean =>
      before !== null && before.columns[column] === this.columns[column];
    this.medians = former === null ? null : this.mediansAfter(former, keeps('medians'));
    this.rates = former !== null && keeps('rates') && keeps('bands') ? former.network.rates : null;
    this.counts = { approved: rows.length, priced: sumOf(this.columns.bookable) };
    const newest = this.columns.synced.reduce((most, at) => (at > most ? at : most), 0);
    this.coverageAsOf = newest === 0 ? null : new Date(newest).toISOString();
    const holds: Holds = { reach: keeps('medians'), engagement: keeps('rates') && keeps('bands') };
    const same = former !== null && sameParts(this, former);
    if (same) for (const [key, value] of former.network.cache) if (stillHolds(key, holds)) this.cache.set(key, value);
    this.topics = same ? former.network.topics : new Map();
    this.cacheMax = mostOf(KEPT, rows.length);
  }

  /** The creators in the order of the rows. */
  ids(): string[] {
    return this.rows.map((row) => row.creator._id);
  }

  /** The creator of a row. */
  idAt(index: number): string {
    return this.rows[index]?.creator._id ?? '';
  }

  /** The match score of any creator for an audience, measured against the listed ones. */
  scoreOf(creator: RowFacts, audience: Audience): number {
    const weights = new Map(creator.weights.map(({ id, w }) => [id, w]));
    return matchScore({
      topic: topicOf(audience, (id) => weights.get(id) ?? 0),
      reach: this.reachPercentile(creator),
      engagement: this.engagementPercentile(creator),
      launches: launchPart(this.launchesOf(creator, audience)),
    });
  }

  /** Why a creator fits an audience, in words. */
  reasonsFor(creator: RowFacts, audience: Audience): MatchReason[] {
    const weights = new Map(creator.weights.map(({ id, w }) => [id, w]));
    return matchReasons({
      audience,
      weights: creator.weights,
      postsHeld: creator.posts_held ?? HELD_POSTS,
      topic: topicOf(audience, (id) => weights.get(id) ?? 0),
      reach: this.reachPercentile(creator),
      engagement: this.engagementPercentile(creator),
      medianViews: creator.median_views_30d,
      engagementRate: creator.engagement_rate_30d,
      launches: launchesFor(creator.collabs ?? [], audience, this.day),
    });
  }

  /** What a listed creator with nothing on sale might cost; null for a bookable one. */
  estimateOf({ creator, bookable }: Pick<Row, 'creator' | 'bookable'>): PriceEstimate | null {
    return bookable ? null : priceEstimate(creator, this.estimateBasis(), startOf(this.day));
  }

  /** Scores and reach of every row for an audience. */
  view(audience: Audience): AudienceView {
    const key = audience.map(({ id, weight }) => `${id}=${weight}`).join(',');
    return this.kept(`audience|${key}`, () => {
      const { topics, launches, reached } = this.topicsOf(key, audience);
      const reach = this.reachPercentiles();
      const engagement = this.engagementPercentiles();
      const scores = new Uint8Array(topics.length);
      for (let index = 0; index < topics.length; index += 1)
        scores[index] = matchScore({
          topic: topics[index] as number,
          reach: orNull(reach[index]),
          engagement: orNull(engagement[index]),
          launches: launchPart(launches[index] as number),
        });
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
    return this.kept(`coverage|${view?.key ?? ''}`, () => {
      const covered = { verified: 0, bookable: 0, pricedUnits: 0 };
      const { bookable, buyableUnits } = this.columns;
      for (let index = 0; index < this.rows.length; index += 1) {
        if (view !== null && view.reached[index] === 0) continue;
        covered.verified += 1;
        if (bookable[index] === 0) continue;
        covered.bookable += 1;
        covered.pricedUnits += buyableUnits[index] ?? 0;
      }
      return covered;
    });
  }

  /** The rows whose name or bio holds a text in lower case, as a mask: one search over one text of all of them. */
  holding(q: string): Uint8Array {
    const { text, starts } = this.kept('words', () => {
      const starts = new Uint32Array(this.rows.length + 1);
      let end = 0;
      for (const [index, { words }] of this.rows.entries()) {
        starts[index] = end;
        end += words.length;
      }
      starts[this.rows.length] = end;
      return { text: this.rows.map(({ words }) => words).join(''), starts };
    });
    const mask = new Uint8Array(this.rows.length);
    if (q.includes('\u0000')) return mask;
    let row = 0;
    for (let at = text.indexOf(q); at >= 0; at = text.indexOf(q, starts[row])) {
      while ((starts[row + 1] ?? text.length) <= at) row += 1;
      mask[row] = 1;
      row += 1;
      if (row >= this.rows.length) break;
    }
    return mask;
  }

  /** What was computed for a key of this version, or the result of computing it now; the longest unused goes first. */
  kept<T>(key: string, compute: () => T): T {
    const held = this.cache.get(key);
    const value = held === undefined ? compute() : (held as T);
    this.cache.delete(key);
    const oldest = this.cache.keys().next();
    if (this.cache.size >= this.cacheMax && oldest.done !== true) this.cache.delete(oldest.value);
    this.cache.set(key, value);
    return value;
  }

  /**
   * The encoded prefixes of rows for those who ask for the same, by the row's place: kept ones, or the result of encoding one
   * now. All are dropped when there are too many.
   */
  prefixesFor(asked: string, encode: (row: Row, place: number) => string): (row: Row, place: number) => Buffer {
    if (this.prefixesKept >= PREFIXES_MAX) {
      this.prefixes.clear();
      this.prefixesKept = 0;
    }
    const kept = this.prefixes.get(asked) ?? new Map<number, Buffer>();
    this.prefixes.set(asked, kept);
    return (row, place) => {
      const held = kept.get(place);
      if (held !== undefined) return held;
      const prefix = Buffer.from(encode(row, place));
      kept.set(place, prefix);
      this.prefixesKept += 1;
      return prefix;
    };
  }

  /** What the rows bring to an audience; the longest unused goes first. */
  private topicsOf(key: string, audience: Audience): Topics {
    const held = this.topics.get(key) ?? this.topicsFor(audience);
    this.topics.delete(key);
    const oldest = this.topics.keys().next();
    if (this.topics.size >= mostOf(TOPICS_KEPT, this.rows.length) && oldest.done !== true)
      this.topics.delete(oldest.value);
    this.topics.set(key, held);
    return held;
  }

  private topicsFor(audience: Audience): Topics {
    const size = this.rows.length;
    const made = {
      topics: new Float64Array(size),
      launches: new Uint8Array(size),
      reached: new Uint8Array(size),
    };
    for (const [index, { weights, creator }] of this.rows.entries()) {
      const weightOn = (id: string): number => weights.get(id) ?? 0;
      made.topics[index] = topicOf(audience, weightOn);
      made.launches[index] = Math.min(MANY, this.launchesOf(creator, audience));
      made.reached[index] = reaches(audience, weightOn) ? 1 : 0;
    }
    return made;
  }

  private launchesOf({ collabs = [] }: RowFacts, audience: Audience): number {
    return collabs.length === 0 ? 0 : launchesFor(collabs, audience, this.day).count;
  }

  /** What estimates of this version are made from: its bookable measured posts, and the rates of its bands. */
  private estimateBasis(): EstimateBasis {
    return this.kept('estimate-basis', () =>
      estimateBasisOf(
        this.rows.flatMap(({ creator, bookable, cheapest }) => {
          const views = creator.expected_views?.post.mid ?? 0;
          return !bookable || Number.isNaN(cheapest.post) || views === 0
            ? []
            : [{ band: creator.reach_band, costUsd: (cheapest.post * 10) / views, syncedAt: creator.synced_at }];
        }),
        this.rows.flatMap(({ creator: { reach_band: band, engagement_rate_30d: rate } }) =>
          rate === null ? [] : [{ band, rate }],
        ),
      ),
    );
  }

  private reachPercentiles(): Float64Array {
    return this.kept('percentiles|reach', () => {
      const sorted = this.sortedMedians();
      return this.columns.medians.map((views) => (Number.isNaN(views) ? views : percentileIn(sorted, views)));
    });
  }

  private engagementPercentiles(): Float64Array {
    return this.kept('percentiles|engagement', () => {
      const { rates, bands } = this.columns;
      const sorted = REACH_BANDS.map((band) => this.sortedRates().get(band) ?? new Float64Array());
      return rates.map((rate, index) =>
        Number.isNaN(rate) ? rate : percentileIn(sorted[bands[index] as number] as Float64Array, rate),
      );
    });
  }

  /** The known median views in order: sorted when they are first asked for, then carried from version to version. */
  private sortedMedians(): Float64Array {
    this.medians ??= known(this.columns.medians);
    return this.medians;
  }

  private mediansAfter({ network, changed }: Former, same: boolean): Float64Array | null {
    if (network.medians === null || same) return network.medians;
    const of = (column: Float64Array) =>
      known(Float64Array.from(changed.places, (place) => column[place] ?? Number.NaN));
    return resorted(network.medians, of(network.columns.medians), of(this.columns.medians));
  }

  private sortedRates(): ReadonlyMap<string, Float64Array> {
    this.rates ??= this.ratesByBand();
    return this.rates;
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
    return creator.median_views_30d === null ? null : percentileIn(this.sortedMedians(), creator.median_views_30d);
  }

  private engagementPercentile(creator: RowFacts): number | null {
    const rates = this.sortedRates().get(creator.reach_band);
    if (creator.engagement_rate_30d === null || rates === undefined) return null;
    return percentileIn(rates, creator.engagement_rate_30d);
  }
}

/** Which figures of a former version nothing changed. */
type Holds = { reach: boolean; engagement: boolean };

/** What is kept of scores holds as long as none of their parts changed: a price changes none, a view count leaves engagement. */
const stillHolds = (key: string, { reach, engagement }: Holds): boolean => {
  if (key === 'percentiles|reach') return reach;
  if (key === 'percentiles|engagement') return engagement;
  return key.startsWith('audience|') && reach && engagement;
};

/** The parts of a score that stand on the creator alone, as one text. */
const partsOf = (row: Row | undefined): string =>
  JSON.stringify([row?.creator._id, row?.creator.weights, row?.creator.collabs]);

const sameParts = ({ rows, day }: Network, { network, changed }: Former): boolean =>
  day === network.day &&
  rows.length === network.rows.length &&
  changed.places.every((place) => partsOf(rows[place]) === partsOf(network.rows[place]));

const known = (values: Float64Array): Float64Array => values.filter((value) => !Number.isNaN(value)).sort();

/** Sorted values without some of them and with others; all three are in order. */
const resorted = (values: Float64Array, leaving: Float64Array, entering: Float64Array): Float64Array => {
  const next = new Float64Array(values.length - leaving.length + entering.length);
  let at = 0;
  let left = 0;
  let entered = 0;
  for (const value of values) {
    if (left < leaving.length && leaving[left] === value) {
      left += 1;
      continue;
    }
    while (entered < entering.length && (entering[entered] as number) <= value)
      next[at++] = entering[entered++] as number;
    next[at++] = value;
  }
  while (entered < entering.length) next[at++] = entering[entered++] as number;
  return next;
};

const sumOf = (values: Uint8Array): number => {
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) sum += values[index] ?? 0;
  return sum;
};

const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;
