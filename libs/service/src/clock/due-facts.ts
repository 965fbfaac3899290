import type { Logger } from 'pino';
import { Deadline } from '../deadline/deadline.js';
import type { Clocks, NetworkTime, SandboxHorizon, SweepTime } from './clocks.js';
import type { Pauses } from './row-runner.js';
import { ofNetwork, type Sweep } from './sweeps.js';

/** Where a service stores its due facts, and how it handles them (docs/reliability.md#due-facts). */
export type DueSource = {
  /** The sandboxes with an unhandled due fact at or before `horizon`, each with its earliest. */
  sandboxesDue: (horizon: SandboxHorizon) => Promise<{ ws: string; due_at: Date }[]>;
  /** Handles what is due in one sandbox up to `until`, and returns how many facts it handled. */
  handleSandbox: (workspace: string, until: Date, network: NetworkTime, pauses: Pauses) => Promise<number>;
  /** The same for all live workspaces together, which use the database's clock only. */
  handleLive: (network: NetworkTime) => Promise<number>;
};

/** An advanced clock and an applied event handle what they made due, so this finds only what they left. */
const SANDBOX_SWEEP_MS = 5_000;
/** docs/reliability.md#deadlines: the expiry sweep. */
const LIVE_SWEEP_MS = 5_000;

/** How long `applied` waits: a clock that jumped far must not hold up the events of other workspaces. */
const APPLIED_WAIT_MS = 1_000;

/** How many sandboxes are worked on at once after events, since each run holds connections of the pool. */
const MOST_AT_ONCE = 16;

/**
 * Handles due facts by sweeps, and at once for one sandbox after an event. Runs over one sandbox are queued within a
 * process; whether it is done is read from the database, because other replicas work on it too.
 */
export class DueFacts {
  /** The newest run over each sandbox that has one; it begins once those before it have ended. */
  private readonly last = new Map<string, Promise<unknown>>();
  /** The run after events that each sandbox waits for. It has not begun, so it finds what is applied meanwhile too. */
  private readonly asked = new Map<string, Promise<void>>();
  private readonly places = new Places(MOST_AT_ONCE);

  constructor(
    private readonly clocks: Pick<Clocks, 'read'>,
    private readonly source: DueSource,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  sweeps(): Sweep[] {
    return [
      {
        name: 'sandbox due facts',
        everyMs: SANDBOX_SWEEP_MS,
        run: (time, only) => (only === null ? this.sweep(time) : this.queue(only, () => this.run(time, only))),
      },
      ofNetwork('live due facts', LIVE_SWEEP_MS, (at) => this.source.handleLive(at)),
    ];
  }

  /** Handles what became due through events of these sandboxes; returns after a second at most. Never throws. */
  async applied(workspaces: readonly string[]): Promise<void> {
    if (workspaces.length === 0) return;
    const runs = [...new Set(workspaces)].map((workspace) => this.afterEvents(workspace));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, APPLIED_WAIT_MS);
    });
    await Promise.race([Promise.all(runs), late]);
    clearTimeout(timer);
  }

  private afterEvents(workspace: string): Promise<void> {
    const known = this.asked.get(workspace);
    if (known !== undefined) return known;
    const work = async (): Promise<void> => {
      this.asked.delete(workspace);
      await this.run(await this.clocks.read([workspace]), workspace);
    };
    // Nobody may wait for its end, so the caller's deadline must not end it.
    const run = Deadline.detached(() => this.places.run(() => this.queue(workspace, work))).catch((error: unknown) =>
      this.log.warn({ err: error, workspace }, 'due facts were not handled after an event; the next sweep retries'),
    );
    this.asked.set(workspace, run);
    return run;
  }

  private run(time: SweepTime, workspace: string): Promise<number> {
    return this.source.handleSandbox(workspace, time.of(workspace), time.network, 'ignored');
  }

  /** Handles what is due in every sandbox but those that a run is working on. */
  private async sweep(time: SweepTime): Promise<number> {
    let handled = 0;
    for (const { ws, due_at } of await this.source.sandboxesDue(time.horizon)) {
      const until = time.of(ws);
      if (due_at > until || this.last.has(ws)) continue;
      handled += await this.queue(ws, () => this.source.handleSandbox(ws, until, time.network, 'kept'));
    }
    return handled;
  }

  private queue<T>(workspace: string, work: () => Promise<T>): Promise<T> {
    const run = (this.last.get(workspace) ?? Promise.resolve()).then(work, work);
    const forget = (): void => {
      if (this.last.get(workspace) === ended) this.last.delete(workspace);
    };
    const ended = run.then(forget, forget);
    this.last.set(workspace, ended);
    return run;
  }
}

/** Lets so many run at once; the others begin in their order. */
class Places {
  private readonly waiting: (() => void)[] = [];

  constructor(private left: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.left > 0) this.left -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.left += 1;
      else next();
    }
  }
}
