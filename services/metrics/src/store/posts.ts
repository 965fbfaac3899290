import {
  type Collection,
  LostRace,
  type NetworkTime,
  type SandboxHorizon,
  type Store,
  stepping,
  type Tx,
} from '@cds/service';
import type { mongo } from 'mongoose';
import { LISTED_POSTS } from '../domain/constants.js';
import type { Post } from '../domain/post.js';

/** How many due rows one query returns. */
const DUE_BATCH = 200;

/** The posts of booked lines, one per line; a post id proves one line only (I61). */
export class Posts {
  readonly rows: Collection<Post>;

  constructor(store: Store) {
    this.rows = store.collection<Post>({
      name: 'posts',
      indexes: [
        { key: { post_id: 1 }, unique: true, partialFilterExpression: { post_id: { $type: 'string' } } },
        { key: { ws: 1, published_at: -1, _id: 1 } },
        { key: { ws: 1, campaign_id: 1, published_at: -1, _id: 1 } },
        { key: { sandbox: 1, due_at: 1, ws: 1 }, partialFilterExpression: { due_at: { $type: 'date' } } },
        { key: { ws: 1, due_at: 1 }, partialFilterExpression: { due_at: { $type: 'date' } } },
      ],
    });
  }

  /** The post of a line of the workspace; null for a foreign or absent id. */
  async byLine(ws: string, lineId: string): Promise<Post | null> {
    return this.rows.findOne({ _id: lineId, ws });
  }

  async findInTx(tx: Tx, ws: string, lineId: string): Promise<Post | null> {
    return this.rows.findOne({ _id: lineId, ws }, tx.options());
  }

  /**
   * Published posts of the workspace, newest first: all of one campaign, or the newest 500. A post that was gone before
   * its proof is not evidence (docs/domain/orders.md#results).
   */
  async published(ws: string, campaignId: string | null): Promise<Post[]> {
    const found = this.rows
      .find({
        ws,
        ...(campaignId === null ? {} : { campaign_id: campaignId }),
        published_at: { $type: 'date' },
        $or: [{ gone_at: null }, { 'figures.still_up': { $ne: null } }],
      })
      .sort({ published_at: -1, _id: 1 });
    return (campaignId === null ? found.limit(LISTED_POSTS) : found).toArray();
  }

  /** Inserts a post, or replaces the one that was read. Raises LostRace when it moved meanwhile. */
  async save(tx: Tx, before: Post | null, after: Post): Promise<void> {
    if (before === null) {
      await this.rows.insertOne(after, tx.options());
      return;
    }
    const done = await this.rows.replaceOne({ _id: before._id, ws: before.ws, rev: before.rev }, after, tx.options());
    if (done.modifiedCount === 0) throw new LostRace('post');
  }

  /** The sandboxes with a due post at or before `horizon`, each with its earliest instant. */
  async sandboxesDue(horizon: SandboxHorizon): Promise<{ ws: string; due_at: Date }[]> {
    return this.rows
      .aggregate<{ ws: string; due_at: Date }>([
        { $match: { sandbox: true, due_at: { $type: 'date', $lte: horizon } } },
        { $group: { _id: '$ws', due_at: { $min: '$due_at' } } },
        { $project: { _id: 0, ws: '$_id', due_at: 1 } },
      ])
      .toArray();
  }

  /** Due posts of one sandbox, earliest first, except those in `without`. */
  async dueInSandbox(ws: string, until: Date, without: readonly string[]): Promise<Post[]> {
    return this.due({ ws, sandbox: true, ...stepping(without) }, until);
  }

  /** Due posts of every live workspace, earliest first, except those in `without`. */
  async dueLive(until: NetworkTime, without: readonly string[]): Promise<Post[]> {
    return this.due({ sandbox: false, ...stepping(without) }, until);
  }

  /** A workspace's posts that have a due fact, earliest first. */
  async pending(ws: string, limit: number): Promise<Post[]> {
    return this.rows
      .find({ ws, due_at: { $type: 'date' } })
      .sort({ due_at: 1, _id: 1 })
      .limit(limit)
      .toArray();
  }

  private due(of: mongo.Filter<Post>, until: Date): Promise<Post[]> {
    return this.rows
      .find({ ...of, due_at: { $type: 'date', $lte: until } })
      .sort({ due_at: 1, _id: 1 })
      .limit(DUE_BATCH)
      .toArray();
  }
}
