import type { Collection, Store } from '@cds/service';
import type { Identity } from '../domain/creator/creator.js';

export const IDENTITIES = {
  name: 'identities',
  indexes: [
    { key: { handle_lower: 1 }, unique: true },
    { key: { network_version: 1 } },
    { key: { avatar_due_at: 1 }, partialFilterExpression: { avatar_due_at: { $type: 'date' } } },
  ],
} as const;

/** Handles and links, in their own database behind their own user (docs/reliability.md#handles). */
export class Identities {
  private readonly rows: Collection<Identity>;

  constructor(identity: Store) {
    this.rows = identity.collection<Identity>(IDENTITIES);
  }

  async reveal(creatorIds: readonly string[]): Promise<{ creator_id: string; handle: string; url: string }[]> {
    if (creatorIds.length === 0) return [];
    const rows = await this.rows.find({ _id: { $in: [...creatorIds] } }).toArray();
    return rows.map((row) => ({ creator_id: row._id, handle: row.handle, url: row.url }));
  }

  async ofCreators(creatorIds: readonly string[]): Promise<Identity[]> {
    return creatorIds.length === 0 ? [] : this.rows.find({ _id: { $in: [...creatorIds] } }).toArray();
  }

  async holding(handles: readonly string[]): Promise<Identity[]> {
    return handles.length === 0 ? [] : this.rows.find({ handle_lower: { $in: [...handles] } }).toArray();
  }

  async idsHolding(part: string, most: number): Promise<string[]> {
    const escaped = part.toLowerCase().replace(/[^a-z0-9_]/g, '');
    if (escaped === '') return [];
    const rows = await this.rows
      .find({ handle_lower: { $regex: escaped } }, { projection: { _id: 1 }, limit: most })
      .toArray();
    return rows.map((row) => row._id);
  }
}
