import { createHash } from 'node:crypto';
import { canonicalJson } from '../commands/canonical.js';
import { uuid7 } from '../outbox/outbox.js';
import type { Collection } from '../store/collection.js';
import type { Tx } from '../store/in-tx.js';
import type { Store } from '../store/store.js';

/** Who did what to which object, as a business transaction records it; the sealer chains it later (reliability 3.17). */
export type AuditRow = {
  _id: string;
  ws: string;
  actor: string;
  action: string;
  object: string;
  /** Why an operator did it. */
  reason?: string;
  payload_hash: string;
  at: Date;
  format: 1;
  sealed: boolean;
};

/** An entry as an operation names it; `payload` is hashed, never kept. */
export type Audited = {
  ws: string;
  actor: string;
  action: string;
  object: string;
  reason?: string;
  payload: unknown;
};

export class Audit {
  readonly rows: Collection<AuditRow>;

  constructor(store: Store) {
    this.rows = store.collection<AuditRow>({
      name: 'audit',
      indexes: [{ key: { ws: 1, at: 1 } }, { key: { sealed: 1 }, partialFilterExpression: { sealed: false } }],
    });
  }

  async add(tx: Tx, entries: readonly Audited[], at: Date): Promise<void> {
    if (entries.length === 0) return;
    await this.rows.insertMany(
      entries.map(
        ({ payload, ...entry }): AuditRow => ({
          _id: uuid7(at),
          ...entry,
          payload_hash: createHash('sha256').update(canonicalJson(payload)).digest('hex'),
          at,
          format: 1,
          sealed: false,
        }),
      ),
      tx.options(),
    );
  }
}
