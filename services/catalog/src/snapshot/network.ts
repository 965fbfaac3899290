import type { Format, PriceEstimate } from '@cds/contracts';
import type { Coverage } from '../domain/audience/coverage.js';
import { REACHES_FROM } from '../domain/constants.js';
import { startOf } from '../domain/days.js';
import type { Audience } from '../domain/matching/score.js';
import { type Sellers, sellersAt } from '../domain/pricing/guest-quote.js';
import { type EstimateBasis, estimateBasisOf, priceEstimate } from '../domain/pricing/price-estimate.js';
import { type Changed, type Columns, type Dictionaries, makeColumns } from './columns.js';
import { type CacheBounds, capacityFor, LruCache } from './lru-cache.js';
import { PrefixCache } from './prefix-cache.js';
import type { Row } from './rows.js';
import { Scores } from './scores.js';
import { SortOrders } from './sort-orders.js';
import { TextIndex } from './text-index.js';

const CACHED: CacheBounds = { most: 256, least: 16, places: 16_000_000 };

type Former = { network: Network; changed: Changed };

/** An immutable version on one day; the next takes over what did not change (docs/reliability.md#catalog-memory). */
export class Network {
  readonly columns: Columns;
  readonly orders: SortOrders;
  readonly scores: Scores;
  readonly text: TextIndex;
  readonly prefixes = new PrefixCache();
  readonly counts: { approved: number; priced: number };
  readonly coverageAsOf: string | null;
  private readonly cache: LruCache<unknown>;

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
    this.counts = { approved: rows.length, priced: sumOf(this.columns.bookable) };
    const newest = this.columns.synced.reduce((most, at) => (at > most ? at : most), 0);
    this.coverageAsOf = newest === 0 ? null : new Date(newest).toISOString();
    this.cache = new LruCache(capacityFor(CACHED, rows.length));
    this.scores = new Scores(
      { rows, columns: this.columns, day },
      this.cache,
      former && { scores: former.network.scores, changed: former.changed },
    );
    this.text = new TextIndex(rows);
  }

  ids(): string[] {
    return this.rows.map((row) => row.creator._id);
  }

  idAt(index: number): string {
    return this.rows[index]?.creator._id ?? '';
  }

  estimateOf({ creator, bookable }: Pick<Row, 'creator' | 'bookable'>): PriceEstimate | null {
    return bookable ? null : priceEstimate(creator, this.estimateBasis(), startOf(this.day));
  }

  reachesSegment(index: number, segment: string): boolean {
    return (this.rows[index]?.weights.get(segment) ?? 0) >= REACHES_FROM;
  }

  coverage(audience: Audience | null): Coverage {
    const view = audience === null ? null : this.scores.view(audience);
    return this.cached(`coverage|${view?.key ?? ''}`, () => {
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

  sellersOf(format: Format): Sellers {
    return this.cached(`sellers|${format}`, () => sellersAt(this.rows.map(({ cheapest }) => cheapest[format])));
  }

  cached<T>(key: string, compute: () => T): T {
    return this.cache.getOrCompute(key, compute) as T;
  }

  private estimateBasis(): EstimateBasis {
    return this.cached('estimate-basis', () =>
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
}

const sumOf = (values: Uint8Array): number => {
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) sum += values[index] ?? 0;
  return sum;
};
