import type { Collection, Store, Tx } from '@cds/service';
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

  /** The chain of a line of the workspace, oldest first. */
  async ofLine(ws: string, lineId: string): Promise<IntegrityEntry[]> {
    return this.rows.find({ ws, line_id: lineId }).sort({ seq: 1 }).toArray();
  }

  async add(tx: Tx, entries: readonly IntegrityEntry[]): Promise<void> {
    if (entries.length > 0) await this.rows.insertMany([...entries], tx.options());
  }
}

/** Saves posts together with what changed of what is seen of them. */
export class PostWriter {
  constructor(
    private readonly posts: Posts,
    private readonly integrity: Integrity,
  ) {}

  /**
   * Inserts a post, or replaces the one that was read, at business time `at`. Raises LostRace when it moved meanwhile.
   */
  async save(tx: Tx, before: Post | null, after: Post, at: Date): Promise<void> {
    const { post, entries } = withEntries(before, after, at);
    await this.posts.save(tx, before, post);
    await this.integrity.add(tx, entries);
  }
}
