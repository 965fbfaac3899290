import {
  type Collection,
  isDuplicate,
  LostRace,
  type NetworkTime,
  type SandboxHorizon,
  type Store,
  stepping,
  type Tx,
} from '@cds/service';
import type { mongo } from 'mongoose';
import { LISTED_POSTS } from '../domain/constants.js';
import type { Line } from '../domain/line.js';
import type { Post } from '../domain/post.js';
import type { Counted } from '../domain/unusual.js';

const HISTORY_MOST = 50;
const WITH_OPEN_CLAIM: mongo.Filter<Post> = {
  'claims.id': { $exists: true },
  claims: { $elemMatch: { 'decided.at': null } },
};
/** A query uses a partial index only if it repeats its condition. */
const PROVEN = { $type: 'string' } as const;
const DUE_BATCH = 200;

/** A post id proves one line only (I61). */
export class Posts {
  readonly rows: Collection<Post>;

  constructor(store: Store) {
    this.rows = store.collection<Post>({
      name: 'posts',
      indexes: [
        { key: { post_id: 1 }, unique: true, partialFilterExpression: { post_id: PROVEN } },
        { key: { creator_id: 1, sandbox: 1, published_at: -1 } },
        { key: { status: 1, _id: 1 } },
        { key: { ws: 1, _id: 1 } },
        { key: { 'claims.id': 1 }, partialFilterExpression: { 'claims.id': { $exists: true } } },
        { key: { 'claims.decided.at': 1, _id: 1 }, partialFilterExpression: { 'claims.id': { $exists: true } } },
        { key: { ws: 1, published_at: -1, _id: 1 } },
        { key: { ws: 1, campaign_id: 1, published_at: -1, _id: 1 } },
        { key: { sandbox: 1, due_at: 1, ws: 1 }, partialFilterExpression: { due_at: { $type: 'date' } } },
        { key: { ws: 1, due_at: 1 }, partialFilterExpression: { due_at: { $type: 'date' } } },
      ],
    });
  }

  async byLine(ws: string, lineId: string): Promise<Post | null> {
    return this.rows.findOne({ _id: lineId, ws });
  }

  async ofAny(lineId: string): Promise<Post | null> {
    return this.rows.findOne({ _id: lineId });
  }

  async among(lineIds: readonly string[], postIds: readonly string[]): Promise<Post[]> {
    return this.rows
      .find({ $or: [{ _id: { $in: [...lineIds] } }, { post_id: { $in: [...postIds], ...PROVEN } }] })
      .toArray();
  }

  async page(
    of: { status: Post['status'] | undefined; ws: string | undefined },
    after: string | null,
    limit: number,
  ): Promise<Post[]> {
    return this.rows
      .find({
        ...(of.status === undefined ? {} : { status: of.status }),
        ...(of.ws === undefined ? {} : { ws: of.ws }),
        ...(after === null ? {} : { _id: { $gt: after } }),
      })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
  }

  /** The newest counts of a creator's other posts, of all workspaces of the same kind. */
  async countsOf(post: Pick<Post, '_id' | 'creator_id' | 'sandbox'>): Promise<Counted[]> {
    const { _id, creator_id, sandbox } = post;
    const rows = await this.rows
      .find(
        { creator_id, sandbox, _id: { $ne: _id }, 'figures.latest': { $ne: null } },
        { projection: { 'figures.latest': 1 } },
      )
      .sort({ published_at: -1 })
      .limit(HISTORY_MOST)
      .toArray();
    return rows.flatMap(({ figures }) => figures.latest ?? []);
  }

  async ofClaim(claimId: string): Promise<Post | null> {
    return this.rows.findOne({ 'claims.id': claimId });
  }

  async withOpenClaim(after: string | null, limit: number): Promise<Post[]> {
    return this.rows
      .find({ ...WITH_OPEN_CLAIM, ...(after === null ? {} : { _id: { $gt: after } }) })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
  }

  async isTaken(postId: string, lineId: string): Promise<boolean> {
    return (
      (await this.rows.findOne(
        { post_id: { $eq: postId, ...PROVEN }, _id: { $ne: lineId } },
        { projection: { _id: 1 } },
      )) !== null
    );
  }

  async ofLinesInTx(tx: Tx, lines: readonly Pick<Line, '_id' | 'ws'>[]): Promise<Map<string, Post>> {
    const [ws, _id] = [{ $in: lines.map((line) => line.ws) }, { $in: lines.map((line) => line._id) }];
    // For ids that may not exist, MongoDB could read all posts of a workspace.
    const posts = await this.rows.find({ ws, _id }, { ...tx.options(), hint: { _id: 1 } }).toArray();
    return new Map(posts.map((post) => [post._id, post]));
  }

  /** Newest first: all of one campaign, or the newest 500, each as `isListed` says. */
  async published(ws: string, campaignId: string | null): Promise<Post[]> {
    const found = this.rows
      .find({
        ws,
        ...(campaignId === null ? {} : { campaign_id: campaignId }),
        published_at: { $type: 'date' },
        booked: true,
        $or: [{ gone_at: null }, { 'figures.still_up': { $ne: null } }],
      })
      .sort({ published_at: -1, _id: 1 });
    return (campaignId === null ? found.limit(LISTED_POSTS) : found).toArray();
  }

  /** Raises LostRace when the post moved meanwhile, or its id came to prove another line. */
  async save(tx: Tx, before: Post | null, after: Post): Promise<void> {
    if (before === null) {
      await this.rows.insertOne(after, tx.options());
      return;
    }
    const done = await this.rows
      .replaceOne({ _id: before._id, ws: before.ws, rev: before.rev }, after, tx.options())
      .catch((error: unknown) => {
        throw isDuplicate(error) ? new LostRace('post') : error;
      });
    if (done.modifiedCount === 0) throw new LostRace('post');
  }

  async sandboxesDue(horizon: SandboxHorizon): Promise<{ ws: string; due_at: Date }[]> {
    return this.rows
      .aggregate<{ ws: string; due_at: Date }>([
        { $match: { sandbox: true, due_at: { $type: 'date', $lte: horizon } } },
        { $group: { _id: '$ws', due_at: { $min: '$due_at' } } },
        { $project: { _id: 0, ws: '$_id', due_at: 1 } },
      ])
      .toArray();
  }

  /** In the order of the lines: who is searched for first gets the best replacement. */
  async dueInSandbox(ws: string, until: Date, without: readonly string[]): Promise<Post[]> {
    return this.due({ ws, sandbox: true, ...stepping(without) }, until, { campaign_number: 1, number: 1 });
  }

  async dueLive(until: NetworkTime, without: readonly string[]): Promise<Post[]> {
    return this.due({ sandbox: false, ...stepping(without) }, until);
  }

  async pending(ws: string, limit: number): Promise<Post[]> {
    return this.rows
      .find({ ws, due_at: { $type: 'date' } })
      .sort({ due_at: 1, _id: 1 })
      .limit(limit)
      .toArray();
  }

  async waiting(ws: string, limit: number): Promise<Post[]> {
    return this.rows
      .find({ ws, due_at: { $type: 'date' } }, { projection: { figures: 0, claims: 0 } })
      .sort({ due_at: 1, _id: 1 })
      .limit(limit)
      .toArray();
  }

  private due(of: mongo.Filter<Post>, until: Date, order: Record<string, 1> = {}): Promise<Post[]> {
    return this.rows
      .find({ ...of, due_at: { $type: 'date', $lte: until } })
      .sort({ due_at: 1, ...order, _id: 1 })
      .limit(DUE_BATCH)
      .toArray();
  }
}
