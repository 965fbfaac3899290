import { createHash } from 'node:crypto';
import type { Ctx } from '../bus/context.js';
import { canonicalJson } from '../commands/canonical.js';
import { uuid7 } from '../outbox/uuid7.js';
import type { Collection } from '../store/collection.js';
import type { Tx } from '../store/in-tx.js';
import type { Store } from '../store/store.js';

/**
 * Who did what to which object, written in the transaction of its effect; a sealer chains the rows later
 * (docs/reliability.md#audit).
 */
type AuditRow = {
  _id: string;
  ws: string;
  actor: string;
  action: string;
  object: string;
  /** The reason that an operator gave. */
  reason?: string;
  payload_hash: string;
  at: Date;
  format: 1;
  sealed: boolean;
};

/** An audit entry as an operation states it. Only the hash of `payload` is stored. */
export type Audited = {
  ws: string;
  actor: string;
  action: string;
  object: string;
  reason?: string;
  payload: unknown;
};

/** Who acts, as the audit names it: an operator, a person, a key, or the system itself. */
export const actorOf = ({ principal }: Pick<Ctx, 'principal'>): string => {
  if (principal.operator !== undefined) return `operator:${principal.operator.id}`;
  if (principal.person !== undefined) return `person:${principal.person.id}`;
  return principal.key === '' ? 'system' : `key:${principal.key}`;
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
