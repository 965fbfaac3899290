import type { Collection, Store } from '@cds/service';
import type { Identity } from '../domain/creator/creator.js';
import { wordsOfHandle } from '../domain/search-terms.js';
import { IDENTITIES } from './identities.js';

type RowsByWord = ReadonlyMap<string, ReadonlySet<number>>;
const NOBODY: ReadonlySet<number> = new Set();

/** Every handle in memory, for this folder only. No handle leaves it (docs/reliability.md#handles). */
export class KnownHandles {
  private readonly rows: Collection<Identity>;
  private readonly byCreator = new Map<string, string>();
  /** A handle that was given up stays known until the process ends, since texts may still contain it. */
  private readonly known = new Set<string>();
  private rowsByWord = new WeakMap<object, RowsByWord>();
  private version: number | null = null;

  constructor(identity: Store) {
    this.rows = identity.db.collection<Identity>(IDENTITIES.name);
  }

  async follow(version: number): Promise<void> {
    if (this.version === version) return;
    const filter = this.version === null ? {} : { network_version: { $gt: this.version } };
    let changed = false;
    for await (const one of this.rows.find(filter, { projection: { handle_lower: 1 }, batchSize: 1_000 })) {
      this.byCreator.set(one._id, one.handle_lower);
      this.known.add(one.handle_lower);
      changed = true;
    }
    if (changed) this.rowsByWord = new WeakMap();
    this.version = version;
  }

  has(word: string): boolean {
    return this.known.has(word);
  }

  /** Row numbers, of the creators whose handle this is, or one of its words. `of` is the network that numbers them. */
  rowsNamed(word: string, of: object, ids: () => readonly string[]): ReadonlySet<number> {
    return this.wordsOf(of, ids).get(word) ?? NOBODY;
  }

  private wordsOf(of: object, ids: () => readonly string[]): RowsByWord {
    const held = this.rowsByWord.get(of);
    if (held !== undefined) return held;
    const words = new Map<string, Set<number>>();
    for (const [row, id] of ids().entries())
      for (const word of wordsOfHandle(this.byCreator.get(id) ?? ''))
        words.set(word, (words.get(word) ?? new Set()).add(row));
    this.rowsByWord.set(of, words);
    return words;
  }
}
