import { type BaseShell, Deadline, type RowRunner } from '@cds/service';
import type { CollabTransaction } from '../identity/collab-transaction.js';
import type { PostEvidenceRows } from '../identity/post-evidence.js';
import { withoutValues } from '../identity/without-values.js';
import type { Creators } from '../store/creators.js';
import type { Launches, LaunchRow } from '../store/launches.js';

/** Creators in one transaction. */
const BATCH = 200;

/** Items in batches, never more of them in memory. */
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

/**
 * Tells creators of a launch as soon as it was added, changed or removed: those whose posts speak of it, then those who
 * were told of it before, a batch at a time. It begins when the change has committed; a replica that dies is followed by
 * the next sweep, and telling twice changes nothing. Source: domain 1-network 7 and 15.
 */
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

  /** Begins to tell what has just been committed, and waits for nothing. */
  soon(): void {
    Deadline.detached(() => this.run()).catch((err: unknown) =>
      this.log.error({ err }, 'a launch was not told; the next sweep tells it'),
    );
  }

  /** Tells all that is untold and answers how many creators changed. */
  run(): Promise<number> {
    this.running = this.running.catch(() => 0).then(() => this.propagateAll());
    return this.running;
  }

  private async propagateAll(): Promise<number> {
    let told = 0;
    await this.rows.run(
      {
        name: 'propagate_launches',
        find: async (without) => {
          const next = await this.launches.claimPending(without);
          return next === null ? [] : [next];
        },
        idOf: (launch) => launch._id,
        handle: async (launch) => {
          told += await this.tell(launch);
          return 'done';
        },
        loggable: withoutValues,
      },
      'kept',
    );
    return told;
  }

  private async tell(launch: LaunchRow): Promise<number> {
    const forgotten = launch.untold?.rematch === true ? launch._id : null;
    const around = launch.removed === true ? [] : [this.evidence.creatorsAround(launch)];
    let told = 0;
    for (const ids of [...around, this.creators.tookPart(launch._id)])
      for await (const batch of batchesOf(ids)) {
        told += await this.transaction.recompute(batch, forgotten);
        await this.launches.renew(launch);
      }
    await this.launches.told(launch);
    return told;
  }
}
