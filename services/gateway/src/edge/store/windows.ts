import { type Collection, isDuplicate, type Store } from '@cds/service';
import { type WindowFields, windowFields } from './window.js';

type WindowRow = { _id: string } & Partial<WindowFields>;

export class Windows {
  private readonly rows: Collection<WindowRow>;

  constructor(store: Store) {
    this.rows = store.collection<WindowRow>({
      name: 'windows',
      indexes: [{ key: { seen_at: 1 }, expireAfterSeconds: 3_600 }],
    });
  }

  /** Counts one request and returns the window with the database time. */
  async count(id: string, limit: number, maxTimeMs: number): Promise<WindowFields> {
    const statement = () =>
      this.rows.findOneAndUpdate({ _id: id }, [{ $set: windowFields(limit) }], {
        upsert: true,
        returnDocument: 'after',
        writeConcern: { w: 1 },
        maxTimeMS: maxTimeMs,
      });
    const row = await statement().catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
      return statement(); // Two first requests raced; the row exists now.
    });
    if (row === null) throw new Error('an upsert returned no window');
    return row as WindowFields;
  }
}
