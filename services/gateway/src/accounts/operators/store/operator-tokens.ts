import type { OperatorRole, OperatorToken } from '@cds/contracts';
import { after, type Collection, inOrder, LostRace, type Place, type Store, stepping, type Tx } from '@cds/service';
import type { Peppers } from '../../keys/key-format.js';
import type { OperatorPersonRow } from '../../people/store/people.js';
import { isSince } from '../domain/operator-person.js';
import { type OperatorCredential, possibleOperatorSecrets } from '../operator-token.js';

/** A token of the operator's team: one role, made and revoked by a lead (docs/domain/operators.md#operators). */
export type OperatorTokenRow = {
  _id: string;
  token_id: string;
  name: string;
  role: OperatorRole;
  secret_hmac: string;
  created_at: Date;
  created_by: string;
  /**
   * The person it began with (null for the configured token), then the tokens in between, oldest first: it counts only
   * as long as all do. Absent in rows of an earlier version until swept.
   */
  made_by?: MadeBy;
  expires_at: Date | null;
  revoked_at: Date | null;
  /** Counts the writes that were made with it; absent before the first. */
  writes?: number;
};

export type MadeBy = { person: string | null; tokens: string[] };

/** A token with the current rows of what it was made with. */
type WithMakers = OperatorTokenRow & { makers: OperatorTokenRow[]; people: OperatorPersonRow[] };

const NEVER = new Date('9999-12-31T23:59:59.999Z');

const LIVE = { revoked_at: null, $expr: { $gt: [{ $ifNull: ['$expires_at', NEVER] }, '$$NOW'] } };

const PAGE = 100;

/** Whether a token counts: every token it was made with still does, and its person has been a lead since then. */
const stands = ({ created_at, made_by, makers, people }: WithMakers): boolean => {
  if (made_by === undefined) return true;
  if (makers.length !== made_by.tokens.length) return false;
  return made_by.person === null || people.some((person) => person.role === 'lead' && isSince(person, created_at));
};

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
        { key: { 'made_by.person': 1 } },
        { key: { 'made_by.tokens': 1 } },
      ],
    });
  }

  /** The row of a token; null for one that is unknown, expired or revoked, or made with what has ended since. */
  async admit({ publicId, secret }: OperatorCredential, maxTimeMs: number): Promise<OperatorTokenRow | null> {
    const own = { _id: publicId, secret_hmac: { $in: possibleOperatorSecrets(this.peppers, secret) } };
    const [row] = await this.withMakers([{ $match: { ...own, ...LIVE } }], maxTimeMs).toArray();
    return row !== undefined && stands(row) ? row : null;
  }

  madeBy(personId: string): Promise<OperatorTokenRow[]> {
    return this.rows.find({ 'made_by.person': personId, revoked_at: null }).sort({ created_at: 1 }).toArray();
  }

  madeWith(tokenId: string): Promise<OperatorTokenRow[]> {
    return this.rows.find({ 'made_by.tokens': tokenId, revoked_at: null }).sort({ created_at: 1 }).toArray();
  }

  /** A page of tokens that were not revoked but no longer count, or whose maker is not recorded yet. */
  async noLongerValid(without: readonly string[]): Promise<OperatorTokenRow[]> {
    const found: OperatorTokenRow[] = [];
    for await (const row of this.withMakers([{ $match: { ...stepping(without), revoked_at: null } }])) {
      if (row.made_by === undefined || !stands(row)) found.push(row);
      if (found.length === PAGE) break;
    }
    return found;
  }

  async nameMaker({ _id }: OperatorTokenRow, madeBy: MadeBy): Promise<void> {
    await this.rows.updateOne({ _id, made_by: { $exists: false } }, { $set: { made_by: madeBy } });
  }

  private withMakers(pipeline: object[], maxTimeMs?: number) {
    return this.rows.aggregate<WithMakers>(
      [
        ...pipeline,
        {
          $lookup: {
            from: this.rows.name,
            localField: 'made_by.tokens',
            foreignField: 'token_id',
            pipeline: [{ $match: LIVE }],
            as: 'makers',
          },
        },
        { $lookup: { from: 'operator_people', localField: 'made_by.person', foreignField: '_id', as: 'people' } },
      ],
      maxTimeMs === undefined ? {} : { maxTimeMS: maxTimeMs },
    );
  }

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

  /** Makes a transaction commit only if nobody revokes the token meanwhile. False when it is revoked already. */
  async holds(tx: Tx, tokenId: string): Promise<boolean> {
    const held = { token_id: tokenId, revoked_at: null };
    return (await this.rows.updateOne(held, { $inc: { writes: 1 } }, tx.options())).matchedCount === 1;
  }

  async revoke(tx: Tx, row: OperatorTokenRow, at: Date): Promise<void> {
    const done = await this.rows.updateOne(
      { _id: row._id, revoked_at: null },
      { $set: { revoked_at: at } },
      tx.options(),
    );
    if (done.matchedCount === 0) throw new LostRace('operator token');
  }
}

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
