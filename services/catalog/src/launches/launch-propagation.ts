import { type BaseShell, Deadline, type RowRunner } from '@cds/service';
import type { CollabTransaction } from '../identity/collab-transaction.js';
import type { PostEvidenceRows } from '../identity/post-evidence.js';
import { withoutValues } from '../identity/without-values.js';
import type { Creators } from '../store/creators.js';
import type { Launches, LaunchRow } from '../store/launches.js';

const BATCH = 200;

async function* batchesOf(ids: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const id of ids) {
    batch.push(id);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Starts at the commit, and the next sweep finishes for a dead replica; running twice changes nothing. */
export class LaunchPropagation {
  private running: Promise<number> = Promise.resolve(0);

  constructor(
    private readonly launches: Launches,
    private readonly creators: Pick<Creators, 'tookPart'>,
    private readonly evidence: PostEvidenceRows,
    private readonly transaction: CollabTransaction,
    private readonly rows: RowRunner,
    private readonly log: Pick<BaseShell['log'], 'error'>,
  ) {}

  soon(): void {
    Deadline.detached(() => this.run()).catch((err: unknown) =>
      this.log.error({ err }, 'a launch was not propagated; the next sweep retries it'),
    );
  }

  run(): Promise<number> {
    this.running = this.running.catch(() => 0).then(() => this.propagateAll());
    return this.running;
  }

  private async propagateAll(): Promise<number> {
    let changed = 0;
    await this.rows.run(
      {
        name: 'propagate_launches',
        find: async (without) => {
          const next = await this.launches.claimPending(without);
          return next === null ? [] : [next];
        },
        idOf: (launch) => launch._id,
        handle: async (launch) => {
          changed += await this.propagate(launch);
          return 'done';
        },
        loggable: withoutValues,
      },
      'kept',
    );
    return changed;
  }

  private async propagate(launch: LaunchRow): Promise<number> {
    const forgotten = launch.untold?.rematch === true ? launch._id : null;
    const around = launch.removed === true ? [] : [this.evidence.creatorsAround(launch)];
    let changed = 0;
    for (const ids of [...around, this.creators.tookPart(launch._id)])
      for await (const batch of batchesOf(ids)) {
        changed += await this.transaction.recompute(batch, forgotten);
        await this.launches.renew(launch);
      }
    await this.launches.propagated(launch);
    return changed;
  }
}
