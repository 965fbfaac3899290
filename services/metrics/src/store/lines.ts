import { type Collection, LostRace, type Store, type Tx } from '@cds/service';
import { LISTED_POSTS } from '../domain/constants.js';
import type { Line } from '../domain/line.js';

/** For ids that may not exist, MongoDB might use the index on workspaces and read a whole workspace. */
const BY_ID = { hint: { _id: 1 } } as const;

export class Lines {
  readonly rows: Collection<Line>;

  constructor(store: Store) {
    this.rows = store.collection<Line>({ name: 'lines', indexes: [{ key: { ws: 1, campaign_id: 1 } }] });
  }

  async byId(ws: string, id: string): Promise<Line | null> {
    return this.rows.findOne({ _id: id, ws });
  }

  async byIds(ws: string, ids: string[]): Promise<Map<string, Line>> {
    const lines = await this.rows.find({ ws, _id: { $in: ids } }, BY_ID).toArray();
    return new Map(lines.map((line) => [line._id, line]));
  }

  async hasCampaign(ws: string, campaignId: string): Promise<boolean> {
    return (await this.rows.findOne({ ws, campaign_id: campaignId }, { projection: { _id: 1 } })) !== null;
  }

  async among(ws: string, campaignId: string | null): Promise<Line[]> {
    return this.rows
      .find({ ws, ...(campaignId === null ? {} : { campaign_id: campaignId }) })
      .limit(LISTED_POSTS)
      .toArray();
  }

  async findAllInTx(tx: Tx, workspaces: readonly string[], ids: readonly string[]): Promise<Map<string, Line>> {
    const [ws, _id] = [{ $in: [...new Set(workspaces)] }, { $in: [...ids] }];
    const lines = await this.rows.find({ ws, _id }, { ...tx.options(), ...BY_ID }).toArray();
    return new Map(lines.map((line) => [line._id, line]));
  }

  /** Of several changes of a line, each begins with what the one before it left. Raises LostRace. */
  async save(tx: Tx, changes: readonly { before: Line | null; after: Line }[]): Promise<void> {
    const whole = new Map<string, { before: Line | null; after: Line }>();
    for (const { before, after } of changes)
      whole.set(after._id, { before: (whole.get(after._id) ?? { before }).before, after });
    const writes = [...whole.values()].map(({ before, after }) =>
      before === null
        ? { insertOne: { document: after } }
        : { replaceOne: { filter: { _id: before._id, ws: before.ws, rev: before.rev }, replacement: after } },
    );
    const done = await this.rows.bulkWrite(writes, tx.options());
    if (done.modifiedCount + done.insertedCount !== writes.length) throw new LostRace('line');
  }
}
