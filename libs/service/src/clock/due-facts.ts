import type { Logger } from 'pino';
import type { Clocks, SweepTime } from './clocks.js';
import type { Sweep } from './sweeps.js';

/** Where a service keeps its due facts, and how it handles them at their own business time (design 7). */
export type DueSource = {
  /** The sandboxes with an unhandled due fact at or before `horizon`, each with its earliest. */
  sandboxesDue: (horizon: Date) => Promise<{ ws: string; due_at: Date }[]>;
  /** Handles what is due in one sandbox until `until`; answers how many facts were handled. */
  handleSandbox: (workspace: string, until: Date, time: SweepTime) => Promise<number>;
  /** The same for all live workspaces at once, which share the database's clock. */
  handleLive: (time: SweepTime) => Promise<number>;
};

const SANDBOX_SWEEP_MS = 1_000;
/** Reliability 3.20: the expiry sweep. */
const LIVE_SWEEP_MS = 5_000;

/**
 * The due facts of one service: its sweeps, and the same work at once for one sandbox after a fact from another service
 * was applied. Runs of one process follow one another, so that an advanced clock answers after all of them.
 */
export class DueFacts {
  private last: Promise<unknown> = Promise.resolve();
  private readonly moved = new Map<string, number>();

  constructor(
    private readonly clocks: Clocks,
    private readonly source: DueSource,
    private readonly log: Logger,
  ) {}

  sweeps(): Sweep[] {
    return [
      {
        name: 'sandbox due facts',
        everyMs: SANDBOX_SWEEP_MS,
        run: (time, only) => this.queue(() => this.run(time, only)),
      },
      {
        name: 'live due facts',
        everyMs: LIVE_SWEEP_MS,
        run: (time, only) => (only === null ? this.queue(() => this.source.handleLive(time)) : Promise.resolve(0)),
      },
    ];
  }

  /** After a fact of a sandbox was applied: handles what became due by it, and remembers that something moved. Never throws. */
  async applied(workspace: string): Promise<void> {
    this.moved.set(workspace, (this.moved.get(workspace) ?? 0) + 1);
    try {
      await this.queue(async () => this.run(await this.clocks.read(), workspace));
    } catch (error) {
      this.log.warn({ err: error, workspace }, 'due facts wait for the next sweep');
    }
  }

  /** How many facts were applied for a sandbox since this was last asked: a clock that moved asks again until none was. */
  takeMoved(workspace: string): number {
    const moved = this.moved.get(workspace) ?? 0;
    this.moved.delete(workspace);
    return moved;
  }

  private async run(time: SweepTime, only: string | null): Promise<number> {
    if (only !== null) return this.source.handleSandbox(only, time.of(only), time);
    let handled = 0;
    for (const { ws, due_at } of await this.source.sandboxesDue(time.horizon)) {
      const until = time.of(ws);
      if (due_at <= until) handled += await this.source.handleSandbox(ws, until, time);
    }
    return handled;
  }

  private queue<T>(work: () => Promise<T>): Promise<T> {
    const run = this.last.then(work, work);
    this.last = run.catch(() => undefined);
    return run;
  }
}
