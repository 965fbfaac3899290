import type { FeedbackKind } from '@cds/contracts';
import type { Collection, Store, Tx } from '@cds/service';

/** A message to the service's team; its states are new, seen, answered (docs/domain/access.md#tasks-and-feedback). */
export type FeedbackRow = {
  _id: string;
  ws: string;
  key_id: string;
  message: string;
  kind: FeedbackKind | null;
  campaign_id: string | null;
  request_id: string | null;
  state: 'new' | 'seen' | 'answered';
  received_at: Date;
};

export class Feedback {
  private readonly rows: Collection<FeedbackRow>;

  constructor(store: Store) {
    this.rows = store.collection<FeedbackRow>({ name: 'feedback', indexes: [{ key: { state: 1, received_at: 1 } }] });
  }

  async insert(tx: Tx, row: FeedbackRow): Promise<void> {
    await this.rows.insertOne(row, tx.options());
  }

  async of(ws: string): Promise<FeedbackRow[]> {
    return this.rows.find({ ws }).sort({ received_at: 1 }).toArray();
  }
}
