import { isDuplicate, type Store } from '@cds/service';
import type { mongo } from 'mongoose';

/** A published version of the brand terms; it never changes (domain 3-orders 3). `_id` is its date id. */
export type TermsVersion = { _id: string; number: number; text: string; text_sha256: string; published_at: Date };

export class Terms {
  private readonly rows: mongo.Collection<TermsVersion>;

  constructor(store: Store) {
    this.rows = store.collection<TermsVersion>({ name: 'terms', indexes: [{ key: { number: 1 }, unique: true }] });
  }

  /** Every published version and its number, the one in force first. */
  async numbers(): Promise<{ version: string; number: number }[]> {
    const found = await this.rows
      .find({}, { projection: { number: 1 } })
      .sort({ number: -1 })
      .toArray();
    return found.map((terms) => ({ version: terms._id, number: terms.number }));
  }

  async byVersion(version: string): Promise<TermsVersion | null> {
    return this.rows.findOne({ _id: version });
  }

  async current(): Promise<TermsVersion | null> {
    return this.rows.findOne({}, { sort: { number: -1 } });
  }

  /** Publishes a version, and answers false when its date id or its number is taken. */
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
