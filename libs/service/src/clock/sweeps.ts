import { trace } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { Deadline } from '../deadline/deadline.js';
import { isDatabaseUnavailable } from '../store/database-unavailable.js';
import { counterOf } from '../telemetry/metrics.js';
import { type Clocks, type SweepTime, sweepTime } from './clocks.js';
import type { Jobs } from './jobs.js';
import { showRowsFromZero } from './row-runner.js';

const runs = counterOf('cds_sweep_runs_total');
const NOT_MOVED: ReadonlyMap<string, number> = new Map();

/** Finds and handles due facts and returns how many; `only` limits it to one workspace, after a clock was advanced. */
export type Sweep = {
  name: string;
  everyMs: number;
  run: (time: SweepTime, only: string | null) => Promise<number>;
  /** It uses the network's time alone, so no sandbox's clock is read for its turns. */
  ofNetwork?: true;
};

/** Runs for the network as a whole: its facts follow the network's time, so advancing a sandbox clock runs nothing. */
export const ofNetwork = (
  name: string,
  everyMs: number,
  run: (networkTime: SweepTime['network']) => Promise<number>,
): Sweep => ({
  name,
  everyMs,
  run: async (time, only) => (only === null ? run(time.network) : 0),
  ofNetwork: true,
});

/** Starts a sweep for a workspace where something became due, without waiting. If it fails, the next turn retries. */
export type Begin = (workspace: string) => void;

export const beginOf =
  (sweep: Sweep, clocks: Pick<Clocks, 'recent'>, log: Pick<Logger, 'warn'>): Begin =>
  (workspace) => {
    // The request that caused this is answered before it ends.
    Deadline.detached(() => clocks.recent())
      .then((time) => Deadline.detached(() => sweep.run(time, workspace)))
      .catch((err: unknown) => log.warn({ err, sweep: sweep.name }, 'a sweep failed; its next turn retries'));
  };

/** Runs work one at a time. All who ask while it runs share the one run that follows. */
export const oneAtATime = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<unknown> = Promise.resolve();
  let waiting: Promise<T> | null = null;
  return () => {
    waiting ??= running
      .catch(() => undefined)
      .then(() => {
        waiting = null;
        // Several callers share this run, so it must not end with the deadline of one of them.
        const run = Deadline.detached(work);
        running = run;
        return run;
      });
    return waiting;
  };
};

/** Runs a service's sweeps. What becomes due is a fact on a document, never a timer (docs/reliability.md#due-facts). */
export class Sweeps {
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Set<Promise<unknown>>();
  private stopped = false;

  constructor(
    private readonly clocks: Clocks,
    private readonly sweeps: readonly Sweep[],
    private readonly log: Logger,
    private readonly jobs?: Pick<Jobs, 'ended' | 'flush'>,
  ) {
    // Metrics and jobs know a sweep by its name: two of one name would hide each other's runs.
    const names = sweeps.map(({ name }) => name);
    const repeated = names.find((name, at) => names.indexOf(name) !== at);
    if (repeated !== undefined) throw new Error(`two sweeps are called "${repeated}": give one another name`);
  }

  start(): void {
    for (const sweep of this.sweeps) {
      showRowsFromZero(sweep.name);
      this.schedule(sweep);
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    await Promise.allSettled([...this.running]);
    await this.jobs?.flush();
  }

  /** Runs every sweep for one workspace until a round handles nothing, and returns how many facts were handled. */
  async runDue(workspace: string): Promise<number> {
    let handled = 0;
    for (let round = 0; round < 100; round += 1) {
      const time = await this.clocks.read([workspace]);
      let now = 0;
      for (const sweep of this.sweeps) now += await sweep.run(time, workspace);
      handled += now;
      if (now === 0) break;
    }
    return handled;
  }

  /** Begins a run after a pause. One that handled something for longer than its turn has no pause after it. */
  private schedule(sweep: Sweep, pauseMs = sweep.everyMs): void {
    if (this.stopped) return;
    const timer = setTimeout(() => {
      const began = performance.now();
      const run = this.tick(sweep).then((handled) => {
        this.running.delete(run);
        this.timers.splice(this.timers.indexOf(timer), 1);
        const tookMs = handled > 0 ? performance.now() - began : 0;
        this.schedule(sweep, Math.max(0, sweep.everyMs - tookMs));
      });
      this.running.add(run);
    }, pauseMs);
    this.timers.push(timer);
  }

  private tick(sweep: Sweep): Promise<number> {
    return trace.getTracer('sweeps').startActiveSpan(`sweep ${sweep.name}`, async (span) => {
      try {
        const time = sweep.ofNetwork ? sweepTime(await this.clocks.network(), NOT_MOVED) : await this.clocks.recent();
        const handled = await sweep.run(time, null);
        runs.add(1, { sweep: sweep.name, outcome: 'done' });
        await this.jobs?.ended(sweep);
        return handled;
      } catch (error) {
        const waits = isDatabaseUnavailable(error);
        runs.add(1, { sweep: sweep.name, outcome: waits ? 'waits' : 'failed' });
        if (waits) this.log.warn({ sweep: sweep.name }, 'a sweep is waiting for the database');
        else {
          this.log.error({ err: error, sweep: sweep.name }, 'a sweep failed');
          await this.jobs?.ended(sweep, error);
        }
        return 0;
      } finally {
        span.end();
      }
    });
  }
}
