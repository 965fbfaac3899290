import { type Collection, LostRace, type Store, type Tx } from '@cds/service';
import { LISTED_POSTS } from '../domain/constants.js';
import type { Line } from '../domain/line.js';

/** The projection of lines: billing's signed terms and proposals' offers, each by its own version. */
export class Lines {
  readonly rows: Collection<Line>;

  constructor(store: Store) {
    this.rows = store.collection<Line>({ name: 'lines', indexes: [{ key: { ws: 1, campaign_id: 1 } }] });
  }

  /** A line of the workspace; null for a foreign or absent id. */
  async byId(ws: string, id: string): Promise<Line | null> {
    return this.rows.findOne({ _id: id, ws });
  }

  /** Lines of the workspace by id. */
  async byIds(ws: string, ids: string[]): Promise<Map<string, Line>> {
    const lines = await this.rows.find({ ws, _id: { $in: ids } }).toArray();
    return new Map(lines.map((line) => [line._id, line]));
  }

  /** Whether the workspace has signed anything in a campaign. */
  async hasCampaign(ws: string, campaignId: string): Promise<boolean> {
    return (await this.rows.findOne({ ws, campaign_id: campaignId }, { projection: { _id: 1 } })) !== null;
  }

  /** Lines of one campaign, or of the whole workspace, at most a few hundred: what an empty list is explained by. */
  async among(ws: string, campaignId: string | null): Promise<Line[]> {
    return this.rows
      .find({ ws, ...(campaignId === null ? {} : { campaign_id: campaignId }) })
      .limit(LISTED_POSTS)
      .toArray();
  }

  /** The same as `byIds`, as the transaction sees them. */
  async findAllInTx(tx: Tx, ws: string, ids: readonly string[]): Promise<Map<string, Line>> {
    const lines = await this.rows.find({ ws, _id: { $in: [...ids] } }, tx.options()).toArray();
    return new Map(lines.map((line) => [line._id, line]));
  }

  /** Inserts lines that were unknown, in one statement. */
  async add(tx: Tx, lines: readonly Line[]): Promise<void> {
    if (lines.length > 0) await this.rows.insertMany([...lines], tx.options());
  }

  async findInTx(tx: Tx, ws: string, id: string): Promise<Line | null> {
    return this.rows.findOne({ _id: id, ws }, tx.options());
  }

  /** Inserts a line, or replaces the one that was read. Raises LostRace when it moved meanwhile. */
  async save(tx: Tx, before: Line | null, after: Line): Promise<void> {
    if (before === null) {
      await this.rows.insertOne(after, tx.options());
      return;
    }
    const done = await this.rows.replaceOne({ _id: before._id, ws: before.ws, rev: before.rev }, after, tx.options());
    if (done.modifiedCount === 0) throw new LostRace('line');
  }
}
