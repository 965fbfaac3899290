import { createHash } from 'node:crypto';
import { type Collection, isDuplicate, type Store } from '@cds/service';

/** How often something may happen within a span of time. */
export type Quota = { name: string; limit: number; spanMs: number };

type QuotaRow = { _id: string; opened_at: Date; n: number; seen_at: Date; drop_at: Date };

/** A quota after one more use: whether it was exceeded, and when it starts again. */
export type Used = { refused: boolean; resetsAt: Date; seenAt: Date };

const EPOCH = new Date(0);

/** Quotas of callers without a credential, such as the sign-ups of a client address. */
export class Quotas {
  private readonly rows: Collection<QuotaRow>;

  constructor(store: Store) {
    this.rows = store.collection<QuotaRow>({
      name: 'quotas',
      indexes: [{ key: { drop_at: 1 }, expireAfterSeconds: 0 }],
    });
  }

  /**
   * Counts one use by someone in a single statement. The span starts with the first use. `who` is stored as a hash.
   */
  async use({ name, limit, spanMs }: Quota, who: string): Promise<Used> {
    const _id = `${name}:${createHash('sha256').update(who).digest('base64url')}`;
    const opened = { $ifNull: ['$opened_at', EPOCH] };
    const over = { $gte: [{ $subtract: ['$$NOW', opened] }, spanMs] };
    const statement = () =>
      this.rows.findOneAndUpdate(
        { _id },
        [
          {
            $set: {
              opened_at: { $cond: [over, '$$NOW', '$opened_at'] },
              n: { $cond: [over, 1, { $min: [{ $add: ['$n', 1] }, limit + 1] }] },
              drop_at: { $cond: [over, { $add: ['$$NOW', spanMs] }, '$drop_at'] },
              seen_at: '$$NOW',
            },
          },
        ],
        { upsert: true, returnDocument: 'after', writeConcern: { w: 1 } },
      );
    const row = await statement().catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
      return statement(); // Two first uses raced; the row exists now.
    });
    if (row === null) throw new Error('an upsert returned no quota');
    return { refused: row.n > limit, resetsAt: row.drop_at, seenAt: row.seen_at };
  }
}
