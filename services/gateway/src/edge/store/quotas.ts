import { createHash } from 'node:crypto';
import { type Collection, isDuplicate, type Store } from '@cds/service';

/** How often something may happen within a span of time, which starts with the first use; or within each UTC day. */
export type Quota = { name: string; limit: number; spanMs: number; daily?: true };

type QuotaRow = {
  _id: string;
  opened_at: Date;
  n: number;
  seen_at: Date;
  drop_at: Date;
  /** Whether the newest use was more than was left. */
  refused: boolean;
};

/** A quota after one more use: whether that was refused, and when it starts again. */
export type Used = { refused: boolean; resetsAt: Date; seenAt: Date };

const EPOCH = new Date(0);

/** What is left of a quota; `resetsAt` is null while nothing of it is used. */
export type QuotaLeft = { left: number; resetsAt: Date | null };

export class Quotas {
  private readonly rows: Collection<QuotaRow>;

  constructor(store: Store) {
    this.rows = store.collection<QuotaRow>({
      name: 'quotas',
      indexes: [{ key: { drop_at: 1 }, expireAfterSeconds: 0 }],
    });
  }

  /** Counts uses in a single statement; what is refused uses nothing. `who` is stored as a hash. */
  async use({ name, limit, spanMs, daily }: Quota, who: string, uses = 1): Promise<Used> {
    const _id = quotaId(name, who);
    const opened = { $ifNull: ['$opened_at', EPOCH] };
    const over = { $gte: [{ $subtract: ['$$NOW', opened] }, spanMs] };
    const start = daily === true ? { $dateTrunc: { date: '$$NOW', unit: 'day' } } : '$$NOW';
    const statement = () =>
      this.rows.findOneAndUpdate(
        { _id },
        [
          {
            $set: {
              opened_at: { $cond: [over, start, '$opened_at'] },
              n: { $cond: [over, 0, '$n'] },
              drop_at: { $cond: [over, { $add: [start, spanMs] }, '$drop_at'] },
              seen_at: '$$NOW',
            },
          },
          { $set: { refused: { $gt: [{ $add: ['$n', uses] }, limit] } } },
          { $set: { n: { $cond: ['$refused', '$n', { $add: ['$n', uses] }] } } },
        ],
        { upsert: true, returnDocument: 'after', writeConcern: { w: 1 } },
      );
    const row = await statement().catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
      return statement(); // Two first uses raced; the row exists now.
    });
    if (row === null) throw new Error('an upsert returned no quota');
    return { refused: row.refused, resetsAt: row.drop_at, seenAt: row.seen_at };
  }

  async left({ name, limit }: Quota, who: string, now: Date): Promise<QuotaLeft> {
    const row = await this.rows.findOne({ _id: quotaId(name, who) });
    if (row === null || row.drop_at <= now) return { left: limit, resetsAt: null };
    return { left: Math.max(0, limit - row.n), resetsAt: row.drop_at };
  }
}

const quotaId = (name: string, who: string): string =>
  `${name}:${createHash('sha256').update(who).digest('base64url')}`;
