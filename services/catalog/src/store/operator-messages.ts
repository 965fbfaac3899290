import type { Collection, Store, Tx } from '@cds/service';

/** A brand's price ask; `_id` is the ask's. */
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

export class OperatorMessages {
  private readonly rows: Collection<OperatorMessage>;

  constructor(store: Store) {
    this.rows = store.collection<OperatorMessage>({ name: 'operator_messages', indexes: [{ key: { at: -1 } }] });
  }

  /** Queues a message in the transaction of its cause, so that the team never sees one that was rolled back. */
  async deliver(tx: Tx, message: OperatorMessage): Promise<void> {
    await this.rows.insertOne(message, tx.options());
  }
}
