import { type MatchReason, REACH_BANDS } from '@cds/contracts';
import { HELD_POSTS } from '../domain/constants.js';
import { launchesFor, launchPart } from '../domain/launches/collabs.js';
import { matchReasons } from '../domain/matching/match-reasons.js';
import { type Audience, matchScore, reaches, topicOf } from '../domain/matching/score.js';
import { percentileIn } from '../domain/statistics.js';
import type { RowFacts } from '../present/creator.js';
import type { Changed, Columns } from './columns.js';
import { type CacheBounds, capacityFor, LruCache } from './lru-cache.js';
import type { Row } from './rows.js';

export type AudienceView = { key: string; scores: Uint8Array; reached: Uint8Array };

type Topics = { topics: Float64Array; launches: Uint8Array; reached: Uint8Array };

/** A cap on counted launches that fits one byte; a few already earn the full part of the score. */
const LAUNCHES_MAX = 255;

/** Topics take about 10 bytes a row, and survive versions that leave weights and collaborations unchanged. */
const TOPICS: CacheBounds = { most: 64, least: 4, places: 2_000_000 };

type Version = { rows: readonly Row[]; columns: Columns; day: string };

type Former = { scores: Scores; changed: Changed };

/**
 * Measured against the listed creators of one version; the next reuses unchanged inputs
 * (docs/reliability.md#catalog-memory).
 */
export class Scores {
  private medians: Float64Array | null;
  private rates: ReadonlyMap<string, Float64Array> | null;
  private readonly topics: LruCache<Topics>;

  constructor(
    readonly version: Version,
    private readonly cache: LruCache<unknown>,
    former: Former | null,
  ) {
    const keeps = (column: 'medians' | 'rates' | 'bands'): boolean =>
      former !== null && former.scores.version.columns[column] === version.columns[column];
    const unchanged: Unchanged = { reach: keeps('medians'), engagement: keeps('rates') && keeps('bands') };
    this.medians = former === null ? null : this.mediansAfter(former, unchanged.reach);
    this.rates = former !== null && unchanged.engagement ? former.scores.rates : null;
    const same = former !== null && sameParts(version, former);
    if (same)
      for (const [key, value] of former.scores.cache.entries()) if (isValid(key, unchanged)) cache.set(key, value);
    this.topics = same ? former.scores.topics : new LruCache(capacityFor(TOPICS, version.rows.length));
  }

  scoreOf(creator: RowFacts, audience: Audience): number {
    const weights = new Map(creator.weights.map(({ id, w }) => [id, w]));
    return matchScore({
      topic: topicOf(audience, (id) => weights.get(id) ?? 0),
      reach: this.reachPercentile(creator),
      engagement: this.engagementPercentile(creator),
      launches: launchPart(this.launchesOf(creator, audience)),
    });
  }

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
      launches: launchesFor(creator.collabs ?? [], audience, this.version.day),
    });
  }

  view(audience: Audience): AudienceView {
    const key = audience.map(({ id, weight }) => `${id}=${weight}`).join(',');
    return this.cached(`audience|${key}`, () => {
      const { topics, launches, reached } = this.topics.getOrCompute(key, () => this.topicsFor(audience));
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

  private cached<T>(key: string, compute: () => T): T {
    return this.cache.getOrCompute(key, compute) as T;
  }

  private topicsFor(audience: Audience): Topics {
    const size = this.version.rows.length;
    const made = {
      topics: new Float64Array(size),
      launches: new Uint8Array(size),
      reached: new Uint8Array(size),
    };
    for (const [index, { weights, creator }] of this.version.rows.entries()) {
      const weightOn = (id: string): number => weights.get(id) ?? 0;
      made.topics[index] = topicOf(audience, weightOn);
      made.launches[index] = Math.min(LAUNCHES_MAX, this.launchesOf(creator, audience));
      made.reached[index] = reaches(audience, weightOn) ? 1 : 0;
    }
    return made;
  }

  private launchesOf({ collabs = [] }: RowFacts, audience: Audience): number {
    return collabs.length === 0 ? 0 : launchesFor(collabs, audience, this.version.day).count;
  }

  private reachPercentiles(): Float64Array {
    return this.cached('percentiles|reach', () => {
      const sorted = this.sortedMedians();
      return this.version.columns.medians.map((views) => (Number.isNaN(views) ? views : percentileIn(sorted, views)));
    });
  }

  private engagementPercentiles(): Float64Array {
    return this.cached('percentiles|engagement', () => {
      const { rates, bands } = this.version.columns;
      const sorted = REACH_BANDS.map((band) => this.sortedRates().get(band) ?? new Float64Array());
      return rates.map((rate, index) =>
        Number.isNaN(rate) ? rate : percentileIn(sorted[bands[index] as number] as Float64Array, rate),
      );
    });
  }

  private sortedMedians(): Float64Array {
    this.medians ??= known(this.version.columns.medians);
    return this.medians;
  }

  private mediansAfter({ scores, changed }: Former, same: boolean): Float64Array | null {
    if (scores.medians === null || same) return scores.medians;
    const of = (column: Float64Array) =>
      known(Float64Array.from(changed.places, (place) => column[place] ?? Number.NaN));
    return resorted(scores.medians, of(scores.version.columns.medians), of(this.version.columns.medians));
  }

  private sortedRates(): ReadonlyMap<string, Float64Array> {
    this.rates ??= this.ratesByBand();
    return this.rates;
  }

  private ratesByBand(): ReadonlyMap<string, Float64Array> {
    const byBand = new Map<string, number[]>();
    for (const { creator } of this.version.rows) {
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

type Unchanged = { reach: boolean; engagement: boolean };

/** Cached scores stay valid until an input changes: a price changes none, a view count leaves engagement alone. */
const isValid = (key: string, { reach, engagement }: Unchanged): boolean => {
  if (key === 'percentiles|reach') return reach;
  if (key === 'percentiles|engagement') return engagement;
  return key.startsWith('audience|') && reach && engagement;
};

const partsOf = (row: Row | undefined): string =>
  JSON.stringify([row?.creator._id, row?.creator.weights, row?.creator.collabs]);

const sameParts = ({ rows, day }: Version, { scores: { version: former }, changed }: Former): boolean =>
  day === former.day &&
  rows.length === former.rows.length &&
  changed.places.every((place) => partsOf(rows[place]) === partsOf(former.rows[place]));

const known = (values: Float64Array): Float64Array => values.filter((value) => !Number.isNaN(value)).sort();

/** Sorted values without `leaving` and with `entering`; all three are in order. */
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

const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;
