import type { Scope } from '@cds/contracts';
import { type Collection, type Store, stepping, type Tx } from '@cds/service';
import { underParent } from '../domain/child-key.js';
import type { StoredMandate } from '../domain/mandate.js';
import { type Credential, type Peppers, possibleSecrets } from '../key-format.js';

/**
 * An API key with everything that a request needs of its workspace, so that one statement authenticates it. The
 * workspace's own agent key is a row without a secret, so no credential ever matches it.
 */
export type KeyRow = {
  /** The public id, which is part of the key's text. */
  _id: string;
  key_id: string;
  ws: string;
  ws_name: string;
  /** The brand's live workspace, which its sandbox's creator reads count in too (docs/domain/access.md#workspaces). */
  reads_ws: string;
  sandbox: boolean;
  suspended: boolean;
  /** The version of the brand that this was decided in, so that an older decision changes nothing. */
  suspension_version: number;
  offset_ms: number;
  /** Whether faults are armed in its sandbox and whether it is being reset; absent before the first change. */
  sandbox_state?: SandboxState;
  name: string;
  own: boolean;
  secret_hmac: string | null;
  scopes: Scope[];
  mandate: StoredMandate | null;
  /** The newest version of the mandate, even when it was removed; 0 before the first. */
  mandate_version: number;
  settings_version: number;
  created_at: Date;
  created_by: string;
  expires_at: Date | null;
  revoked_at: Date | null;
  /** Of a child key: the key that made it, whose state every request reads too (docs/domain/access.md#child-keys). */
  parent: { key_id: string; public_id: string } | null;
  /**
   * Of a child key: the grant of the client that made it as its parent, without which it no longer counts; null if the
   * parent itself made it. Absent in what a gateway of an earlier version stored.
   */
  made_by_grant?: string | null;
  may_delegate: boolean;
  /** What the feed is known to say: who made this child, and that the key is revoked. Absent until it is known. */
  parent_in_feed?: true;
  end_in_feed?: true;
};

/** Whether faults are armed in a sandbox, and whether it is being reset; each change is a version. */
export type SandboxState = { version: number; faults: boolean; resetting: boolean };

/** The grant of a client that may have made child keys. */
type Maker = { _id: string; ws: string; key_id: string; created_at: Date };

/** A key without what only its authentication needs. */
export type ListedKey = Omit<KeyRow, 'secret_hmac'>;

/** The keys of which a gateway of an earlier version may have left something out of the feed. */
const OF_PARENTS = { 'parent.key_id': { $exists: true } };
const REVOKED = { revoked_at: { $type: 'date' as const } };
const OF_CLIENTS = { made_by_grant: { $type: 'string' as const } };
const PAGE = 100;

const WITHOUT_SECRET = { secret_hmac: 0 } as const;

/** The keys of these that are neither revoked nor expired, by the database's clock. */
const activeOf = (ws: string, keyIds: readonly string[]) => ({
  ws,
  key_id: { $in: [...keyIds] },
  revoked_at: null,
  $expr: { $gt: [{ $ifNull: ['$expires_at', new Date('9999-12-31')] }, '$$NOW'] },
});

const activeAt = (now: Date): object => ({
  revoked_at: null,
  $or: [{ expires_at: null }, { expires_at: { $gt: now } }],
});

/** The keys of a workspace that no key made, without those that were revoked or expired more than an hour ago. */
const recentDocuments = (ws: string) => {
  const recent = { $subtract: ['$$NOW', 3_600_000] };
  const lasts = (field: string) => ({ $gt: [{ $ifNull: [field, new Date('9999-12-31')] }, recent] });
  return { ws, parent: null, $expr: { $and: [lasts('$revoked_at'), lasts('$expires_at')] } };
};

export type KeySettings = Pick<KeyRow, 'name' | 'scopes' | 'expires_at' | 'may_delegate'>;

/** A change of keys that was decided elsewhere. It is one statement, never inside a transaction. */
export type KeyChange =
  | { kind: 'settings'; ws: string; key_id: string; version: number; settings: KeySettings }
  | { kind: 'mandate'; ws: string; key_id: string; version: number; mandate: StoredMandate | null }
  /** Revokes keys permanently, and with them their children. */
  | { kind: 'revoked'; ws: string; key_ids: string[]; at: Date }
  /** Revokes a child key whose parent was revoked while it was made. */
  | { kind: 'child'; ws: string; key_id: string; parent: string; at: Date }
  /** Suspends or reinstates the keys of a workspace, the own agent key included. */
  | { kind: 'suspension'; ws: string; version: number; suspended: boolean }
  /** Moves the clock of a sandbox's keys forward. */
  | { kind: 'clock'; ws: string; offset_ms: number }
  /** Notes whether faults are armed in a sandbox and whether it is being reset. */
  | { kind: 'sandbox'; ws: string; state: SandboxState };

export class Keys {
  readonly rows: Collection<KeyRow>;

  constructor(store: Store) {
    this.rows = store.collection<KeyRow>({
      name: 'keys',
      indexes: [
        { key: { key_id: 1 }, unique: true },
        { key: { ws: 1, created_at: 1, _id: 1 } },
        { key: { 'parent.key_id': 1 }, partialFilterExpression: OF_PARENTS },
        { key: { made_by_grant: 1 }, partialFilterExpression: OF_CLIENTS },
        { key: { parent_in_feed: 1 }, partialFilterExpression: OF_PARENTS },
        { key: { end_in_feed: 1 }, partialFilterExpression: REVOKED },
        { key: { created_at: 1, _id: 1 } },
      ],
    });
  }

  async byKeyId(ws: string, keyId: string): Promise<KeyRow | null> {
    return this.rows.findOne({ ws, key_id: keyId.toLowerCase() });
  }

  /** Whether neither a key nor its parent is revoked or expired, by the database's clock. */
  async isActive(ws: string, keyId: string): Promise<boolean> {
    const key = await this.rows.findOne(activeOf(ws, [keyId]), { projection: { parent: 1 } });
    if (key === null || key.parent === null) return key !== null;
    return (await this.rows.findOne(activeOf(ws, [key.parent.key_id]), { projection: { _id: 1 } })) !== null;
  }

  /** A key as it counts now, within its parent; null once either is revoked or expired, by the database's clock. */
  async activeInForce(ws: string, keyId: string, parentId: string | undefined): Promise<ListedKey | null> {
    const ids = parentId === undefined ? [keyId] : [keyId, parentId];
    const active = await this.rows.find(activeOf(ws, ids), { projection: WITHOUT_SECRET }).toArray();
    const key = active.find(({ key_id }) => key_id === keyId);
    if (key === undefined || key.parent === null) return key ?? null;
    const parent = active.find(({ key_id }) => key_id === key.parent?.key_id);
    return parent === undefined ? null : { ...key, ...underParent(key, parent) };
  }

  async own(ws: string): Promise<KeyRow | null> {
    return this.rows.findOne({ ws, own: true });
  }

  /** The key whose authority counts the approvals of this one: itself, or the key that made it. */
  async documentOf(keyId: string): Promise<{ ws: string; key_id: string }[]> {
    const key = await this.rows.findOne({ key_id: keyId.toLowerCase() }, { projection: WITHOUT_SECRET });
    return key === null ? [] : [{ ws: key.ws, key_id: key.parent?.key_id ?? key.key_id }];
  }

  async idsIn(ws: string): Promise<string[]> {
    const rows = await this.rows.find({ ws }, { projection: { key_id: 1 } }).toArray();
    return rows.map(({ key_id }) => key_id);
  }

  async documentsIn(ws: string): Promise<{ ws: string; key_id: string }[]> {
    return this.rows.find(recentDocuments(ws), { projection: { ws: 1, key_id: 1 } }).toArray();
  }

  async all(ws: string): Promise<KeyRow[]> {
    return this.rows.find({ ws }, { projection: WITHOUT_SECRET }).sort({ created_at: 1, _id: 1 }).toArray();
  }

  /** The active keys of a workspace, oldest first, then those that ended last, at most so many. */
  async listed(ws: string, now: Date, mostEnded: number): Promise<ListedKey[]> {
    const find = (which: object, sort: Record<string, 1 | -1>) =>
      this.rows.find({ ws, ...which }, { sort, projection: WITHOUT_SECRET });
    const [active, revoked, expired] = await Promise.all([
      find(activeAt(now), { created_at: 1, _id: 1 }).toArray(),
      find({ revoked_at: { $ne: null } }, { revoked_at: -1, _id: 1 })
        .limit(mostEnded)
        .toArray(),
      find({ revoked_at: null, expires_at: { $lte: now } }, { expires_at: -1, _id: 1 })
        .limit(mostEnded)
        .toArray(),
    ]);
    const endOf = (key: ListedKey): number => (key.revoked_at ?? key.expires_at ?? now).getTime();
    return [...active, ...[...revoked, ...expired].sort((a, b) => endOf(b) - endOf(a)).slice(0, mostEnded)];
  }

  /** These keys as they count now: a child within its parent. */
  async inForce<Row extends ListedKey>(keys: readonly Row[]): Promise<Row[]> {
    const ids = new Set(keys.flatMap(({ parent }) => (parent === null ? [] : [parent.key_id])));
    if (ids.size === 0) return [...keys];
    const parents = await this.rows.find({ key_id: { $in: [...ids] } }, { projection: WITHOUT_SECRET }).toArray();
    const byId = new Map(parents.map((key) => [key.key_id, key]));
    return keys.map((key) => {
      const parent = key.parent === null ? undefined : byId.get(key.parent.key_id);
      return parent === undefined ? key : { ...key, ...underParent(key, parent) };
    });
  }

  async bySecret({ publicId, secret }: Credential, peppers: Peppers): Promise<KeyRow | null> {
    return this.rows.findOne({ _id: publicId, secret_hmac: { $in: possibleSecrets(peppers, secret) } });
  }

  async activeNamed(ws: string, names: readonly string[]): Promise<KeyRow[]> {
    return this.rows.find({ ws, name: { $in: [...names] }, own: false, revoked_at: null }).toArray();
  }

  /** The keys that count against the limit: those that are neither revoked nor expired. */
  async countActive(ws: string, now: Date): Promise<number> {
    return this.rows.countDocuments({ ws, own: false, ...activeAt(now) });
  }

  async madeTimes(parentId: string, newest: number): Promise<Date[]> {
    const made = await this.rows
      .find({ 'parent.key_id': parentId }, { projection: { created_at: 1 } })
      .sort({ created_at: -1 })
      .limit(newest)
      .toArray();
    return made.map((key) => key.created_at);
  }

  async madeBy(workspaces: readonly string[], actor: string): Promise<ListedKey[]> {
    return this.rows
      .find({ ws: { $in: [...workspaces] }, created_by: actor, revoked_at: null }, { projection: WITHOUT_SECRET })
      .sort({ created_at: 1, _id: 1 })
      .toArray();
  }

  /** A client's unrevoked child keys. Of one without a record of its maker, any client of its parent may be it. */
  async madeThrough({ _id, ws, key_id, created_at }: Maker): Promise<ListedKey[]> {
    const unknown = { made_by_grant: { $exists: false }, 'parent.key_id': key_id, created_at: { $gte: created_at } };
    return this.rows
      .find({ ws, revoked_at: null, $or: [{ made_by_grant: _id }, unknown] }, { projection: WITHOUT_SECRET })
      .toArray();
  }

  /** A page of child keys whose client has ended, though nobody revoked them. */
  async withoutGrant(without: readonly string[]): Promise<ListedKey[]> {
    return this.rows
      .aggregate<ListedKey>([
        { $match: { ...stepping(without), ...OF_CLIENTS, revoked_at: null } },
        { $lookup: { from: 'oauth_grants', localField: 'made_by_grant', foreignField: '_id', as: 'grants' } },
        { $match: { 'grants.0': { $exists: false } } },
        { $project: { ...WITHOUT_SECRET, grants: 0 } },
        { $limit: PAGE },
      ])
      .toArray();
  }

  /** Inserts keys inside a transaction: nobody knows them yet, so nobody can wait for their locks. */
  async insert(tx: Tx, rows: readonly KeyRow[]): Promise<void> {
    if (rows.length > 0) await this.rows.insertMany([...rows], tx.options());
  }

  /** A page of children and revoked keys about which the feed may still lack that. */
  async notInFeed(without: readonly string[]): Promise<ListedKey[]> {
    const unknown = [
      { ...OF_PARENTS, parent_in_feed: { $exists: false } },
      { ...REVOKED, end_in_feed: { $exists: false } },
    ];
    return this.rows
      .find({ ...stepping(without), $or: unknown }, { projection: WITHOUT_SECRET })
      .limit(PAGE)
      .toArray();
  }

  /** Notes that the feed says who made a key and that it is revoked, as far as `key` is a child and revoked. */
  async noteInFeed({ _id, ws, parent, revoked_at }: ListedKey): Promise<void> {
    const noted = {
      ...(parent !== null && { parent_in_feed: true as const }),
      ...(revoked_at !== null && { end_in_feed: true as const }),
    };
    await this.rows.updateOne({ _id, ws }, { $set: noted });
  }

  /**
   * The public ids of the keys that a change changes; of a workspace's keys, those that have not long been revoked,
   * since the revocation may not have been answered yet. Whoever uses a child key looks at its parent too.
   */
  async changedBy(change: KeyChange, now: Date): Promise<string[]> {
    const { ws } = change;
    const ids = 'key_ids' in change ? change.key_ids : 'key_id' in change ? [change.key_id] : undefined;
    const since = new Date(now.getTime() - 3_600_000);
    const which =
      ids === undefined ? { $or: [{ revoked_at: null }, { revoked_at: { $gt: since } }] } : { key_id: { $in: ids } };
    return (await this.rows.find({ ws, ...which }, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id);
  }

  async apply(change: KeyChange): Promise<void> {
    const { ws } = change;
    switch (change.kind) {
      case 'settings': {
        const { key_id, version, settings } = change;
        const older = { ws, key_id, settings_version: { $lt: version } };
        await this.rows.updateOne(older, { $set: { ...settings, settings_version: version } });
        return;
      }
      case 'mandate': {
        const { key_id, version, mandate } = change;
        const older = { ws, key_id, mandate_version: { $lt: version } };
        await this.rows.updateOne(older, { $set: { mandate, mandate_version: version } });
        return;
      }
      case 'revoked': {
        const revoke = (which: object) =>
          this.rows.updateMany({ ws, ...which, revoked_at: null }, { $set: { revoked_at: change.at } });
        await revoke({ key_id: { $in: change.key_ids } });
        // After their parents, so that a child made meanwhile is either found here or finds its parent revoked.
        await revoke({ 'parent.key_id': { $in: change.key_ids } });
        return;
      }
      case 'child': {
        const parent = { ws, key_id: change.parent, revoked_at: null };
        const alive = await this.rows.findOne(parent, { projection: { _id: 1 }, readConcern: { level: 'majority' } });
        if (alive === null) await this.apply({ kind: 'revoked', ws, key_ids: [change.key_id], at: change.at });
        return;
      }
      case 'suspension': {
        const { version, suspended } = change;
        const older = { ws, suspension_version: { $lt: version } };
        await this.rows.updateMany(older, { $set: { suspended, suspension_version: version } });
        return;
      }
      case 'sandbox': {
        const { state } = change;
        const older = { ws, 'sandbox_state.version': { $not: { $gte: state.version } } };
        await this.rows.updateMany(older, { $set: { sandbox_state: state } });
        return;
      }
      case 'clock':
        await this.rows.updateMany({ ws }, { $max: { offset_ms: change.offset_ms } });
    }
  }
}
