import { randomUUID } from 'node:crypto';
import type { Collection, Store, Tx } from '@cds/service';
import type { KeyChange, Keys } from './keys.js';

type KeyChangeRow = { _id: string; at: Date; change: KeyChange };

/** So many are taken up in one look. */
const BATCH = 100;

/**
 * Changes of keys that a transaction decided, on their way to the keys. No transaction writes to a key: its locks would
 * hold up whoever authenticates with it, for as long as the transaction is open (ADR 0006). The row commits with the
 * truth, in `mandates` or `workspaces`; the key is changed after the commit, before anybody is answered, and a sweep
 * takes up what a crash left. Each change may be made again, late or out of turn.
 */
export class KeyChanges {
  private readonly rows: Collection<KeyChangeRow>;

  constructor(
    store: Store,
    private readonly keys: Pick<Keys, 'apply'>,
  ) {
    this.rows = store.collection<KeyChangeRow>({ name: 'key_changes' });
  }

  /** Adds changes to the transaction that decides them; whoever commits it makes them afterwards. */
  async add(tx: Tx, changes: readonly KeyChange[], at: Date): Promise<KeyChangeRow[]> {
    const rows = changes.map((change): KeyChangeRow => ({ _id: randomUUID(), at, change }));
    if (rows.length > 0) await this.rows.insertMany(rows, tx.options());
    return rows;
  }

  /** Makes committed changes. When it raises, the sweep goes on. */
  async make(rows: readonly KeyChangeRow[]): Promise<void> {
    for (const { _id, change } of rows) {
      await this.keys.apply(change);
      await this.rows.deleteOne({ _id });
    }
  }

  /** Makes what somebody else committed and did not make; answers how many, and leaves what fails to the next look. */
  async makeLeft(workspace: string | null, failed: (error: unknown) => void): Promise<number> {
    const left = await this.rows
      .find(workspace === null ? {} : { 'change.ws': workspace })
      .sort({ at: 1 })
      .limit(BATCH)
      .toArray();
    let made = 0;
    for (const row of left) {
      try {
        await this.make([row]);
        made += 1;
      } catch (error) {
        failed(error);
      }
    }
    return made;
  }
}
