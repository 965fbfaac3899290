import { Deadline, inTx, Lease, ofNetwork, type RowRunner, type Store, type Sweep } from '@cds/service';
import type { Keys, ListedKey, Mandates } from '../../accounts/port.js';

const ONE_MS = 10_000;

type Stored = {
  store: Store;
  keys: Pick<Keys, 'byKeyId' | 'notInFeed' | 'noteInFeed'>;
  mandates: Pick<Mandates, 'ended' | 'nameParent'>;
};

/**
 * Adds to the feed what gateways of an earlier version leave out while an update replaces them: that a mandate ended
 * with its key, and who made a child key (docs/reliability.md#events-feed). One replica does this, under a lease;
 * another one would add nothing twice.
 */
export class KeysInFeed {
  private readonly lease: Lease;

  constructor(
    private readonly stored: Stored,
    private readonly rows: RowRunner,
  ) {
    this.lease = new Lease(stored.store, 'keys in the feed');
  }

  sweep(): Sweep {
    return ofNetwork('keys in the feed', 5_000, () => this.run());
  }

  /** Compares with the feed every key that was not compared yet, and returns how many these were. */
  run(): Promise<number> {
    return this.rows.run(
      {
        name: 'keys in the feed',
        find: async (without) => ((await this.lease.hold()) ? this.stored.keys.notInFeed(without) : []),
        idOf: ({ _id }) => _id,
        handle: (key) => this.compare(key),
      },
      'kept',
    );
  }

  /** Lets another replica continue at once. */
  stop(): Promise<void> {
    return this.lease.release();
  }

  private async compare(key: ListedKey): Promise<number> {
    const { store, keys, mandates } = this.stored;
    const { ws, key_id, parent, revoked_at } = key;
    const endsWithParent = parent !== null && (await this.isRevoked(ws, parent.key_id));
    await inTx(store, Deadline.in(ONE_MS), async (tx) => {
      if (parent !== null) await mandates.nameParent(tx, ws, key_id, parent.key_id);
      if (revoked_at !== null && !endsWithParent) await mandates.ended(tx, ws, [key_id], revoked_at);
    });
    // After the commit: a crash in between compares again, and finds the events there.
    await keys.noteInFeed(key);
    return 1;
  }

  private async isRevoked(ws: string, keyId: string): Promise<boolean> {
    const key = await this.stored.keys.byKeyId(ws, keyId);
    return key !== null && key.revoked_at !== null;
  }
}
