import type { FeedbackItem, FeedbackKind, FeedbackState } from '@cds/contracts';
import { after, type Collection, inOrder, LostRace, type Place, type Store, type Tx } from '@cds/service';

/** A message to the team: new, then seen, then answered (docs/domain/operators.md#tasks-and-feedback). */
export type FeedbackRow = {
  _id: string;
  ws: string;
  key_id: string;
  message: string;
  kind: FeedbackKind | null;
  campaign_id: string | null;
  request_id: string | null;
  state: FeedbackState;
  received_at: Date;
  /** What the team answered, and who changed the state last; absent while it is new. */
  answer?: string | null;
  changed_at?: Date;
  changed_by?: string;
};

const KEPT_SECONDS = 30 * 86_400;

export type FeedbackChange = {
  state: 'seen' | 'answered';
  answer: string | null;
  changed_at: Date;
  changed_by: string;
};

export class Feedback {
  private readonly rows: Collection<FeedbackRow>;

  constructor(store: Store) {
    this.rows = store.collection<FeedbackRow>({
      name: 'feedback',
      indexes: [
        { key: { state: 1, received_at: 1, _id: 1 } },
        { key: { received_at: 1, _id: 1 } },
        { key: { received_at: 1 }, expireAfterSeconds: KEPT_SECONDS },
      ],
    });
  }

  async insert(tx: Tx, row: FeedbackRow): Promise<void> {
    await this.rows.insertOne(row, tx.options());
  }

  async of(ws: string): Promise<FeedbackRow[]> {
    return this.rows.find({ ws }).sort({ received_at: 1 }).toArray();
  }

  byId(id: string): Promise<FeedbackRow | null> {
    return this.rows.findOne({ _id: id.toLowerCase() });
  }

  page(state: FeedbackState | null, place: Place | null, limit: number): Promise<FeedbackRow[]> {
    const filter = { ...(state === null ? {} : { state }), ...after('received_at', place) };
    return this.rows.find(filter, { sort: inOrder('received_at'), limit }).toArray();
  }

  /** Moves feedback to its next state. Raises LostRace when it has left the state it was read in. */
  async move(tx: Tx, from: FeedbackRow, change: FeedbackChange): Promise<void> {
    const moved = await this.rows.updateOne({ _id: from._id, state: from.state }, { $set: change }, tx.options());
    if (moved.matchedCount === 0) throw new LostRace('feedback');
  }
}

export const presentFeedback = (row: FeedbackRow): FeedbackItem => ({
  id: row._id,
  workspace: row.ws,
  key_id: row.key_id,
  message: row.message,
  kind: row.kind,
  campaign_id: row.campaign_id,
  request_id: row.request_id,
  state: row.state,
  received_at: row.received_at.toISOString(),
  answer: row.answer ?? null,
  changed_at: row.changed_at?.toISOString() ?? null,
  changed_by: row.changed_by ?? null,
});
