import { ofNetwork, type Sweep } from '../clock/sweeps.js';
import type { Failpoints } from '../process/failpoint.js';
import { AUDIT_FORMAT } from './entry.js';
import type { AuditKey } from './signature.js';
import type { CheckpointWorkDeps } from './work-deps.js';

const LOOK_EVERY_MS = 60_000;
const CHECKPOINT_EVERY_MS = 3_600_000;
const BATCH = 500;

type CheckpointerDeps = CheckpointWorkDeps & { key: AuditKey; failpoints: Pick<Failpoints, 'hit' | 'pause'> };

/** Signs the heads that grew and appends them to the sink; after a crash maybe twice (docs/reliability.md#audit). */
export class Checkpointer {
  constructor(private readonly deps: CheckpointerDeps) {}

  sweep(): Sweep {
    return ofNetwork('audit checkpoints', LOOK_EVERY_MS, () => this.run());
  }

  async run(everyMs = CHECKPOINT_EVERY_MS): Promise<number> {
    const { store, duties, lease } = this.deps;
    if (!(await lease.hold()) || !(await duties.due('checkpoint', everyMs))) return 0;
    const at = await store.now();
    let signed = 0;
    for (let left = true; left; ) {
      if (!(await lease.hold())) return signed;
      const batch = await this.signBatch(at);
      signed += batch;
      left = batch === BATCH;
    }
    await duties.done('checkpoint', at);
    return signed;
  }

  private async signBatch(at: Date): Promise<number> {
    const { service, heads, checkpoints, sink, key } = this.deps;
    const ahead = await heads.ahead(BATCH);
    if (ahead.length === 0) return 0;
    const signed = ahead.map(({ _id, seq, hash }) =>
      key.sign({
        kind: 'checkpoint' as const,
        format: AUDIT_FORMAT,
        service,
        workspace: _id,
        seq,
        hash,
        at: at.toISOString(),
      }),
    );

    this.deps.failpoints.hit('audit.signed');
    await sink.append(signed);
    this.deps.failpoints.hit('audit.appended');
    await checkpoints.add(signed);
    this.deps.failpoints.hit('audit.copied');
    for (const { workspace, seq } of signed) await heads.checkpointed(workspace, seq);
    return ahead.length;
  }
}
