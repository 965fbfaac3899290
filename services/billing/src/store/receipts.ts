import type { Collection, Store, Tx } from '@cds/service';
import type { ReceiptRow } from '../domain/receipt.js';

/**
 * The receipts of signings and refusals, written with what they prove; none ever changes.
 * Only the reset of a sandbox removes any.
 */
export class Receipts {
  /** The receipts of signings, which the reset of a sandbox removes with their orders. */
  readonly signed = { name: 'receipts', only: { kind: 'signed' } };
  private readonly rows: Collection<ReceiptRow>;

  constructor(store: Store) {
    this.rows = store.collection<ReceiptRow>({ name: 'receipts', indexes: [{ key: { ws: 1, kind: 1 } }] });
  }

  async byId(ws: string, id: string): Promise<ReceiptRow | null> {
    return this.rows.findOne({ _id: id, ws });
  }

  async add(tx: Tx, row: ReceiptRow): Promise<void> {
    await this.rows.insertOne(row, tx.options());
  }
}
