import type { Logger } from 'pino';
import type { Clocks, NetworkTime, SandboxHorizon, SweepTime } from './clocks.js';
import type { Pauses } from './row-runner.js';
import type { Sweep } from './sweeps.js';

/** Where a service keeps its due facts, and how it handles them at their own business time (design 7). */
export type DueSource = {
  /** The sandboxes with an unhandled due fact at or before `horizon`, each with its earliest. */
  sandboxesDue: (horizon: SandboxHorizon) => Promise<{ ws: string; due_at: Date }[]>;
  /** Handles what is due in one sandbox until `until`; answers how many facts were handled. */
  handleSandbox: (workspace: string, until: Date, network: NetworkTime, pauses: Pauses) => Promise<number>;
  /** The same for all live workspaces at once, which know the database's clock and no other. */
  handleLive: (network: NetworkTime) => Promise<number>;
};

const SANDBOX_SWEEP_MS = 1_000;
/** Reliability 3.20: the expiry sweep. */
const LIVE_SWEEP_MS = 5_000;

/**
 * The due facts of one service: its sweeps, and the same work at once for one sandbox after a fact from another service
 * was applied. Runs over sandboxes follow one another within a process, so that they do not race; whether a sandbox has
 * settled is read from the database, since other replicas work on it too.
 */
export class DueFacts {
  private last: Promise<unknown> = Promise.resolve();

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
        run: async (time, only) => (only === null ? this.source.handleLive(time.network) : 0),
      },
    ];
  }

  /** After a fact of a sandbox was applied: handles what became due by it. Never throws. */
  async applied(workspace: string): Promise<void> {
    try {
      await this.queue(async () => this.run(await this.clocks.read(), workspace));
    } catch (error) {
      this.log.warn({ err: error, workspace }, 'due facts wait for the next sweep');
    }
  }

  private async run(time: SweepTime, only: string | null): Promise<number> {
    if (only !== null) return this.source.handleSandbox(only, time.of(only), time.network, 'ignored');
    let handled = 0;
    for (const { ws, due_at } of await this.source.sandboxesDue(time.horizon)) {
      const until = time.of(ws);
      if (due_at <= until) handled += await this.source.handleSandbox(ws, until, time.network, 'kept');
    }
    return handled;
  }

  private queue<T>(work: () => Promise<T>): Promise<T> {
    const run = this.last.then(work, work);
    this.last = run.catch(() => undefined);
    return run;
  }
}
