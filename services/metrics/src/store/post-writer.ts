import type { Collection, Store, Tx } from '@cds/service';
import { LISTED_ENTRIES } from '../domain/constants.js';
import { type IntegrityEntry, withEntries } from '../domain/integrity.js';
import type { Post } from '../domain/post.js';
import type { Posts } from './posts.js';

/** What was seen of posts, append-only: one chain per line (docs/domain/orders.md#integrity). */
export class Integrity {
  readonly rows: Collection<IntegrityEntry>;

  constructor(store: Store) {
    this.rows = store.collection<IntegrityEntry>({
      name: 'integrity',
      indexes: [{ key: { ws: 1, line_id: 1, seq: 1 }, unique: true }],
    });
  }

  async ofLine(ws: string, lineId: string): Promise<IntegrityEntry[]> {
    const newest = await this.rows
      .find({ ws, line_id: lineId })
      .sort({ seq: -1 })
      .limit(LISTED_ENTRIES + 1)
      .toArray();
    return newest.reverse();
  }

  async add(tx: Tx, entries: readonly IntegrityEntry[]): Promise<void> {
    if (entries.length > 0) await this.rows.insertMany([...entries], tx.options());
  }
}

export class PostWriter {
  constructor(
    private readonly posts: Posts,
    private readonly integrity: Integrity,
  ) {}

  async save(tx: Tx, before: Post | null, after: Post, at: Date): Promise<void> {
    await this.saveForMore(tx, before, after, at);
  }

  /** The stored post, with the new end of its chain, is what the next change in the same transaction begins with. */
  async saveForMore(tx: Tx, before: Post | null, after: Post, at: Date): Promise<Post> {
    const { post, entries } = withEntries(before, after, at);
    await this.posts.save(tx, before, post);
    await this.integrity.add(tx, entries);
    return post;
  }
}
