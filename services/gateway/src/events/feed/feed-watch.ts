import { Deadline } from '@cds/service';

const LOOK_MS = 250;

type Waiter = { ws: string; seq: number; wake: () => void };

/**
 * Wakes whoever waits for new events of a feed. One statement reads the last places of all feeds that this process
 * waits for, whichever gateway adds to them; if it fails, readers are only woken later.
 */
export class FeedWatch {
  private readonly waiters = new Set<Waiter>();
  private timer: NodeJS.Timeout | undefined;
  private looking = false;
  private readonly stopping = new AbortController();

  constructor(private readonly headsOf: (workspaces: readonly string[]) => Promise<ReadonlyMap<string, number>>) {}

  get waiting(): number {
    return this.waiters.size;
  }

  /** Fires when the process stops, so that nobody should wait any more. */
  get closing(): AbortSignal {
    return this.stopping.signal;
  }

  /** Waits until the feed has a later place, for at most so long, until `signal` or until the process stops. */
  async later(ws: string, seq: number, atMostMs: number, signal?: AbortSignal): Promise<void> {
    if (this.closing.aborted || atMostMs <= 0 || signal?.aborted === true) return;
    let done: () => void = () => undefined;
    const woken = new Promise<void>((resolve) => {
      done = resolve;
    });
    const waiter = { ws, seq, wake: done };
    const limit = setTimeout(done, atMostMs);
    signal?.addEventListener('abort', done, { once: true });
    this.waiters.add(waiter);
    // It serves everybody who waits, so it must not end with the first one's request.
    this.timer ??= Deadline.detached(() => setInterval(() => void this.look(), LOOK_MS));
    try {
      await woken;
    } finally {
      clearTimeout(limit);
      signal?.removeEventListener('abort', done);
      this.waiters.delete(waiter);
      if (this.waiters.size === 0) this.rest();
    }
  }

  async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      const heads = await this.headsOf([...new Set([...this.waiters].map(({ ws }) => ws))]);
      for (const { ws, seq, wake } of this.waiters) if ((heads.get(ws) ?? 0) > seq) wake();
    } catch {
      // The next read finds it, and a reader whose wait ends reads by itself.
    } finally {
      this.looking = false;
    }
  }

  close(): void {
    this.stopping.abort();
    for (const { wake } of this.waiters) wake();
    this.rest();
  }

  private rest(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
