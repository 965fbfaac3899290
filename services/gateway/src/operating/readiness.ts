import type { Dependencies } from './dependencies.js';

const FRESH_MS = 500;

/**
 * Whether the whole system serves: the gateway's bus and database, and each service behind it. Concurrent probes share
 * one check, and its result is cached briefly, so that frequent probes cost little.
 */
export class Readiness {
  private cached: { ready: boolean; at: number } | undefined;
  private checking: Promise<boolean> | undefined;

  constructor(private readonly dependencies: Pick<Dependencies, 'check'>) {}

  ready(): Promise<boolean> | boolean {
    if (this.cached !== undefined && performance.now() - this.cached.at < FRESH_MS) return this.cached.ready;
    this.checking ??= this.check().finally(() => {
      this.checking = undefined;
    });
    return this.checking;
  }

  private async check(): Promise<boolean> {
    const ready = (await this.dependencies.check()).every(({ problem }) => problem === null);
    this.cached = { ready, at: performance.now() };
    return ready;
  }
}
