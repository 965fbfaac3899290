import { isDuplicate, type Store } from '@cds/service';
import type { mongo } from 'mongoose';

/** A brand's wish for a price, told by the id of the ask so that telling it twice changes nothing. */
export type OperatorMessage = {
  _id: string;
  kind: 'price_ask';
  ws: string;
  workspace_name: string;
  sandbox: boolean;
  creator_id: string;
  campaign_id: string | null;
  at: Date;
};

/** The queue that the operator's team reads. */
export class OperatorMessages {
  private readonly rows: mongo.Collection<OperatorMessage>;

  constructor(store: Store) {
    this.rows = store.collection<OperatorMessage>({ name: 'operator_messages', indexes: [{ key: { at: -1 } }] });
  }

  /** Puts a message into the queue; one that is there already stays as it is. */
  async deliver(message: OperatorMessage, maxTimeMs: number): Promise<void> {
    try {
      await this.rows.insertOne(message, { maxTimeMS: maxTimeMs });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }

  /** Takes back a message whose cause was not kept. */
  async withdraw(id: string): Promise<void> {
    await this.rows.deleteOne({ _id: id });
  }
}
