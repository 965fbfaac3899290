import type { Collection, Store, Tx } from '@cds/service';
import type { ReceiptRow } from '../domain/receipt.js';

/**
 * The receipts of signings and refusals, written with what they prove; none ever changes.
 * Only the reset of a sandbox removes any.
 */
export class Receipts {
  private readonly rows: Collection<ReceiptRow>;

  constructor(store: Store) {
    this.rows = store.collection<ReceiptRow>({ name: 'receipts', indexes: [{ key: { ws: 1, kind: 1 } }] });
  }

  async byId(ws: string, id: string): Promise<ReceiptRow | null> {
    return this.rows.findOne({ _id: id, ws });
  }

  /** Removes the receipts of a workspace's signings, whose orders are removed with them. */
  async removeSigned(tx: Tx, ws: string): Promise<void> {
    await this.rows.deleteMany({ ws, kind: 'signed' }, tx.options());
  }

  async add(tx: Tx, row: ReceiptRow): Promise<void> {
    await this.rows.insertOne(row, tx.options());
  }
}
