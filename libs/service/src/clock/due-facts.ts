import type { Logger } from 'pino';
import type { Clocks, NetworkTime, SandboxHorizon, SweepTime } from './clocks.js';
import type { Pauses } from './row-runner.js';
import { ofNetwork, type Sweep } from './sweeps.js';

/**
 * Where a service stores its due facts, and how it handles each at its own business time
 * (docs/reliability.md#due-facts).
 */
export type DueSource = {
  /** The sandboxes with an unhandled due fact at or before `horizon`, each with its earliest. */
  sandboxesDue: (horizon: SandboxHorizon) => Promise<{ ws: string; due_at: Date }[]>;
  /** Handles what is due in one sandbox up to `until`, and returns how many facts it handled. */
  handleSandbox: (workspace: string, until: Date, network: NetworkTime, pauses: Pauses) => Promise<number>;
  /** The same for all live workspaces together, which use the database's clock only. */
  handleLive: (network: NetworkTime) => Promise<number>;
};

const SANDBOX_SWEEP_MS = 1_000;
/** docs/reliability.md#deadlines: the expiry sweep. */
const LIVE_SWEEP_MS = 5_000;

/**
 * Handles the due facts of one service: by its sweeps, and at once for one sandbox after another service's event was
 * applied. Runs over sandboxes are queued within a process so that they do not race. Whether a sandbox is done is read
 * from the database, because other replicas work on it too.
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
      ofNetwork('live due facts', LIVE_SWEEP_MS, (at) => this.source.handleLive(at)),
    ];
  }

  /** Handles what became due through an event of a sandbox. Never throws. */
  async applied(workspace: string): Promise<void> {
    try {
      await this.queue(async () => this.run(await this.clocks.read(), workspace));
    } catch (error) {
      this.log.warn({ err: error, workspace }, 'due facts were not handled after an event; the next sweep retries');
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
