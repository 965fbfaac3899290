import type { Collection, Store } from '@cds/service';
import type { mongo } from 'mongoose';

/** A stored picture; `_id` is its random name. A name always means the same picture, so it may be cached forever. */
export type AvatarRow = { _id: string; creator_id: string; digest: string; data: mongo.Binary; at: Date };

/** The indexes of pictures. They are written through the identity user, together with their creator. */
export const AVATARS = { name: 'avatars', indexes: [{ key: { creator_id: 1 } }] } as const;

/** The served pictures of creators. Former ones stay, because past quotes refer to them. */
export class Avatars {
  private readonly rows: Collection<AvatarRow>;

  constructor(store: Store) {
    this.rows = store.collection<AvatarRow>(AVATARS);
  }

  /** The bytes of a picture; null for an unknown name. */
  async read(name: string): Promise<Buffer | null> {
    const row = await this.rows.findOne({ _id: name });
    return row === null ? null : Buffer.from(row.data.buffer);
  }
}
