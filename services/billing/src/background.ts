import { Deadline } from '@cds/service';
import type { Dependencies } from './dependencies.js';

/** Work that goes on after an answer was given. What fails is logged and left to the sweep named in `warning`. */
export class Background {
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly log: Dependencies['log']) {}

  /** Starts work that nobody waits for. */
  start(work: () => Promise<void>, warning: string, about: Record<string, unknown> = {}): void {
    const tracked: Promise<void> = Deadline.detached(work)
      .catch((error: unknown) => this.log.warn({ err: error, ...about }, warning))
      .finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }

  /** Waits for everything that has been started. */
  async idle(): Promise<void> {
    await Promise.all([...this.running]);
  }
}
