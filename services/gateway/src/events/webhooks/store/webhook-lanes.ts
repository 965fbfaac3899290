import { randomUUID } from 'node:crypto';
import type { Collection, Store, Tx } from '@cds/service';
import type { NewDelivery } from './webhook-deliveries.js';

/**
 * The deliveries of one aggregate to one endpoint that wait, and when the first of them is due. A lane exists as long
 * as something waits in it. Whoever sends holds it by `claim` until `due_at`.
 */
export type LaneRow = {
  _id: string;
  ws: string;
  endpoint_id: string;
  /** Its endpoint is disabled. */
  paused: boolean;
  /** A test, which is tried once. */
  test: boolean;
  /** The place in the feed of the first that waits. */
  head: number;
  due_at: Date;
  claim: string | null;
  /** How often the first was tried in vain, and since when. */
  tries: number;
  first_at: Date | null;
  /** How often deliveries were added to it. */
  additions: number;
};

const PAGE = 200;
/** How far a process's idea of the database's time may be off. */
const BOUND_MS = 5_000;

const NEW = { paused: false, claim: null, tries: 0, first_at: null };

/** What is due of all endpoints, for every replica. */
export class WebhookLanes {
  private readonly rows: Collection<LaneRow>;

  constructor(private readonly store: Store) {
    this.rows = store.collection<LaneRow>({
      name: 'webhook_lanes',
      indexes: [{ key: { paused: 1, due_at: 1 } }, { key: { ws: 1, endpoint_id: 1, test: 1 } }],
    });
  }

  /** Makes the lanes of deliveries that are added in the same transaction. One that exists keeps its time. */
  async open(tx: Tx, deliveries: readonly NewDelivery[], test = false): Promise<void> {
    const first = new Map<string, NewDelivery>();
    for (const one of deliveries) if (!first.has(one.lane)) first.set(one.lane, one);
    for (const { lane, ws, endpoint_id, seq } of first.values()) {
      const fresh = Object.entries({ ...NEW, test }).map(([key, value]) => [key, { $ifNull: [`$${key}`, value] }]);
      // Whoever closes the lane meanwhile must lose. MongoDB skips a write that changes nothing, so this one counts.
      const set = {
        additions: { $add: [{ $ifNull: ['$additions', 0] }, 1] },
        ...Object.fromEntries(fresh),
        ws,
        endpoint_id,
        due_at: { $ifNull: ['$due_at', '$$NOW'] },
        head: { $min: ['$head', seq] },
      };
      await this.rows.updateOne({ _id: lane }, [{ $set: set }], { ...tx.options(), upsert: true });
    }
  }

  /** A page of the due lanes, the longest waiting first, without those of some endpoints. */
  async due(without: readonly string[]): Promise<LaneRow[]> {
    const others = without.length === 0 ? {} : { endpoint_id: { $nin: [...without] } };
    // The index is bounded by a value only; the database's own time decides.
    const bound = new Date((await this.store.about()).getTime() + BOUND_MS);
    return this.rows
      .find({ paused: false, ...others, due_at: { $lte: bound }, $expr: { $lte: ['$due_at', '$$NOW'] } })
      .sort({ due_at: 1 })
      .limit(PAGE)
      .toArray();
  }

  /** Takes a due lane for one attempt; another process may take it after `leaseMs`. Null when one has it. */
  async claim({ _id, ws, due_at }: LaneRow, leaseMs: number): Promise<LaneRow | null> {
    return this.rows.findOneAndUpdate(
      { _id, ws, due_at, paused: false },
      [{ $set: { due_at: { $add: ['$$NOW', leaseMs] }, claim: randomUUID() } }],
      { returnDocument: 'after' },
    );
  }

  /** Gives a lane back without an attempt, to be tried later. */
  async putOff(lane: LaneRow, ms: number): Promise<void> {
    const later = { due_at: { $add: ['$$NOW', ms] }, claim: null };
    await this.rows.updateOne(claimed(lane), [{ $set: later }]);
  }

  /** Gives a lane back after a failure, until `at`; false when another process has it. */
  async failed(tx: Tx, lane: LaneRow, firstAt: Date, at: Date): Promise<boolean> {
    const set = { due_at: at, claim: null, first_at: firstAt };
    const done = await this.rows.updateOne(claimed(lane), { $set: set, $inc: { tries: 1 } }, tx.options());
    return done.matchedCount === 1;
  }

  /** Continues with the next delivery of a lane and returns the lane as it is then, or closes it if there is none. */
  async advance(tx: Tx, lane: LaneRow, next: { seq: number } | null): Promise<LaneRow | null> {
    if (next === null) {
      await this.rows.deleteOne(claimed(lane), tx.options());
      return null;
    }
    const set = { due_at: '$$NOW', claim: null, tries: 0, first_at: null, head: next.seq };
    return this.rows.findOneAndUpdate(claimed(lane), [{ $set: set }], { ...tx.options(), returnDocument: 'after' });
  }

  /** Lets the lanes of a disabled endpoint wait, but not its tests. */
  async pause(tx: Tx, ws: string, endpoint: string): Promise<void> {
    await this.rows.updateMany({ ws, endpoint_id: endpoint, test: false }, { $set: { paused: true } }, tx.options());
  }

  /** Makes every lane of an endpoint due now; a lane that is held, once its attempt has ended. */
  async resume(tx: Tx, ws: string, endpoint: string): Promise<void> {
    const due_at = { $cond: [{ $eq: ['$claim', null] }, '$$NOW', '$due_at'] };
    const set = { paused: false, due_at, tries: 0, first_at: null };
    await this.rows.updateMany({ ws, endpoint_id: endpoint, test: false }, [{ $set: set }], tx.options());
  }

  async tests(tx: Tx, ws: string, endpoint: string): Promise<number> {
    return this.rows.countDocuments({ ws, endpoint_id: endpoint, test: true }, tx.options());
  }

  async those(ws: string, ids: readonly string[]): Promise<Map<string, LaneRow>> {
    if (ids.length === 0) return new Map();
    const rows = await this.rows.find({ _id: { $in: [...ids] }, ws }).toArray();
    return new Map(rows.map((row) => [row._id, row]));
  }

  async forget(tx: Tx, ws: string, endpoint: string): Promise<void> {
    await this.rows.deleteMany({ ws, endpoint_id: endpoint }, tx.options());
  }

  async forgetThose(tx: Tx, ws: string, lanes: RegExp): Promise<void> {
    await this.rows.deleteMany({ ws, _id: lanes }, tx.options());
  }
}

const claimed = ({ _id, ws, claim }: LaneRow) => ({ _id, ws, claim });
