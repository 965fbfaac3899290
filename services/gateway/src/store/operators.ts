import type { OperatorRole } from '@cds/contracts';
import { type Collection, LostRace, type Store, type Tx } from '@cds/service';
import type { Peppers } from '../keys/key-format.js';
import { type OperatorCredential, possibleOperatorSecrets } from '../keys/operator-token.js';

/** A token of the operator's team: one role, made and revoked by a lead (docs/domain/access.md#operators). */
export type OperatorRow = {
  /** The public id, which is part of the token's text. */
  _id: string;
  operator_id: string;
  name: string;
  role: OperatorRole;
  secret_hmac: string;
  created_at: Date;
  created_by: string;
  revoked_at: Date | null;
};

export class Operators {
  private readonly rows: Collection<OperatorRow>;

  constructor(
    store: Store,
    private readonly peppers: Peppers,
  ) {
    this.rows = store.collection<OperatorRow>({
      name: 'operators',
      indexes: [
        { key: { operator_id: 1 }, unique: true },
        { key: { name: 1 }, unique: true },
      ],
    });
  }

  /** The operator of a token; null for one that is unknown or revoked. */
  admit({ publicId, secret }: OperatorCredential, maxTimeMs: number): Promise<OperatorRow | null> {
    return this.rows.findOne(
      { _id: publicId, secret_hmac: { $in: possibleOperatorSecrets(this.peppers, secret) }, revoked_at: null },
      { maxTimeMS: maxTimeMs },
    );
  }

  all(): Promise<OperatorRow[]> {
    return this.rows.find({}, { sort: { created_at: 1 } }).toArray();
  }

  byId(operatorId: string): Promise<OperatorRow | null> {
    return this.rows.findOne({ operator_id: operatorId.toLowerCase() });
  }

  async insert(tx: Tx, row: OperatorRow): Promise<void> {
    await this.rows.insertOne(row, tx.options());
  }

  async revoke(tx: Tx, row: OperatorRow, at: Date): Promise<void> {
    const done = await this.rows.updateOne(
      { _id: row._id, revoked_at: null },
      { $set: { revoked_at: at } },
      tx.options(),
    );
    if (done.matchedCount === 0) throw new LostRace('operator');
  }
}

/** Presents an operator, without the secret. */
export const presentOperator = (row: OperatorRow) => ({
  id: row.operator_id,
  public_id: row._id,
  name: row.name,
  role: row.role,
  created_at: row.created_at.toISOString(),
  created_by: row.created_by,
  revoked_at: row.revoked_at?.toISOString() ?? null,
});
