import type { ServiceName } from '@cds/contracts';
import { type Collection, isDuplicate, type Store } from '@cds/service';

type ClaimRow = {
  _id: string;
  service: ServiceName;
  expires_at: Date;
  /** The requests that were counted under it, and until when the answer to the first of them is kept. */
  counted_fps?: string[];
  counted_until?: Date;
};

/** How long a claim is kept, and with `counted` the fingerprint of a request that was counted and its answer's life. */
type Kept = { keptMs: number; counted: { fp: string; keptMs: number } | null };

const EPOCH = new Date(0);

/** The service of each Idempotency-Key: services see only their own records (docs/reliability.md#idempotency). */
export class Claims {
  private readonly rows: Collection<ClaimRow>;

  constructor(store: Store) {
    this.rows = store.collection<ClaimRow>({
      name: 'command_claims',
      indexes: [{ key: { expires_at: 1 }, expireAfterSeconds: 0 }],
    });
  }

  /** Whether this very request was counted before and its answer may be kept still, so that a retry stores no more. */
  async wasCounted(commandId: string, fp: string, maxTimeMs: number): Promise<boolean> {
    const isKept = { $expr: { $gt: ['$counted_until', '$$NOW'] } };
    const claim = await this.rows.findOne({ _id: commandId, counted_fps: fp, ...isKept }, { maxTimeMS: maxTimeMs });
    return claim !== null;
  }

  /**
   * Claims a command for a service and returns the owner: the first writer wins. A claim is kept as long as the record
   * of its newest use. What was counted under it is replaced once the answer to the first has ended: a retry does not
   * make an answer last longer.
   */
  async take(
    commandId: string,
    service: ServiceName,
    { keptMs, counted }: Kept,
    maxTimeMs: number,
  ): Promise<ServiceName> {
    const mine = {
      $or: [{ $lte: [{ $ifNull: ['$expires_at', EPOCH] }, '$$NOW'] }, { $eq: ['$service', service] }],
    };
    const isNew = { $and: [mine, { $lte: [{ $ifNull: ['$counted_until', EPOCH] }, '$$NOW'] }] };
    const counting = counted && {
      counted_fps: {
        $cond: [
          isNew,
          [counted.fp],
          { $setUnion: [{ $ifNull: ['$counted_fps', []] }, { $cond: [mine, [counted.fp], []] }] },
        ],
      },
      counted_until: { $cond: [isNew, { $add: ['$$NOW', counted.keptMs] }, '$counted_until'] },
    };
    const statement = () =>
      this.rows.findOneAndUpdate(
        { _id: commandId },
        [
          {
            $set: {
              service: { $cond: [mine, service, '$service'] },
              expires_at: {
                $cond: [mine, { $max: ['$expires_at', { $add: ['$$NOW', keptMs] }] }, '$expires_at'],
              },
              ...counting,
            },
          },
        ],
        { upsert: true, returnDocument: 'after', maxTimeMS: maxTimeMs },
      );
    const claim = await statement().catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
      return statement(); // Two first claims raced; the row exists now.
    });
    if (claim === null) throw new Error('an upsert returned no claim');
    return claim.service;
  }
}
