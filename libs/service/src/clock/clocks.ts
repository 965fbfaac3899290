import type { mongo } from 'mongoose';
import type { Tx } from '../store/in-tx.js';
import type { Store } from '../store/store.js';

type ClockRow = { _id: string; offset_ms: number };

/** The time that a sweep goes by: the database's, and each sandbox's own, which only grows (reliability 3.1). */
export type SweepTime = {
  readonly network: Date;
  /** Business time of a workspace. */
  of(workspace: string): Date;
  /** The latest business time of any sandbox: the bound of a sweep's query, before each row is asked its own. */
  readonly horizon: Date;
};

/** How long one reading serves the sweeps of a process. */
const SHARED_MS = 250;

/** A service's copy of the sandbox offsets; the gateway owns them. */
export class Clocks {
  private readonly rows: mongo.Collection<ClockRow>;
  private last: { at: number; time: Promise<SweepTime> } | undefined;

  constructor(private readonly store: Store) {
    this.rows = store.collection<ClockRow>({ name: 'clocks' });
  }

  /** Moves a sandbox's offset forward, within a consumer's transaction when there is one; an older value changes nothing. */
  async set(workspace: string, offsetMs: number, tx?: Tx): Promise<void> {
    await this.rows.updateOne(
      { _id: workspace },
      { $max: { offset_ms: offsetMs } },
      { upsert: true, ...tx?.options() },
    );
  }

  /** A reading that the sweeps of one moment share: late by a moment, never early. */
  async recent(): Promise<SweepTime> {
    if (this.last === undefined || performance.now() - this.last.at > SHARED_MS) {
      this.last = { at: performance.now(), time: this.readBy(this.store.about()) };
      this.last.time.catch(() => {
        this.last = undefined;
      });
    }
    return this.last.time;
  }

  read(): Promise<SweepTime> {
    return this.readBy(this.store.now());
  }

  private async readBy(now: Promise<Date>): Promise<SweepTime> {
    const [network, rows] = await Promise.all([now, this.rows.find({}).toArray()]);
    const offsets = new Map(rows.map((row) => [row._id, row.offset_ms]));
    const furthest = rows.reduce((most, row) => Math.max(most, row.offset_ms), 0);
    return {
      network,
      of: (workspace) => new Date(network.getTime() + (offsets.get(workspace) ?? 0)),
      horizon: new Date(network.getTime() + furthest),
    };
  }
}
