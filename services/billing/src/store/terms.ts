import { createHash } from 'node:crypto';
import { type Collection, isDuplicate, LostRace, type Store, type Tx } from '@cds/service';
import type { mongo } from 'mongoose';
import type { TermsNumber } from '../domain/offer.js';

/** Never changes; `_id` is its date id (docs/domain/orders.md#brand-terms). */
export type TermsVersion = { _id: string; number: number; text: string; text_sha256: string; published_at: Date };

export const termsVersion = (of: { version: string; number: number; text: string }, at: Date): TermsVersion => ({
  _id: of.version,
  number: of.number,
  text: of.text,
  text_sha256: createHash('sha256').update(of.text).digest('hex'),
  published_at: at,
});

export const TERMS = 'terms';
export const NUMBERS: mongo.Document[] = [
  { $sort: { number: -1 } },
  { $project: { _id: 0, version: '$_id', number: 1 } },
];

export class Terms {
  private readonly rows: Collection<TermsVersion>;

  constructor(store: Store) {
    this.rows = store.collection<TermsVersion>({ name: TERMS, indexes: [{ key: { number: 1 }, unique: true }] });
  }

  async numbers(): Promise<TermsNumber[]> {
    return this.rows.aggregate<TermsNumber>(NUMBERS).toArray();
  }

  async newest(): Promise<string | null> {
    return (await this.rows.findOne({}, { sort: { number: -1 }, projection: { _id: 1 } }))?._id ?? null;
  }

  async byVersion(version: string): Promise<TermsVersion | null> {
    return this.rows.findOne({ _id: version });
  }

  async current(): Promise<TermsVersion | null> {
    return this.rows.findOne({}, { sort: { number: -1 } });
  }

  page(below: number | null, limit: number): Promise<TermsVersion[]> {
    const older = below === null ? {} : { number: { $lt: below } };
    return this.rows.find(older, { sort: { number: -1 }, limit, projection: { text: 0 } }).toArray();
  }

  /** Raises LostRace when its date id or number was taken meanwhile. */
  async insert(tx: Tx, terms: TermsVersion): Promise<void> {
    try {
      await this.rows.insertOne(terms, tx.options());
    } catch (error) {
      throw isDuplicate(error) ? new LostRace('brand terms') : error;
    }
  }

  async publish(terms: TermsVersion): Promise<boolean> {
    try {
      await this.rows.insertOne(terms);
      return true;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return false;
    }
  }
}
