import { randomUUID } from 'node:crypto';
import { type Collection, type Store, stepping, type Tx } from '@cds/service';
import type { Windows } from '../../../edge/port.js';
import { keyEnd, type RightEnd, workspaceEnd } from '../../rights/domain/rights.js';
import type { RightEnds } from '../../rights/store/right-ends.js';
import type { KeyChange, Keys } from './keys.js';
import type { Mandates } from './mandates.js';

export type KeyChangeRow = { _id: string; at: Date; change: KeyChange };

const PAGE = 100;

/**
 * Key changes that a transaction has decided, kept until the keys have them and no gateway acts on the old state. No
 * transaction writes to a key: its locks would delay everyone who authenticates with it (ADR 0006). The row commits
 * with the decision, in `mandates` or `workspaces`. The key is changed after the commit and before the answer, and a
 * sweep applies what a crash left. A change may be applied again, late or out of order.
 */
export class KeyChanges {
  private readonly rows: Collection<KeyChangeRow>;

  constructor(
    store: Store,
    private readonly keys: Pick<Keys, 'apply' | 'changedBy'>,
    private readonly windows: Pick<Windows, 'changed' | 'minute'>,
    private readonly mandates: Pick<Mandates, 'ended'>,
    private readonly rightEnds: Pick<RightEnds, 'add'>,
  ) {
    this.rows = store.collection<KeyChangeRow>({ name: 'key_changes' });
  }

  /**
   * Adds changes to the transaction that decides them; with a revocation the end of the mandate, and with it or a
   * suspension the end of the right. The caller applies the changes after the commit, then settles the ends.
   */
  async add(tx: Tx, changes: readonly KeyChange[], at: Date): Promise<KeyChangeRow[]> {
    const rows = changes.map((change): KeyChangeRow => ({ _id: randomUUID(), at, change }));
    if (rows.length > 0) await this.rows.insertMany(rows, tx.options());
    for (const change of changes)
      if (change.kind === 'revoked') await this.mandates.ended(tx, change.ws, change.key_ids, at);
    await this.rightEnds.add(tx, changes.flatMap(endsOf), at);
    return rows;
  }

  async applyOf(ws: string, keyId: string): Promise<void> {
    const pending = { 'change.ws': ws, $or: [{ 'change.key_id': keyId }, { 'change.key_ids': keyId }] };
    await this.apply(await this.rows.find(pending).sort({ at: 1 }).toArray());
  }

  /** When a key was revoked by a committed change that it does not have yet; null without one. */
  async revocationOf(ws: string, keyId: string): Promise<Date | null> {
    const found = await this.rows.findOne({ 'change.ws': ws, 'change.kind': 'revoked', 'change.key_ids': keyId });
    return found?.change.kind === 'revoked' ? found.change.at : null;
  }

  /** Applies committed changes. When it raises, the sweep applies the rest. */
  async apply(rows: readonly KeyChangeRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { now } = await this.windows.minute();
    for (const { _id, change } of rows) {
      await this.keys.apply(change);
      await this.windows.changed(await this.keys.changedBy(change, now));
      await this.rows.deleteOne({ _id });
    }
  }

  /** A page of committed changes that are not applied yet, of one workspace or of all, the oldest first. */
  pending(workspace: string | null, without: readonly string[]): Promise<KeyChangeRow[]> {
    return this.rows
      .find({ ...stepping(without), ...(workspace === null ? {} : { 'change.ws': workspace }) })
      .sort({ at: 1 })
      .limit(PAGE)
      .toArray();
  }
}

const endsOf = (change: KeyChange): RightEnd[] => {
  if (change.kind === 'revoked') return change.key_ids.map((keyId) => keyEnd(keyId));
  if (change.kind === 'suspension' && change.suspended) return [workspaceEnd(change.ws, change.version)];
  return [];
};
