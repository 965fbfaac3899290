import { randomUUID } from 'node:crypto';
import type { Collection } from '../store/collection.js';
import type { Store } from '../store/store.js';

type Lease = { _id: string; owner: string; until: Date; fence: number };

const LEASE_MS = 5_000;
const RENEW_MS = 2_000;

/** The lease under which one relay of a service works at a time. */
export class RelayLease {
  private readonly rows: Collection<Lease>;
  private readonly owner = randomUUID();
  private renewAt = 0;
  private isHeld = false;

  constructor(
    store: Store,
    /** Called when this process takes the lease, not when it renews it. */
    private readonly onTaken: () => void,
  ) {
    this.rows = store.collection<Lease>({ name: 'leases' });
  }

  /** Whether this process held the lease when it last asked. */
  get held(): boolean {
    return this.isHeld;
  }

  /** Renews or takes the lease when it is time to, and returns whether this process holds it. */
  async hold(): Promise<boolean> {
    if (this.isHeld && performance.now() < this.renewAt) return true;
    this.isHeld = (this.isHeld && (await this.renew())) || (await this.take());
    this.renewAt = performance.now() + RENEW_MS;
    return this.isHeld;
  }

  async release(): Promise<void> {
    if (this.isHeld) await this.rows.deleteOne({ _id: 'relay', owner: this.owner }).catch(() => undefined);
  }

  /** Renews the lease unless another process took it over. */
  private async renew(): Promise<boolean> {
    const renewed = await this.rows.updateOne({ _id: 'relay', owner: this.owner }, [
      { $set: { until: { $add: ['$$NOW', LEASE_MS] } } },
    ]);
    return renewed.matchedCount === 1;
  }

  /** Takes the lease if it is free or has expired. */
  private async take(): Promise<boolean> {
    const mine = { $or: [{ $eq: ['$owner', this.owner] }, { $lt: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] }] };
    const after = await this.rows.findOneAndUpdate(
      { _id: 'relay' },
      [
        {
          $set: {
            fence: {
              $cond: [
                { $and: [mine, { $ne: ['$owner', this.owner] }] },
                { $add: [{ $ifNull: ['$fence', 0] }, 1] },
                { $ifNull: ['$fence', 0] },
              ],
            },
            until: { $cond: [mine, { $add: ['$$NOW', LEASE_MS] }, '$until'] },
            owner: { $cond: [mine, this.owner, '$owner'] },
          },
        },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    const taken = after?.owner === this.owner;
    if (taken) this.onTaken();
    return taken;
  }
}
