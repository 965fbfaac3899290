import type { Collection, Store, Tx } from '@cds/service';
import { type SealKeys, seal, unseal } from '../seal.js';

type ShownSecretRow = { _id: string; sealed: string; expires_at: Date };

/** How long the answer of a new key can be read again, in milliseconds (docs/domain/access.md#developers-area). */
const SHOWN_MS = 10 * 60_000;

const placeOf = (command: string): string => `shown_secrets ${command}`;

export class ShownSecrets {
  private readonly rows: Collection<ShownSecretRow>;

  constructor(
    store: Store,
    private readonly sealKeys: SealKeys,
  ) {
    this.rows = store.collection<ShownSecretRow>({
      name: 'shown_secrets',
      indexes: [{ key: { expires_at: 1 }, expireAfterSeconds: 0 }],
    });
  }

  async add(tx: Tx, command: string, secret: string, at: Date): Promise<void> {
    const expires_at = new Date(at.getTime() + SHOWN_MS);
    await this.rows.insertOne(
      { _id: command, sealed: seal(this.sealKeys, placeOf(command), secret), expires_at },
      tx.options(),
    );
  }

  /** The secret of a command, or null when its ten minutes are over by database time. */
  async of(command: string, now: Date): Promise<string | null> {
    const row = await this.rows.findOne({ _id: command, expires_at: { $gt: now } });
    return row === null ? null : unseal(this.sealKeys, placeOf(command), row.sealed);
  }
}
