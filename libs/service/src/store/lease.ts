import { randomUUID } from 'node:crypto';
import type { Collection } from './collection.js';
import type { Tx } from './in-tx.js';
import type { Store } from './store.js';

type LeaseRow = { _id: string; owner: string; until: Date; fence: number; guarded?: number };

const LEASE_MS = 5_000;
const RENEW_MS = 2_000;

/** Another process holds the lease now; what this one meant to write under it must not happen. */
export class LeaseLost extends Error {}

/** One process of a service does a job at a time. The fence rises with every owner and tells their work apart. */
export class Lease {
  private readonly rows: Collection<LeaseRow>;
  private readonly owner = randomUUID();
  private renewAt = 0;
  private isHeld = false;
  private token = 0;

  constructor(
    store: Store,
    private readonly name: string,
    /** Called when this process takes the lease, not when it renews it. */
    private readonly onTaken: () => void = () => undefined,
  ) {
    this.rows = store.collection<LeaseRow>({ name: 'leases' });
  }

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

  /** Commits a transaction only while this process holds the lease: a takeover conflicts with it. Throws LeaseLost. */
  async guard(tx: Tx): Promise<void> {
    const guarded = await this.rows.updateOne(
      { _id: this.name, owner: this.owner, fence: this.token },
      { $inc: { guarded: 1 } },
      tx.options(),
    );
    if (guarded.matchedCount === 1) return;
    this.isHeld = false;
    throw new LeaseLost(`the lease ${this.name} has another owner`);
  }

  /** Lets another process take the lease at once. The fence stays. */
  async release(): Promise<void> {
    if (!this.isHeld) return;
    this.isHeld = false;
    await this.rows
      .updateOne({ _id: this.name, owner: this.owner }, { $set: { owner: '', until: new Date(0) } })
      .catch(() => undefined);
  }

  private async renew(): Promise<boolean> {
    const renewed = await this.rows.updateOne({ _id: this.name, owner: this.owner }, [
      { $set: { until: { $add: ['$$NOW', LEASE_MS] } } },
    ]);
    return renewed.matchedCount === 1;
  }

  private async take(): Promise<boolean> {
    const mine = { $or: [{ $eq: ['$owner', this.owner] }, { $lt: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] }] };
    const after = await this.rows.findOneAndUpdate(
      { _id: this.name },
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
    if (taken) {
      this.token = after.fence;
      this.onTaken();
    }
    return taken;
  }
}
