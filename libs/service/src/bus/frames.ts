import { AppError, type WireContext } from '@cds/contracts';
import type { Collection } from '../store/collection.js';
import { isDuplicate, type Store } from '../store/store.js';

type FrameRow = { _id: string; expires_at: Date };

/** How long a frame is remembered past its deadline: far longer than the clocks of two hosts can differ. */
const KEPT_MS = 3_600_000;

/** The frames of internal writes that were accepted: a captured one that is sent again is refused (ADR 0008). */
export class Frames {
  private readonly rows: Collection<FrameRow>;

  constructor(store: Store) {
    this.rows = store.collection<FrameRow>({
      name: 'frames',
      indexes: [{ key: { expires_at: 1 }, expireAfterSeconds: 0 }],
    });
  }

  async take({ iss, frame_id: id, deadline }: Pick<WireContext, 'iss' | 'frame_id' | 'deadline'>): Promise<void> {
    try {
      await this.rows.insertOne({ _id: `${iss}|${id}`, expires_at: new Date(deadline + KEPT_MS) });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      throw new AppError(
        'forbidden',
        'This message was delivered before, and each message is accepted once. Send a new request.',
      );
    }
  }
}
