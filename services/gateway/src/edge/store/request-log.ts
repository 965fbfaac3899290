import type { Transport } from '@cds/contracts';
import type { Collection, Store, Tx } from '@cds/service';
import type { SaidLimit } from '../domain/limits.js';

/**
 * One answered request of a key (docs/domain/requests.md#usage). `_id` is its attempt, so that it is stored once;
 * `path` is the declared one, without values.
 */
export type LogRow = {
  _id: string;
  at: Date;
  ws: string;
  key_id: string;
  transport: Transport;
  operation: string | null;
  method: string;
  path: string;
  status: number;
  code: string | null;
  reason: string | null;
  limit?: SaidLimit;
  /** A fault of its sandbox answered it, so no limit was reached. */
  rehearsed?: true;
  duration_ms: number;
  request_id: string;
  /** Of a row that does not stay for the whole time: it came after the first ones of its key's day. */
  expires_at?: Date;
};

export type LogPlace = Pick<LogRow, 'at' | '_id'>;

/** How long a row is kept (docs/domain/requests.md#usage, default). */
const KEPT_SECONDS = 90 * 86_400;
/**
 * How many rows of a key's UTC day are kept so long, how many there are at all, and for how long the rest is kept
 * (default). Every request counts in its day, also one without a row.
 */
const LOG_ROWS = { longADay: 300, aDay: 10_000, shortMs: 2 * 86_400_000 } as const;

export class RequestLogRows {
  private readonly rows: Collection<LogRow>;

  constructor(store: Store) {
    this.rows = store.collection<LogRow>({
      name: 'request_log',
      indexes: [
        { key: { at: 1 }, expireAfterSeconds: KEPT_SECONDS },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
        { key: { ws: 1, at: -1, _id: -1 } },
        { key: { key_id: 1, at: -1, _id: -1 } },
      ],
    });
  }

  /** Inserts a batch. `before` says of each row how many requests of its key's day came before it. */
  async insert(tx: Tx, rows: readonly LogRow[], before: readonly number[]): Promise<void> {
    const { longADay, aDay, shortMs } = LOG_ROWS;
    const kept = rows.flatMap((row, index) => {
      const place = before[index] ?? 0;
      if (place < longADay) return [row];
      // The first of a batch always has a row: it tells a batch that was stored before.
      if (place >= aDay && index > 0) return [];
      return [{ ...row, expires_at: new Date(row.at.getTime() + shortMs) }];
    });
    await this.rows.insertMany(kept, tx.options());
  }

  async page(ws: string, keyId: string | null, after: LogPlace | null, limit: number): Promise<LogRow[]> {
    const older = after === null ? {} : { $or: [{ at: { $lt: after.at } }, { at: after.at, _id: { $lt: after._id } }] };
    return this.rows
      .find({ ws, ...(keyId === null ? {} : { key_id: keyId }), ...older })
      .sort({ at: -1, _id: -1 })
      .limit(limit)
      .toArray();
  }
}
