import type { Collection, Store } from '@cds/service';
import type { mongo } from 'mongoose';

/** A kept picture; `_id` is its random name. A name never changes its picture, so that anybody may keep it for good. */
export type AvatarRow = { _id: string; creator_id: string; digest: string; data: mongo.Binary; at: Date };

/** How pictures are indexed; they are written through the identity user, together with the creator they show. */
export const AVATARS = { name: 'avatars', indexes: [{ key: { creator_id: 1 } }] } as const;

/** The pictures of creators as they are served. A former one stays: quotes of the past name it. */
export class Avatars {
  private readonly rows: Collection<AvatarRow>;

  constructor(store: Store) {
    this.rows = store.collection<AvatarRow>(AVATARS);
  }

  /** The bytes of a picture; null for a name of none. */
  async read(name: string): Promise<Buffer | null> {
    const row = await this.rows.findOne({ _id: name });
    return row === null ? null : Buffer.from(row.data.buffer);
  }
}
