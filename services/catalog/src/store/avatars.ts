import { createHash } from 'node:crypto';
import type { Collection, Store } from '@cds/service';
import { mongo } from 'mongoose';

/** A stored picture; `_id` is its random name. A name always means the same picture, so it may be cached forever. */
export type AvatarRow = { _id: string; creator_id: string; digest: string; data: mongo.Binary; at: Date };

/** The indexes of pictures. They are written through the identity user, together with their creator. */
export const AVATARS = { name: 'avatars', indexes: [{ key: { creator_id: 1 } }] } as const;

export class Avatars {
  private readonly rows: Collection<AvatarRow>;

  constructor(store: Store) {
    this.rows = store.collection<AvatarRow>(AVATARS);
  }

  async keepMadeUp(pictures: readonly { creatorId: string; name: string; bytes: Buffer }[], at: Date): Promise<void> {
    if (pictures.length === 0) return;
    await this.rows.bulkWrite(
      pictures.map(({ creatorId, name, bytes }) => ({
        updateOne: {
          filter: { _id: name },
          update: {
            $setOnInsert: {
              creator_id: creatorId,
              digest: createHash('sha256').update(bytes).digest('hex'),
              data: new mongo.Binary(bytes),
              at,
            },
          },
          upsert: true,
        },
      })),
      { ordered: false },
    );
  }

  async read(name: string): Promise<Buffer | null> {
    const row = await this.rows.findOne({ _id: name });
    return row === null ? null : Buffer.from(row.data.buffer);
  }
}
