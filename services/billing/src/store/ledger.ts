import { type Collection, counterOf, type Store, type Tx } from '@cds/service';
import type { LedgerEntry } from '../domain/order-state.js';

const added = counterOf('cds_ledger_entries_total');
const cents = counterOf('cds_ledger_cents_total');

export class Ledger {
  private readonly rows: Collection<LedgerEntry>;

  constructor(store: Store) {
    this.rows = store.collection<LedgerEntry>({
      name: 'ledger',
      indexes: [
        { key: { order_id: 1, rail_ref: 1, kind: 1 }, unique: true },
        { key: { ws: 1, order_id: 1, seq: 1 } },
        { key: { rail: 1, rail_ref: 1 } },
      ],
    });
  }

  async of(ws: string, orderId: string, tx?: Tx): Promise<LedgerEntry[]> {
    return this.rows.find({ ws, order_id: orderId }, tx?.options()).sort({ seq: 1 }).toArray();
  }

  async ofPayment(rail: string, payment: string): Promise<LedgerEntry | null> {
    return this.rows.findOne({ rail, rail_ref: payment, kind: { $in: ['charge', 'stray_charge'] } });
  }

  async add(tx: Tx, entries: readonly LedgerEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.rows.insertMany([...entries], tx.options());
    tx.committed(() => {
      for (const { kind, rail, amount_cents: amount } of entries) {
        added.add(1, { kind, rail });
        cents.add(Math.abs(amount), { kind, rail });
      }
    });
  }
}
