import { type BaseShell, Deadline } from '@cds/service';

export type Dependencies = Pick<BaseShell, 'store' | 'commands' | 'outbox' | 'audit' | 'clocks' | 'failpoints' | 'log'>;

/** A failure is logged and left to the sweep that `warning` names. */
export class Background {
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly log: Dependencies['log']) {}

  start(work: () => Promise<void>, warning: string, about: Record<string, unknown> = {}): void {
    const tracked: Promise<void> = Deadline.detached(work)
      .catch((error: unknown) => this.log.warn({ err: error, ...about }, warning))
      .finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }

  async idle(): Promise<void> {
    await Promise.all([...this.running]);
  }
}
