import type { FeedKind, WebhookCause } from '@cds/contracts';
import { type Collection, LostRace, type Store, type Tx } from '@cds/service';
import { isNewestSeal, type SealKeys, seal, unseal } from '../../../accounts/port.js';

/** A secret of an endpoint; `ends_at` is set once another replaced it. */
export type SecretRow = { id: string; sealed: string; made_at: Date; ends_at: Date | null };

/** An endpoint to which a workspace's events are sent (docs/domain/events.md#webhooks). */
export type WebhookRow = {
  _id: string;
  ws: string;
  /** From 0 on, none twice in a workspace: so there are never too many. */
  place: number;
  url: string;
  /** Null for every kind, new ones too. */
  kinds: FeedKind[] | null;
  /** The newest first. */
  secrets: SecretRow[];
  enabled: boolean;
  disabled_at: Date | null;
  disabled_because: WebhookCause | null;
  /** The first failure since the last success. */
  failing_since: Date | null;
  /** The place in the feed up to which its events became deliveries. */
  seq: number;
  /** Counts what moves `seq` otherwise than by reading on, so that nothing that was read before counts. */
  rev: number;
  /** Counts its tests, so that of two that begin at once the database lets one wait for the other. */
  tests?: number;
  created_at: Date;
  created_by: string;
};

type WebhookChange = Partial<
  Pick<WebhookRow, 'secrets' | 'enabled' | 'disabled_at' | 'disabled_because' | 'failing_since' | 'seq'>
>;

const placeOf = (endpointId: string, secretId: string): string => `webhooks/${endpointId}/${secretId}`;

/** The endpoints of all workspaces, and their secrets, which are sealed. */
export class Webhooks {
  private readonly rows: Collection<WebhookRow>;

  constructor(
    store: Store,
    private readonly sealKeys: SealKeys,
    /** Whether a URL may name this machine: in development alone. */
    readonly loopback: boolean,
  ) {
    this.rows = store.collection<WebhookRow>({
      name: 'webhooks',
      indexes: [{ key: { ws: 1, place: 1 }, unique: true }, { key: { enabled: 1, ws: 1 } }],
    });
  }

  sealed(endpointId: string, id: string, text: string, at: Date): SecretRow {
    return { id, sealed: seal(this.sealKeys, placeOf(endpointId, id), text), made_at: at, ends_at: null };
  }

  secretOf({ _id }: Pick<WebhookRow, '_id'>, { id, sealed }: Pick<SecretRow, 'id' | 'sealed'>): string {
    return unseal(this.sealKeys, placeOf(_id, id), sealed);
  }

  /** Seals every secret under the key in use, so that a former key may go. One that changes meanwhile is left. */
  async reseal(): Promise<void> {
    for await (const row of this.rows.find({})) {
      if (row.secrets.every(({ sealed }) => isNewestSeal(this.sealKeys, sealed))) continue;
      const secrets = row.secrets.map((one) => ({ ...one, sealed: this.sealedAgain(row._id, one) }));
      await this.rows.updateOne({ _id: row._id, ws: row.ws, rev: row.rev }, { $set: { secrets }, $inc: { rev: 1 } });
    }
  }

  /** A secret under the key in use; as it is when the key that sealed it is gone. */
  private sealedAgain(endpointId: string, { id, sealed }: SecretRow): string {
    const place = placeOf(endpointId, id);
    try {
      return seal(this.sealKeys, place, unseal(this.sealKeys, place, sealed));
    } catch {
      return sealed;
    }
  }

  async byId(ws: string, id: string): Promise<WebhookRow | null> {
    return this.rows.findOne({ _id: id.toLowerCase(), ws });
  }

  async ofWorkspace(ws: string): Promise<WebhookRow[]> {
    return this.rows.find({ ws }).sort({ created_at: 1, _id: 1 }).toArray();
  }

  async madeBy(workspaces: readonly string[], actor: string): Promise<WebhookRow[]> {
    return this.rows
      .find({ ws: { $in: [...workspaces] }, created_by: actor })
      .sort({ created_at: 1, _id: 1 })
      .toArray();
  }

  async those(ids: readonly string[]): Promise<Map<string, WebhookRow>> {
    if (ids.length === 0) return new Map();
    const rows = await this.rows.find({ _id: { $in: [...ids] } }).toArray();
    return new Map(rows.map((row) => [row._id, row]));
  }

  /** A page of the endpoints that are sent events, by their ids. */
  async enabled(after: string, limit: number): Promise<Pick<WebhookRow, '_id' | 'ws' | 'seq'>[]> {
    return this.rows
      .find({ enabled: true, _id: { $gt: after } }, { projection: { ws: 1, seq: 1 } })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
  }

  /** Adds an endpoint in a transaction. Raises a duplicate when its place was taken meanwhile. */
  async insert(tx: Tx, row: WebhookRow): Promise<void> {
    await this.rows.insertOne(row, tx.options());
  }

  /** Changes an endpoint as it was read; raises LostRace when it changed since. */
  async change(tx: Tx, { _id, ws, rev, failing_since }: WebhookRow, set: WebhookChange): Promise<void> {
    const done = await this.rows.updateOne(
      { _id, ws, rev, failing_since },
      { $set: set, $inc: { rev: 1 } },
      tx.options(),
    );
    if (done.matchedCount !== 1) throw new LostRace('webhook');
  }

  /** Begins a test; what its transaction then counts stays true. Raises LostRace when the endpoint was removed. */
  async beginTest(tx: Tx, { _id, ws }: WebhookRow): Promise<void> {
    const done = await this.rows.updateOne({ _id, ws }, { $inc: { tests: 1 } }, tx.options());
    if (done.matchedCount !== 1) throw new LostRace('webhook');
  }

  /** Reads an endpoint on in the feed; raises LostRace when it was moved, disabled or removed meanwhile. */
  async readOn(tx: Tx, { _id, ws, rev, seq }: WebhookRow, to: number): Promise<void> {
    const done = await this.rows.updateOne({ _id, ws, rev, seq, enabled: true }, { $set: { seq: to } }, tx.options());
    if (done.matchedCount !== 1) throw new LostRace('webhook');
  }

  /** Notes a failure or a success, as the first of its kind. */
  async noteFailing({ _id, ws }: WebhookRow, since: Date | null, tx?: Tx): Promise<void> {
    const other = since === null ? { $ne: null } : null;
    const set = { $set: { failing_since: since } };
    await this.rows.updateOne({ _id, ws, failing_since: other } as never, set, tx?.options());
  }

  async remove(tx: Tx, { _id, ws }: Pick<WebhookRow, '_id' | 'ws'>): Promise<void> {
    const done = await this.rows.deleteOne({ _id, ws }, tx.options());
    if (done.deletedCount !== 1) throw new LostRace('webhook');
  }

  /** Reads on after a sandbox's reset, from the last place that it removed at the latest. */
  async reset(tx: Tx, ws: string, place: number): Promise<void> {
    const set = { seq: { $min: ['$seq', place] }, rev: { $add: ['$rev', 1] }, failing_since: null };
    await this.rows.updateMany({ ws }, [{ $set: set }], tx.options());
  }
}
