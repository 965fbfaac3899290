import type { Collection, Store, Tx } from '@cds/service';
import type { ReceiptRow } from '../domain/receipt.js';

/** The receipts of signings and refusals, written with what they prove; none ever changes. */
export class Receipts {
  private readonly rows: Collection<ReceiptRow>;

  constructor(store: Store) {
    this.rows = store.collection<ReceiptRow>({ name: 'receipts', indexes: [] });
  }

  async byId(ws: string, id: string): Promise<ReceiptRow | null> {
    return this.rows.findOne({ _id: id, ws });
  }

  async add(tx: Tx, row: ReceiptRow): Promise<void> {
    await this.rows.insertOne(row, tx.options());
  }
}
