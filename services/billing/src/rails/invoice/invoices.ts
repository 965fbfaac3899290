import { type Collection, isDuplicate, LostRace, type Store, type Tx } from '@cds/service';
import type { InvoiceRow } from './invoice.js';

export class Invoices {
  private readonly rows: Collection<InvoiceRow>;

  constructor(store: Store) {
    this.rows = store.collection<InvoiceRow>({ name: 'invoices', indexes: [{ key: { ws: 1, order_id: 1 } }] });
  }

  async byKey(ws: string, railKey: string): Promise<InvoiceRow | null> {
    return this.rows.findOne({ _id: railKey, ws });
  }

  async open(invoice: InvoiceRow): Promise<InvoiceRow> {
    try {
      await this.rows.insertOne(invoice);
      return invoice;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return (await this.byKey(invoice.ws, invoice._id)) ?? invoice;
    }
  }

  /** Raises LostRace when it changed meanwhile. Leaves refunds as they are: one may be recorded meanwhile. */
  async save(before: InvoiceRow | null, after: InvoiceRow, tx?: Tx): Promise<void> {
    const options = tx?.options() ?? {};
    if (before === null) {
      await this.rows.insertOne(after, options).catch((error: unknown) => {
        throw isDuplicate(error) ? new LostRace('invoice') : error;
      });
      return;
    }
    const { _id, refunds: _recorded, ...rest } = after;
    const saved = await this.rows.updateOne(
      { _id, ws: before.ws, state: before.state, rev: before.rev },
      { $set: rest },
      options,
    );
    if (saved.matchedCount !== 1) throw new LostRace('invoice');
  }

  async refundCameBack(tx: Tx, ws: string, railKey: string, key: string): Promise<void> {
    await this.rows.updateOne(
      { _id: railKey, ws, 'refunds.key': key },
      { $set: { 'refunds.$.came_back': true } },
      tx.options(),
    );
  }

  async recordRefund(ws: string, railKey: string, refund: InvoiceRow['refunds'][number]): Promise<void> {
    await this.rows.updateOne({ _id: railKey, ws, 'refunds.key': { $ne: refund.key } }, { $push: { refunds: refund } });
  }
}
