import { type Collection, isDuplicate, LostRace, type Store, type Tx } from '@cds/service';
import type { KeySettings } from './keys.js';

export type KeyVersionRow = {
  _id: string;
  ws: string;
  key_id: string;
  version: number;
  settings: KeySettings;
  actor: string;
  at: Date;
};

/** The versions of keys' settings: what decisions use, since the key itself is updated after the commit. */
export class KeyVersions {
  private readonly rows: Collection<KeyVersionRow>;

  constructor(store: Store) {
    this.rows = store.collection<KeyVersionRow>({
      name: 'key_versions',
      indexes: [{ key: { key_id: 1, version: 1 }, unique: true }],
    });
  }

  /** Adds a version. Raises LostRace when another writer was faster. */
  async add(tx: Tx, row: KeyVersionRow): Promise<void> {
    try {
      await this.rows.insertOne(row, tx.options());
    } catch (error) {
      throw isDuplicate(error) ? new LostRace('key') : error;
    }
  }

  async newest(ws: string, keyId: string): Promise<KeyVersionRow | null> {
    return this.rows.findOne({ ws, key_id: keyId }, { sort: { version: -1 } });
  }
}
