import type { AuditEntry, ServiceName } from '@cds/contracts';
import type { Ctx } from '../bus/context.js';
import { uuid7 } from '../outbox/uuid7.js';
import { canonicalJson } from '../pure/canonical-json.js';
import type { Collection } from '../store/collection.js';
import type { Tx } from '../store/in-tx.js';
import type { Store } from '../store/store.js';
import { readingOf } from '../telemetry/metrics.js';
import { AUDIT_FORMAT, sha256 } from './entry.js';

/** Who did what to which object, written in the transaction of its effect (docs/reliability.md#audit). */
export type AuditRow = {
  _id: string;
  ws: string;
  actor: string;
  action: string;
  object: string;
  reason?: string;
  payload_hash: string;
  at: Date;
  format: typeof AUDIT_FORMAT;
  sealed: boolean;
  /** Its place in the chain of its workspace, from 1, and the hashes of the entry before it and of itself. */
  seq?: number;
  prev?: string;
  hash?: string;
  /** Its place among all that this service sealed, from 1. */
  place?: number;
};

export type SealedRow = AuditRow & Required<Pick<AuditRow, 'seq' | 'prev' | 'hash' | 'place'>>;

/** An audit entry as an operation states it. Only the hash of `payload` is stored. */
export type Audited = {
  ws: string;
  actor: string;
  action: string;
  object: string;
  reason?: string;
  payload: unknown;
};

/** Who acts, as the audit names it: an operator, a person, a creator by the proposal, a key, or the system itself. */
export const actorOf = ({ principal }: Pick<Ctx, 'principal'>): string => {
  if (principal.operator !== undefined) return `operator:${principal.operator.id}`;
  if (principal.person !== undefined) return `person:${principal.person.id}`;
  if (principal.creator !== undefined) return `creator:${principal.creator.proposal}`;
  if (principal.audience === 'relay') return 'relay';
  return principal.key === '' ? 'system' : `key:${principal.key}`;
};

/** A row as the entry that is hashed. The reason is hashed by itself, so that an entry can be shown without it. */
export const entryOf = (service: ServiceName, row: AuditRow, seq: number, prev: string): Omit<AuditEntry, 'hash'> => ({
  format: row.format,
  service,
  workspace: row.ws,
  seq,
  prev,
  id: row._id,
  at: row.at.toISOString(),
  actor: row.actor,
  action: row.action,
  object: row.object,
  reason_hash: row.reason === undefined ? null : sha256(row.reason),
  payload_hash: row.payload_hash,
});

/** A sealed row as it is shown: with the stored hash, whatever the row now says. */
export const shownEntry = (service: ServiceName, row: SealedRow): AuditEntry => ({
  ...entryOf(service, row, row.seq, row.prev),
  hash: row.hash,
});

export class Audit {
  readonly rows: Collection<AuditRow>;

  constructor(private readonly store: Store) {
    this.rows = store.collection<AuditRow>({
      name: 'audit',
      indexes: [
        { key: { ws: 1, seq: 1 }, unique: true, partialFilterExpression: { sealed: true } },
        { key: { place: 1 }, unique: true, partialFilterExpression: { sealed: true } },
        { key: { sealed: 1, _id: 1 }, partialFilterExpression: { sealed: false } },
      ],
    });
    readingOf('cds_audit_unsealed_seconds', () => this.oldestUnsealedSeconds());
  }

  private async oldestUnsealedSeconds(): Promise<number> {
    const [oldest] = await this.unsealed(1);
    return oldest === undefined ? 0 : Math.max(0, (await this.store.about()).getTime() - oldest.at.getTime()) / 1_000;
  }

  async add(tx: Tx, entries: readonly Audited[], at: Date): Promise<void> {
    if (entries.length === 0) return;
    // Ids of one moment have no order. Sorting them seals a transaction's entries in the order in which it lists them.
    const ids = entries.map(() => uuid7(at)).sort();
    await this.rows.insertMany(
      entries.map(
        ({ payload, ...entry }, index): AuditRow => ({
          _id: ids[index] ?? uuid7(at),
          ...entry,
          payload_hash: sha256(canonicalJson(payload)),
          at,
          format: AUDIT_FORMAT,
          sealed: false,
        }),
      ),
      tx.options(),
    );
  }

  async hasUnsealed(): Promise<boolean> {
    return (await this.rows.findOne({ sealed: false }, { projection: { _id: 1 } })) !== null;
  }

  unsealed(limit: number): Promise<AuditRow[]> {
    return this.rows.find({ sealed: false }).sort({ _id: 1 }).limit(limit).toArray();
  }

  async seal(tx: Tx, sealed: readonly SealedRow[]): Promise<void> {
    const done = await this.rows.bulkWrite(
      sealed.map(({ _id, seq, prev, hash, place }) => ({
        updateOne: { filter: { _id, sealed: false }, update: { $set: { sealed: true, seq, prev, hash, place } } },
      })),
      tx.options(),
    );
    if (done.modifiedCount !== sealed.length) throw new Error('an audit entry was sealed by somebody else');
  }

  chain(ws: string, after: number, limit: number): Promise<SealedRow[]> {
    const later = { ws, sealed: true, seq: { $gt: after } };
    return this.rows.find<SealedRow>(later).sort({ seq: 1 }).limit(limit).toArray();
  }

  /**
   * Sealed entries before a place, newest first: of one chain, or of all chains in the order in which they were sealed.
   */
  newest(ws: string | null, before: number | null, limit: number): Promise<SealedRow[]> {
    const place = ws === null ? 'place' : 'seq';
    const earlier = before === null ? {} : { [place]: { $lt: before } };
    const filter = { sealed: true, ...(ws === null ? {} : { ws }), ...earlier };
    return this.rows
      .find<SealedRow>(filter)
      .sort({ [place]: -1 })
      .limit(limit)
      .toArray();
  }

  /** Every workspace that has a chain: each is one step through an index, however long the chains are. */
  async workspaces(): Promise<string[]> {
    const found: string[] = [];
    for (;;) {
      const last = found.at(-1);
      const next = await this.rows.findOne(
        { sealed: true, ...(last === undefined ? {} : { ws: { $gt: last } }) },
        { sort: { ws: 1 }, projection: { ws: 1 } },
      );
      if (next === null) return found;
      found.push(next.ws);
    }
  }
}
