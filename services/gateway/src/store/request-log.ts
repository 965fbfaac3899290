import type { Transport } from '@cds/contracts';
import type { Collection, Store, Tx } from '@cds/service';
import type { SaidLimit } from '../domain/limits.js';

/**
 * One answered request of a key (docs/domain/access.md#usage). `_id` is its attempt, so that it is stored once; `path`
 * is the declared one, without values.
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
  /** Of a request that a limit refused. */
  limit?: SaidLimit;
  /** A fault of its sandbox answered it, so no limit was reached. */
  rehearsed?: true;
  duration_ms: number;
  request_id: string;
};

/** Where a page ends: the place of its last row. */
export type LogPlace = Pick<LogRow, 'at' | '_id'>;

/** How long a row is kept (docs/domain/access.md#usage, default). */
const KEPT_SECONDS = 90 * 86_400;

/** The request log of all workspaces. */
export class RequestLogRows {
  private readonly rows: Collection<LogRow>;

  constructor(store: Store) {
    this.rows = store.collection<LogRow>({
      name: 'request_log',
      indexes: [
        { key: { at: 1 }, expireAfterSeconds: KEPT_SECONDS },
        { key: { ws: 1, at: -1, _id: -1 } },
        { key: { key_id: 1, at: -1, _id: -1 } },
      ],
    });
  }

  async insert(tx: Tx, rows: readonly LogRow[]): Promise<void> {
    await this.rows.insertMany([...rows], tx.options());
  }

  /** Rows of a workspace or of one of its keys, newest first, after a place. */
  async page(ws: string, keyId: string | null, after: LogPlace | null, limit: number): Promise<LogRow[]> {
    const older = after === null ? {} : { $or: [{ at: { $lt: after.at } }, { at: after.at, _id: { $lt: after._id } }] };
    return this.rows
      .find({ ws, ...(keyId === null ? {} : { key_id: keyId }), ...older })
      .sort({ at: -1, _id: -1 })
      .limit(limit)
      .toArray();
  }
}
