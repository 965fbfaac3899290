import type { Collection, Store, Tx } from '@cds/service';
import type { Reading } from '../domain/reading.js';

export class Readings {
  readonly rows: Collection<Reading>;

  constructor(store: Store) {
    this.rows = store.collection<Reading>({
      name: 'readings',
      indexes: [{ key: { line_id: 1, captured_at: 1, source: 1 }, unique: true }, { key: { ws: 1 } }],
    });
  }

  async ofLine(ws: string, lineId: string): Promise<Reading[]> {
    return this.rows.find({ ws, line_id: lineId }).sort({ captured_at: 1 }).toArray();
  }

  async add(tx: Tx, ...readings: readonly Reading[]): Promise<void> {
    if (readings.length > 0) await this.rows.insertMany([...readings], tx.options());
  }
}
