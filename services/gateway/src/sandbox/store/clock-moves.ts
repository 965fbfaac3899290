import type { Collection, Store, Tx } from '@cds/service';

/** One command's move of a sandbox's clock, so that the same command never moves it twice. */
export type ClockMoveRow = { _id: string; ws: string; offset_ms: number; at: Date };

const KEPT_SECONDS = 8 * 86_400;

export class ClockMoves {
  private readonly rows: Collection<ClockMoveRow>;

  constructor(store: Store) {
    this.rows = store.collection<ClockMoveRow>({
      name: 'clock_moves',
      indexes: [{ key: { at: 1 }, expireAfterSeconds: KEPT_SECONDS }],
    });
  }

  async byCommand(ws: string, commandId: string): Promise<ClockMoveRow | null> {
    return this.rows.findOne({ _id: commandId, ws });
  }

  async insert(tx: Tx, row: ClockMoveRow): Promise<void> {
    await this.rows.insertOne(row, tx.options());
  }
}
