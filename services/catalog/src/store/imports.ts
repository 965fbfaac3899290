import type { Collection, Store } from '@cds/service';

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
/** A running import reports at least this often, in milliseconds; a silent one died with its process. */
const SILENT_MS = 30_000;

export class Imports {
  private readonly rows: Collection<ImportRow>;

  constructor(store: Store) {
    this.rows = store.collection<ImportRow>({
      name: 'imports',
      indexes: [{ key: { at: 1 }, expireAfterSeconds: KEPT_SECONDS }],
    });
  }

  async keep({ _id, ...facts }: Omit<ImportRow, 'at'>): Promise<void> {
    await this.rows.updateOne({ _id }, [{ $set: { ...literal(facts), at: '$$NOW' } }], { upsert: true });
  }

  async renew(id: string): Promise<void> {
    await this.rows.updateOne({ _id: id, done: false, failed: false }, [{ $set: { at: '$$NOW' } }]);
  }

  async byId(id: string): Promise<ImportRow | null> {
    const silent = { $and: [{ $not: '$done' }, { $lt: ['$at', { $subtract: ['$$NOW', SILENT_MS] }] }] };
    const [row = null] = await this.rows
      .aggregate<ImportRow>([{ $match: { _id: id.toLowerCase() } }, { $set: { failed: { $or: ['$failed', silent] } } }])
      .toArray();
    return row;
  }
}

/** Values taken literally by a pipeline: a message may begin with a dollar sign. */
const literal = (facts: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, { $literal: value }]));
