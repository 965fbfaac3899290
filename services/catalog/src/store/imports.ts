import type { Store } from '@cds/service';
import type { mongo } from 'mongoose';

/** How far an import is: its counts and refusals, in our own words and without what was imported. */
export type ImportRow = {
  _id: string;
  created: number;
  updated: number;
  unchanged: number;
  refused: { row: number; field: string; message: string }[];
  dry_run: boolean;
  done: boolean;
  failed: boolean;
  at: Date;
};

const KEPT_SECONDS = 7 * 86_400;

/** How far each import is, for whoever asks while it goes on; `_id` is the file. */
export class Imports {
  private readonly rows: mongo.Collection<ImportRow>;

  constructor(store: Store) {
    this.rows = store.collection<ImportRow>({
      name: 'imports',
      indexes: [{ key: { at: 1 }, expireAfterSeconds: KEPT_SECONDS }],
    });
  }

  async keep({ _id, ...facts }: Omit<ImportRow, 'at'>): Promise<void> {
    await this.rows.updateOne({ _id }, [{ $set: { ...literal(facts), at: '$$NOW' } }], { upsert: true });
  }

  byId(id: string): Promise<ImportRow | null> {
    return this.rows.findOne({ _id: id.toLowerCase() });
  }
}

/** Values that a pipeline takes as they are: a message may begin with a dollar. */
const literal = (facts: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, { $literal: value }]));
