import type { OperatorRole, OperatorToken } from '@cds/contracts';
import { after, type Collection, inOrder, LostRace, type Place, type Store, type Tx } from '@cds/service';
import type { Peppers } from '../keys/key-format.js';
import { type OperatorCredential, possibleOperatorSecrets } from '../keys/operator-token.js';

/** A token of the operator's team: one role, made and revoked by a lead (docs/domain/access.md#operators). */
export type OperatorTokenRow = {
  /** The public id, which is part of the token's text. */
  _id: string;
  token_id: string;
  name: string;
  role: OperatorRole;
  secret_hmac: string;
  created_at: Date;
  created_by: string;
  expires_at: Date | null;
  revoked_at: Date | null;
};

const NEVER = new Date('9999-12-31T23:59:59.999Z');

export class OperatorTokens {
  private readonly rows: Collection<OperatorTokenRow>;

  constructor(
    store: Store,
    private readonly peppers: Peppers,
  ) {
    this.rows = store.collection<OperatorTokenRow>({
      name: 'operator_tokens',
      indexes: [
        { key: { token_id: 1 }, unique: true },
        { key: { name: 1 }, unique: true },
      ],
    });
  }

  /** The row of a token; null for one that is unknown, expired or revoked. */
  admit({ publicId, secret }: OperatorCredential, maxTimeMs: number): Promise<OperatorTokenRow | null> {
    return this.rows.findOne(
      {
        _id: publicId,
        secret_hmac: { $in: possibleOperatorSecrets(this.peppers, secret) },
        revoked_at: null,
        $expr: { $gt: [{ $ifNull: ['$expires_at', NEVER] }, '$$NOW'] },
      },
      { maxTimeMS: maxTimeMs },
    );
  }

  /** A page of tokens, the oldest first. */
  page(place: Place | null, limit: number): Promise<OperatorTokenRow[]> {
    return this.rows.find(after('created_at', place), { sort: inOrder('created_at'), limit }).toArray();
  }

  named(name: string): Promise<OperatorTokenRow | null> {
    return this.rows.findOne({ name });
  }

  byId(tokenId: string): Promise<OperatorTokenRow | null> {
    return this.rows.findOne({ token_id: tokenId.toLowerCase() });
  }

  async insert(tx: Tx, row: OperatorTokenRow): Promise<void> {
    await this.rows.insertOne(row, tx.options());
  }

  /** Revokes a token. Raises LostRace when somebody else did it first. */
  async revoke(tx: Tx, row: OperatorTokenRow, at: Date): Promise<void> {
    const done = await this.rows.updateOne(
      { _id: row._id, revoked_at: null },
      { $set: { revoked_at: at } },
      tx.options(),
    );
    if (done.matchedCount === 0) throw new LostRace('operator token');
  }
}

/** Presents a token, without the secret. */
export const presentOperatorToken = (row: OperatorTokenRow): OperatorToken => ({
  id: row.token_id,
  public_id: row._id,
  name: row.name,
  role: row.role,
  created_at: row.created_at.toISOString(),
  created_by: row.created_by,
  expires_at: row.expires_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
});
