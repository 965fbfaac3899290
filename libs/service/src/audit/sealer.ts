import { ofNetwork, type Sweep } from '../clock/sweeps.js';
import { Deadline } from '../deadline/deadline.js';
import type { Failpoints } from '../process/failpoint.js';
import { inTx } from '../store/in-tx.js';
import { LeaseLost } from '../store/lease.js';
import type { Audit } from './audit.js';
import { link } from './link.js';
import type { ChainWorkDeps } from './work-deps.js';

const SEAL_EVERY_MS = 4_000;
const BATCH = 500;
const BATCH_MS = 10_000;
/** A run ends after this time so that it does not delay a stop; the next one continues. */
const RUN_MS = 10_000;

export type SealerDeps = ChainWorkDeps & { audit: Audit; failpoints: Pick<Failpoints, 'hit' | 'pause'> };

/**
 * Gives audit rows their places in the chains (docs/reliability.md#audit). A batch first proves the lease, so a sealer
 * that slept through a takeover changes nothing. Business transactions touch neither heads nor lease.
 */
export class Sealer {
  constructor(private readonly deps: SealerDeps) {}

  sweep(): Sweep {
    return ofNetwork('audit sealer', SEAL_EVERY_MS, () => this.run());
  }

  /** Seals what is there, and returns how many. It asks for the lease only then: an idle service should not write. */
  async run(): Promise<number> {
    if (!(await this.deps.audit.hasUnsealed())) return 0;
    const end = performance.now() + RUN_MS;
    let sealed = 0;
    try {
      while (performance.now() < end && (await this.deps.lease.hold())) {
        const batch = await this.sealBatch();
        sealed += batch;
        if (batch < BATCH) break;
      }
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    }
    return sealed;
  }

  private async sealBatch(): Promise<number> {
    const { service, store, audit, heads, lease } = this.deps;
    await this.at('audit.leased');
    const rows = await audit.unsealed(BATCH);
    if (rows.length === 0) return 0;
    await this.at('audit.read');
    const before = await heads.of([...new Set(rows.map(({ ws }) => ws))]);
    await this.at('audit.headed');

    const { sealed, moves } = link(service, rows, before.heads, before.all);

    await inTx(store, Deadline.in(BATCH_MS), async (tx) => {
      await lease.guard(tx);
      await this.at('audit.guarded');
      await audit.seal(tx, sealed);
      await this.at('audit.sealed');
      await heads.move(tx, moves);
      await this.at('audit.moved');
    });
    await this.at('audit.committed');
    return rows.length;
  }

  /** Where a test makes this process die or sleep. */
  private async at(point: string): Promise<void> {
    this.deps.failpoints.hit(point);
    await this.deps.failpoints.pause(point);
  }
}
