import type { Collection } from '../store/collection.js';
import type { Tx } from '../store/in-tx.js';
import type { Store } from '../store/store.js';
import { NO_PREVIOUS } from './entry.js';

export type Head = { _id: string; seq: number; hash: string };

type HeadRow = Head & {
  /** The newest place that a checkpoint holds. */
  checkpointed: number;
};

/** The head that counts all entries of the service. A workspace's id is a UUID, and the operators' own is empty. */
const ALL = '*';

export type Move = { before: Head; after: Head };

export class AuditHeads {
  private readonly rows: Collection<HeadRow>;

  constructor(store: Store) {
    this.rows = store.collection<HeadRow>({ name: 'audit_heads' });
  }

  async of(workspaces: readonly string[]): Promise<{ heads: Map<string, Head>; all: Head }> {
    const found = new Map<string, Head>(workspaces.map((ws) => [ws, { _id: ws, seq: 0, hash: NO_PREVIOUS }]));
    let all: Head = { _id: ALL, seq: 0, hash: '' };
    for (const { _id, seq, hash } of await this.rows.find({ _id: { $in: [...workspaces, ALL] } }).toArray()) {
      if (_id === ALL) all = { _id, seq, hash };
      else found.set(_id, { _id, seq, hash });
    }
    return { heads: found, all };
  }

  async one(ws: string): Promise<Head> {
    const row = await this.rows.findOne({ _id: ws });
    return row === null ? { _id: ws, seq: 0, hash: NO_PREVIOUS } : { _id: ws, seq: row.seq, hash: row.hash };
  }

  /** Advances heads if each is still where its chain was read. Throws otherwise. */
  async move(tx: Tx, moves: readonly Move[]): Promise<void> {
    const moved = await this.rows.bulkWrite(
      moves.map(({ before, after: { _id, seq, hash } }) => ({
        updateOne: {
          filter: { _id, seq: before.seq },
          update: { $set: { seq, hash }, $setOnInsert: { checkpointed: 0 } },
          upsert: before.seq === 0,
        },
      })),
      tx.options(),
    );
    if (moved.matchedCount + moved.upsertedCount !== moves.length)
      throw new Error('the head of an audit chain has moved');
  }

  ahead(limit: number): Promise<HeadRow[]> {
    return this.rows
      .find({ _id: { $ne: ALL }, $expr: { $gt: ['$seq', '$checkpointed'] } })
      .limit(limit)
      .toArray();
  }

  async checkpointed(ws: string, seq: number): Promise<void> {
    await this.rows.updateOne({ _id: ws }, { $max: { checkpointed: seq } });
  }

  async checkpoints(): Promise<Map<string, number>> {
    const rows = await this.rows.find({ _id: { $ne: ALL } }).toArray();
    return new Map(rows.map(({ _id, checkpointed }) => [_id, checkpointed]));
  }
}
