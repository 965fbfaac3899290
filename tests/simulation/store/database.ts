import {
  aggregated,
  copyOf,
  type Doc,
  type Evaluation,
  indexKey,
  insertingOf,
  isMatch,
  matching,
  projected,
  seedOf,
  sorted,
  updated,
} from './documents.js';
import { Blocked, duplicateKey, noSuchTransaction, writeConflict } from './failures.js';

type Plain = Record<string, unknown>;
type Version = { at: number; doc: Doc | null };
/** A unique index; a partial one holds only the documents that its filter matches. */
type Unique = { fields: string[]; partial: Plain | null };
type Collection = {
  name: string;
  rows: Map<string, Version[]>;
  uniques: Unique[];
  /** When each entry was last added to a unique index. */
  enteredAt: Map<string, number>;
};

export type Statement =
  | {
      kind: 'find';
      collection: string;
      filter: Plain;
      sort?: Record<string, 1 | -1>;
      limit?: number;
      projection?: Plain;
    }
  | { kind: 'count'; collection: string; filter: Plain }
  | { kind: 'aggregate'; collection: string; pipeline: Plain[] }
  | { kind: 'insert'; collection: string; docs: Doc[] }
  | { kind: 'update'; collection: string; filter: Plain; update: unknown; upsert: boolean; many: boolean }
  | { kind: 'replace'; collection: string; filter: Plain; doc: Plain; upsert: boolean }
  | {
      kind: 'findAndUpdate';
      collection: string;
      filter: Plain;
      update: unknown;
      upsert: boolean;
      after: boolean;
      projection?: Plain;
    }
  | { kind: 'delete'; collection: string; filter: Plain; many: boolean };

export type UpdateResult = { acknowledged: true; matchedCount: number; modifiedCount: number; upsertedCount: number };
export type Change = { collection: string; id: string; before: Doc | null; after: Doc | null };

export type Transaction = {
  state: 'open' | 'committed' | 'aborted';
  snapshot: number | null;
  writes: Map<string, { collection: Collection; id: string; doc: Doc | null }>;
  /** What it added to unique indexes. */
  entries: { collection: Collection; entry: string }[];
};

/**
 * An in-memory database with MongoDB's semantics: snapshot isolation, write conflicts, unique indexes, and single
 * statements that wait for another's transaction. Every commit calls `onCommit`. calibration.test.ts compares its
 * answers with a real server's.
 */
export class Database {
  private readonly collections = new Map<string, Collection>();
  private readonly open = new Set<Transaction>();
  private clock = 0;
  onCommit: (changes: readonly Change[]) => void = () => undefined;

  begin(): Transaction {
    const transaction: Transaction = { state: 'open', snapshot: null, writes: new Map(), entries: [] };
    this.open.add(transaction);
    return transaction;
  }

  commit(transaction: Transaction): void {
    if (transaction.state === 'committed') return;
    if (transaction.state === 'aborted') throw noSuchTransaction();
    transaction.state = 'committed';
    this.open.delete(transaction);
    this.apply([...transaction.writes.values()]);
    for (const { collection, entry } of transaction.entries) this.enter(collection, [entry]);
  }

  abort(transaction: Transaction): void {
    if (transaction.state !== 'open') return;
    transaction.state = 'aborted';
    transaction.writes.clear();
    transaction.entries.length = 0;
    this.open.delete(transaction);
  }

  /** All open transactions end, as when the primary steps down. */
  abortAll(): void {
    for (const transaction of [...this.open]) this.abort(transaction);
  }

  unique(collection: string, fields: string[], partial: Plain | null = null): void {
    const { uniques } = this.named(collection);
    if (!uniques.some((one) => one.fields.join() === fields.join())) uniques.push({ fields, partial });
  }

  documents(collection: string): Doc[] {
    return this.view(this.named(collection), null);
  }

  /** Restores or removes a document: a write that was acknowledged by one node alone is lost in a failover. */
  restore(collection: string, id: string, doc: Doc | null): void {
    this.apply([{ collection: this.named(collection), id, doc }]);
  }

  /** Runs a statement at database time `now`. Raises Blocked when it has to wait, inside a transaction never. */
  execute(statement: Statement, transaction: Transaction | null, now: Date): unknown {
    if (transaction === null) return this.perform(statement, null, now);
    if (transaction.state !== 'open') throw noSuchTransaction();
    transaction.snapshot ??= this.clock;
    try {
      return this.perform(statement, transaction, now);
    } catch (error) {
      this.abort(transaction); // The server ends a transaction with the first statement that fails.
      throw error;
    }
  }

  private perform(statement: Statement, transaction: Transaction | null, now: Date): unknown {
    const collection = this.named(statement.collection);
    const evaluation: Evaluation = { now, collection: (name) => this.view(this.named(name), transaction) };
    const found = (filter: Plain): Doc[] => this.matches(collection, filter, transaction, evaluation);
    switch (statement.kind) {
      case 'find': {
        const docs = sorted(found(statement.filter), statement.sort);
        return docs
          .slice(0, statement.limit ?? docs.length)
          .map((doc) => projected(doc, statement.filter, statement.projection));
      }
      case 'count':
        return found(statement.filter).length;
      case 'aggregate':
        return aggregated(this.view(collection, transaction), statement.pipeline, evaluation);
      case 'insert': {
        for (const doc of statement.docs) this.write(collection, doc._id, copyOf(doc), transaction, true);
        return { acknowledged: true, insertedCount: statement.docs.length };
      }
      case 'update': {
        const all = found(statement.filter);
        const docs = statement.many ? all : all.slice(0, 1);
        if (docs.length === 0) {
          if (statement.upsert) this.upsert(collection, statement.filter, statement.update, transaction, evaluation);
          return resultOf(0, 0, statement.upsert ? 1 : 0);
        }
        let modified = 0;
        this.meetWriters(collection, docs, transaction);
        for (const doc of docs) {
          const after = updated(doc, statement.filter, insertingOf(statement.update, false), evaluation);
          if (this.write(collection, doc._id, after, transaction, false)) modified += 1;
        }
        return resultOf(docs.length, modified, 0);
      }
      case 'replace': {
        const [doc] = found(statement.filter);
        if (doc === undefined) {
          if (!statement.upsert) return resultOf(0, 0, 0);
          const fresh = { ...seedOf(statement.filter), ...copyOf(statement.doc) } as Doc;
          this.write(collection, fresh._id, fresh, transaction, true);
          return resultOf(0, 0, 1);
        }
        const changed = this.write(collection, doc._id, { ...copyOf(statement.doc), _id: doc._id }, transaction, false);
        return resultOf(1, changed ? 1 : 0, 0);
      }
      case 'findAndUpdate': {
        const [before] = found(statement.filter);
        if (before === undefined) {
          if (!statement.upsert) return null;
          const made = this.upsert(collection, statement.filter, statement.update, transaction, evaluation);
          return statement.after ? projected(made, {}, statement.projection) : null;
        }
        const after = updated(before, statement.filter, insertingOf(statement.update, false), evaluation);
        this.write(collection, before._id, after, transaction, false);
        return projected(statement.after ? after : before, {}, statement.projection);
      }
      case 'delete': {
        const all = found(statement.filter);
        const docs = statement.many ? all : all.slice(0, 1);
        this.meetWriters(collection, docs, transaction);
        for (const doc of docs) this.write(collection, doc._id, null, transaction, false);
        return { acknowledged: true, deletedCount: docs.length };
      }
    }
  }

  private upsert(
    collection: Collection,
    filter: Plain,
    update: unknown,
    transaction: Transaction | null,
    evaluation: Evaluation,
  ): Doc {
    const made = updated(seedOf(filter) as Doc, {}, insertingOf(update, true), evaluation);
    this.write(collection, made._id, made, transaction, true);
    return made;
  }

  /** Writes one document and answers whether it changed; raises what the server would. */
  private write(
    collection: Collection,
    id: string,
    doc: Doc | null,
    transaction: Transaction | null,
    inserts: boolean,
  ): boolean {
    const existing = this.seen(collection, id, transaction);
    // A write that changes nothing conflicts with nothing.
    if (!inserts && JSON.stringify(doc) === JSON.stringify(existing)) return false;
    // The index finds a visible duplicate before it meets another's uncommitted write of the same document.
    if (inserts && existing !== null) throw duplicateKey(collection.name, '_id_');
    this.meetWriter(collection, id, transaction);
    const latest = collection.rows.get(id)?.at(-1);
    if (transaction !== null && latest !== undefined && latest.at > (transaction.snapshot ?? 0)) throw writeConflict();
    if (doc === null && existing !== null) this.meetLeftOut(collection, existing, transaction);
    const entries = doc === null ? [] : this.newEntries(collection, existing, doc, transaction);
    if (transaction === null) {
      this.apply([{ collection, id, doc }]);
      this.enter(collection, entries);
      return true;
    }
    transaction.writes.set(placeOf(collection, id), { collection, id, doc });
    transaction.entries.push(...entries.map((entry) => ({ collection, entry })));
    return true;
  }

  /** A statement that has to wait for one of its documents has changed none: it runs again as a whole. */
  private meetWriters(collection: Collection, docs: readonly Doc[], transaction: Transaction | null): void {
    if (transaction === null) for (const { _id } of docs) this.meetWriter(collection, _id, null);
  }

  /** Raises a conflict with a transaction that writes the document, or makes a single statement wait for it. */
  private meetWriter(collection: Collection, id: string, transaction: Transaction | null): void {
    for (const other of this.open)
      if (other !== transaction && other.writes.has(placeOf(collection, id)))
        throw transaction === null ? new Blocked() : writeConflict();
  }

  /**
   * The entries that a document adds to the unique indexes. As in the server, an entry that another transaction has
   * added meanwhile is a conflict, even if its document has gone again; only then is a visible duplicate found.
   */
  private newEntries(collection: Collection, before: Doc | null, doc: Doc, transaction: Transaction | null): string[] {
    return collection.uniques.flatMap((unique) => {
      const { fields } = unique;
      const key = keyIn(unique, doc);
      if (key === null || (before !== null && keyIn(unique, before) === key)) return [];
      const entry = entryOf(unique, key);
      this.meetEntry(collection, entry, transaction);
      if (this.view(collection, transaction).some((one) => one._id !== doc._id && keyIn(unique, one) === key))
        throw duplicateKey(collection.name, fields.join('_'));
      return [entry];
    });
  }

  /**
   * The server looks for a deleted document in every partial index, also in one that leaves it out, and meets there
   * whoever adds its key.
   */
  private meetLeftOut(collection: Collection, doc: Doc, transaction: Transaction | null): void {
    for (const unique of collection.uniques)
      if (unique.partial !== null && !isMatch(doc, unique.partial))
        this.meetEntry(collection, entryOf(unique, indexKey(doc, unique.fields)), transaction);
  }

  /** Raises a conflict with a transaction that adds the entry, or has added it since this one's snapshot. */
  private meetEntry(collection: Collection, entry: string, transaction: Transaction | null): void {
    for (const other of this.open)
      if (other !== transaction && other.entries.some((one) => one.collection === collection && one.entry === entry))
        throw transaction === null ? new Blocked() : writeConflict();
    if (transaction !== null && (collection.enteredAt.get(entry) ?? 0) > (transaction.snapshot ?? 0))
      throw writeConflict();
  }

  private enter(collection: Collection, entries: readonly string[]): void {
    for (const entry of entries) collection.enteredAt.set(entry, this.clock);
  }

  private apply(writes: readonly { collection: Collection; id: string; doc: Doc | null }[]): void {
    this.clock += 1;
    const changes = writes.map(({ collection, id, doc }): Change => {
      const versions = collection.rows.get(id);
      const before = versions?.at(-1)?.doc ?? null;
      if (versions === undefined) collection.rows.set(id, [{ at: this.clock, doc }]);
      else versions.push({ at: this.clock, doc });
      return { collection: collection.name, id, before, after: doc };
    });
    if (changes.length > 0) this.onCommit(changes);
  }

  private matches(collection: Collection, filter: Plain, transaction: Transaction | null, of: Evaluation): Doc[] {
    const id = filter['_id'];
    if (typeof id !== 'string') return matching(this.view(collection, transaction), filter, of);
    const doc = this.seen(collection, id, transaction);
    return doc === null ? [] : matching([doc], filter, of);
  }

  private view(collection: Collection, transaction: Transaction | null): Doc[] {
    const docs: Doc[] = [];
    for (const id of collection.rows.keys()) {
      const doc = this.seen(collection, id, transaction);
      if (doc !== null) docs.push(doc);
    }
    for (const write of transaction?.writes.values() ?? [])
      if (write.collection === collection && !collection.rows.has(write.id) && write.doc !== null) docs.push(write.doc);
    return docs;
  }

  private seen(collection: Collection, id: string, transaction: Transaction | null): Doc | null {
    const own = transaction?.writes.get(placeOf(collection, id));
    if (own !== undefined) return own.doc;
    const versions = collection.rows.get(id);
    if (versions === undefined) return null;
    const snapshot = transaction?.snapshot ?? null;
    if (snapshot === null) return versions.at(-1)?.doc ?? null;
    return versions.findLast((version) => version.at <= snapshot)?.doc ?? null;
  }

  private named(name: string): Collection {
    const known = this.collections.get(name);
    if (known !== undefined) return known;
    const made: Collection = { name, rows: new Map(), uniques: [], enteredAt: new Map() };
    this.collections.set(name, made);
    return made;
  }
}

const resultOf = (matchedCount: number, modifiedCount: number, upsertedCount: number): UpdateResult => ({
  acknowledged: true,
  matchedCount,
  modifiedCount,
  upsertedCount,
});

const placeOf = ({ name }: Collection, id: string): string => `${name}|${id}`;

const entryOf = ({ fields }: Unique, key: string): string => `${fields.join()}|${key}`;

/** A document's key in a unique index; null where a partial one leaves it out. */
const keyIn = ({ fields, partial }: Unique, doc: Doc): string | null =>
  partial === null || isMatch(doc, partial) ? indexKey(doc, fields) : null;
