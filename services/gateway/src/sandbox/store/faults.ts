import type { Collection, Store, Tx } from '@cds/service';
import type { Fault } from '../domain/fault.js';

/** A fault of a sandbox: `left` calls are still to get it. `seq` orders the faults of one operation. */
export type FaultRow = Fault & { _id: string; ws: string; left: number; seq: number; at: Date };

const SPENT_SECONDS = 86_400;

export class Faults {
  private readonly rows: Collection<FaultRow>;

  constructor(store: Store) {
    this.rows = store.collection<FaultRow>({
      name: 'faults',
      indexes: [
        { key: { ws: 1, operation: 1, seq: 1 } },
        { key: { at: 1 }, expireAfterSeconds: SPENT_SECONDS, partialFilterExpression: { left: 0 } },
      ],
    });
  }

  /** The faults of a sandbox that some call is still to get, in their order. */
  async armed(ws: string): Promise<FaultRow[]> {
    return this.rows
      .find({ ws, left: { $gt: 0 } })
      .sort({ seq: 1 })
      .toArray();
  }

  /** Counts a call on the first fault of its operation, in one statement for all replicas; null without one. */
  async take(ws: string, operation: string): Promise<FaultRow | null> {
    return this.rows.findOneAndUpdate(
      { ws, operation, left: { $gt: 0 } },
      { $inc: { left: -1 } },
      { sort: { seq: 1 }, returnDocument: 'after' },
    );
  }

  async insert(tx: Tx, row: FaultRow): Promise<void> {
    await this.rows.insertOne(row, tx.options());
  }

  async clear(tx: Tx, ws: string): Promise<void> {
    await this.rows.deleteMany({ ws }, tx.options());
  }
}
