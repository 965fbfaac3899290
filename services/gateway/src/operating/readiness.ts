import type { Dependencies } from './dependencies.js';

const FRESH_MS = 500;

/** Whether the whole system serves. Concurrent probes share one check, whose result is cached briefly. */
export class Readiness {
  private cached: { ready: boolean; at: number } | undefined;
  private checking: Promise<boolean> | undefined;
  private lacking = '';

  constructor(
    private readonly dependencies: Pick<Dependencies, 'check'>,
    private readonly log: { warn: (fields: object, text: string) => void },
  ) {}

  ready(): Promise<boolean> | boolean {
    if (this.cached !== undefined && performance.now() - this.cached.at < FRESH_MS) return this.cached.ready;
    this.checking ??= this.check().finally(() => {
      this.checking = undefined;
    });
    return this.checking;
  }

  private async check(): Promise<boolean> {
    const problems = (await this.dependencies.check()).filter(({ problem }) => problem !== null);
    const ready = problems.length === 0;
    this.cached = { ready, at: performance.now() };
    const lacking = problems.map(({ name, problem }) => `${name}: ${problem}`).join('; ');
    // Once for each change, since probes ask all the time.
    if (!ready && lacking !== this.lacking) this.log.warn({ lacking }, 'not ready');
    this.lacking = lacking;
    return ready;
  }
}
