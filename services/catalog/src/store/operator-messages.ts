import type { Collection, Store, Tx } from '@cds/service';

/** A brand's wish for a price, under the id of its ask. */
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
  private readonly rows: Collection<OperatorMessage>;

  constructor(store: Store) {
    this.rows = store.collection<OperatorMessage>({ name: 'operator_messages', indexes: [{ key: { at: -1 } }] });
  }

  /** Puts a message into the queue, in the transaction of its cause: the team is told of nothing that was not kept. */
  async deliver(tx: Tx, message: OperatorMessage): Promise<void> {
    await this.rows.insertOne(message, tx.options());
  }
}
