import type { Collection, Store } from '@cds/service';
import type { Identity } from '../domain/creator/creator.js';
import { IDENTITIES } from './identities.js';

type Column = { text: string; starts: Uint32Array; size: number };

/** Every handle in memory, for this folder only. No handle leaves it (docs/reliability.md#handles). */
export class KnownHandles {
  private readonly rows: Collection<Identity>;
  private readonly byCreator = new Map<string, string>();
  /** A handle that was given up stays known until the process ends, since texts may still contain it. */
  private readonly known = new Set<string>();
  private columns = new WeakMap<object, Column>();
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
    if (changed) this.columns = new WeakMap();
    this.version = version;
  }

  has(word: string): boolean {
    return this.known.has(word);
  }

  /** Row numbers. `of` is the network version they number, and `ids` its creators in row order. */
  rowsHolding(part: string, of: object, ids: () => readonly string[]): ReadonlySet<number> {
    const { text, starts, size } = this.columnOf(of, ids);
    const rows = new Set<number>();
    for (let at = text.indexOf(part); at >= 0; ) {
      const row = rowAt(starts, size, at);
      rows.add(row);
      at = row + 1 < size ? text.indexOf(part, starts[row + 1]) : -1;
    }
    return rows;
  }

  private columnOf(of: object, ids: () => readonly string[]): Column {
    const held = this.columns.get(of);
    if (held !== undefined) return held;
    const handles = ids().map((id) => this.byCreator.get(id) ?? '');
    const starts = new Uint32Array(handles.length);
    let at = 0;
    for (const [row, handle] of handles.entries()) {
      starts[row] = at;
      at += handle.length + 1;
    }
    const column = { text: handles.join('\n'), starts, size: handles.length };
    this.columns.set(of, column);
    return column;
  }
}

const rowAt = (starts: Uint32Array, size: number, at: number): number => {
  let low = 0;
  let high = size - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
};
