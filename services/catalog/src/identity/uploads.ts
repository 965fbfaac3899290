import { randomUUID } from 'node:crypto';
import type { Collection, Store } from '@cds/service';
import { mongo } from 'mongoose';

type ChunkRow = { _id: string; upload_id: string; number: number; data: mongo.Binary; at: Date };

const KEPT_SECONDS = 3_600;

/**
 * Chunks that any replica can read, with handles: in the identity database, and deleted once read
 * (docs/reliability.md#handles).
 */
export class Uploads {
  private readonly rows: Collection<ChunkRow>;

  constructor(identity: Store) {
    this.rows = identity.collection<ChunkRow>({
      name: 'uploads',
      indexes: [
        { key: { upload_id: 1, number: 1 }, unique: true },
        { key: { at: 1 }, expireAfterSeconds: KEPT_SECONDS },
      ],
    });
  }

  async put(uploadId: string, number: number, data: Buffer, at: Date): Promise<void> {
    await this.rows.updateOne(
      { upload_id: uploadId, number },
      { $setOnInsert: { _id: randomUUID(), data: new mongo.Binary(data), at } },
      { upsert: true },
    );
  }

  async count(uploadId: string): Promise<number> {
    return this.rows.countDocuments({ upload_id: uploadId });
  }

  /** The file's text in order, chunk by chunk; raises a TypeError if it is not UTF-8. */
  async *text(uploadId: string): AsyncGenerator<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const row of this.rows.find({ upload_id: uploadId }, { sort: { number: 1 }, batchSize: 1 }))
      yield decoder.decode(row.data.buffer, { stream: true });
    yield decoder.decode();
  }

  async drop(uploadId: string): Promise<void> {
    await this.rows.deleteMany({ upload_id: uploadId });
  }
}
