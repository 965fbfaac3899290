import { Deadline } from '../deadline/deadline.js';
import type { Collection } from '../store/collection.js';
import type { Tx } from '../store/in-tx.js';
import type { Store } from '../store/store.js';

type ClockRow = { _id: string; offset_ms: number };

declare const clock: unique symbol;

/** The database's time, the only time that live work uses. */
export type NetworkTime = Date & { readonly [clock]: 'network' };
/**
 * The latest business time of any sandbox. It bounds a query over sandboxes before each row is checked against its own.
 */
export type SandboxHorizon = Date & { readonly [clock]: 'horizon' };

/** The database's time, and each sandbox's own, which only moves forward (docs/reliability.md#clocks). */
export type SweepTime = {
  readonly network: NetworkTime;
  of(workspace: string): Date;
  readonly horizon: SandboxHorizon;
};

const furthestOf = (offsetsMs: ReadonlyMap<string, number>): number => {
  let furthest = 0;
  for (const offsetMs of offsetsMs.values()) furthest = Math.max(furthest, offsetMs);
  return furthest;
};

/** A reading of the database's clock with the offsets of the sandboxes that have moved. */
export const sweepTime = (network: Date, offsetsMs: ReadonlyMap<string, number>): SweepTime => ({
  network: network as NetworkTime,
  of: (workspace) => new Date(network.getTime() + (offsetsMs.get(workspace) ?? 0)),
  horizon: new Date(network.getTime() + furthestOf(offsetsMs)) as SandboxHorizon,
});

/** How long the sweeps of a process share one reading. */
const SHARED_MS = 250;

export class Clocks {
  private readonly rows: Collection<ClockRow>;
  private last: { at: number; time: Promise<SweepTime> } | undefined;

  constructor(private readonly store: Store) {
    this.rows = store.collection<ClockRow>({ name: 'clocks' });
  }

  /** Moves a sandbox's offset forward, in a consumer's transaction if given. A smaller offset changes nothing. */
  async set(workspace: string, offsetMs: number, tx?: Tx): Promise<void> {
    await this.rows.updateOne(
      { _id: workspace },
      { $max: { offset_ms: offsetMs } },
      { upsert: true, ...tx?.options() },
    );
  }

  /** A reading of all clocks that concurrent sweeps share: at most `ageMs` late, never early. */
  async recent(ageMs = SHARED_MS): Promise<SweepTime> {
    if (this.last === undefined || performance.now() - this.last.at > ageMs) {
      this.last = { at: performance.now(), time: Deadline.detached(() => this.readBy(this.store.about())) };
      this.last.time.catch(() => {
        this.last = undefined;
      });
    }
    return this.last.time;
  }

  async network(): Promise<NetworkTime> {
    return (await this.store.about()) as NetworkTime;
  }

  /** Business time of a workspace, which a sandbox may have moved. */
  async now(workspace: string): Promise<Date> {
    return (await this.read([workspace])).of(workspace);
  }

  async read(workspaces: readonly string[]): Promise<SweepTime> {
    const known = new Set(workspaces);
    const time = await this.readBy(this.store.now(), known);
    return {
      ...time,
      of: (workspace) => {
        if (!known.has(workspace)) throw new Error(`the clock of workspace ${workspace} was not read`);
        return time.of(workspace);
      },
    };
  }

  private async readBy(now: Promise<Date>, only?: ReadonlySet<string>): Promise<SweepTime> {
    const [network, rows] = await Promise.all([
      now,
      only?.size === 0 ? [] : this.rows.find(only === undefined ? {} : { _id: { $in: [...only] } }).toArray(),
    ]);
    return sweepTime(network, new Map(rows.map((row) => [row._id, row.offset_ms])));
  }
}
