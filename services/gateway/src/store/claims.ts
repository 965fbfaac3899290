import type { ServiceName } from '@cds/contracts';
import { type Collection, isDuplicate, type Store } from '@cds/service';

type ClaimRow = { _id: string; service: ServiceName; expires_at: Date };

const EPOCH = new Date(0);

/**
 * Which service an Idempotency-Key belongs to, since services see only their own records
 * (docs/reliability.md#idempotency).
 */
export class Claims {
  private readonly rows: Collection<ClaimRow>;

  constructor(store: Store) {
    this.rows = store.collection<ClaimRow>({
      name: 'command_claims',
      indexes: [{ key: { expires_at: 1 }, expireAfterSeconds: 0 }],
    });
  }

  /** Whether a command was claimed before, so that a request under it is a retry. */
  async isKnown(commandId: string, maxTimeMs: number): Promise<boolean> {
    return (await this.rows.findOne({ _id: commandId }, { maxTimeMS: maxTimeMs })) !== null;
  }

  /**
   * Claims a command for a service and returns the owner: the first writer wins. A claim is kept as long as the record
   * of its newest use.
   */
  async take(commandId: string, service: ServiceName, keptMs: number, maxTimeMs: number): Promise<ServiceName> {
    const mine = {
      $or: [{ $lte: [{ $ifNull: ['$expires_at', EPOCH] }, '$$NOW'] }, { $eq: ['$service', service] }],
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
