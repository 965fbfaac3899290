import type { Actor, Scheduler } from '../platform/scheduler.js';
import type { Database, Statement, Transaction } from './database.js';
import type { Doc } from './documents.js';
import { Blocked, networkError, noSuchTransaction, TRANSIENT, timeIsOver, UNKNOWN_COMMIT } from './failures.js';

type Plain = Record<string, unknown>;

export type Fate = 'arrives' | 'lost' | 'reply_lost' | 'late';

export type Weather = { fate: () => Fate; latencyMs: () => number; downUntil: () => number };

type Options = {
  session?: Session;
  maxTimeMS?: number;
  limit?: number;
  upsert?: boolean;
  projection?: Plain;
  sort?: Record<string, 1 | -1>;
  returnDocument?: string;
};

/** How long a transaction whose client went silent stays open on the server (tools/lib/mongod.ts). */
const TRANSACTION_LIFETIME_MS = 6_000;
const SERVER_SELECTION_MS = 8_000;
/** How long a statement that has to wait for another's transaction pauses before it tries again. */
export const BLOCKED_PAUSE_MS = 3;

/**
 * One replica's connection to a database, in the shape of the driver's client as libs/service uses it. Each statement
 * is two steps, its way there and its way back; the way decides by the weather whether it arrives, late or at all.
 */
export class Connection {
  constructor(
    readonly scheduler: Scheduler,
    readonly actor: Actor,
    readonly server: Actor,
    readonly database: Database,
    readonly weather: Weather,
  ) {}

  getClient(): this {
    return this;
  }

  startSession(): Session {
    return new Session(this);
  }

  db(): this {
    return this;
  }

  async close(): Promise<void> {}

  async createCollection(): Promise<void> {}

  listCollections(): { toArray: () => Promise<{ name: string }[]> } {
    return { toArray: async () => [] };
  }

  collection(name: string): Rows {
    return new Rows(this, name);
  }

  /** `hello` returns the time. Collections exist already; of their indexes the unique ones count. */
  async command(command: Plain): Promise<{ ok: 1; localTime: Date }> {
    for (const { key, unique, partialFilterExpression = null } of (command['indexes'] ?? []) as Index[])
      if (unique) this.database.unique(String(command['createIndexes']), Object.keys(key), partialFilterExpression);
    const clock = () => ({ ok: 1 as const, localTime: this.scheduler.date() });
    return 'hello' in command ? this.exchange('hello', 60_000, clock, 'read') : clock();
  }

  statement<T>(statement: Statement, options: Options = {}): Promise<T> {
    const { session } = options;
    const label = `${statement.kind} ${statement.collection}`;
    const limit = options.maxTimeMS ?? 60_000;
    const run = (): T => this.database.execute(statement, session?.transaction ?? null, this.scheduler.date()) as T;
    const kind = session?.inTransaction() === true ? 'transaction' : READS.has(statement.kind) ? 'read' : 'write';
    return this.exchange(label, limit, run, kind);
  }

  /** The way there, the work, and the way back. Only a live actor hears the answer. */
  exchange<T>(
    label: string,
    limitMs: number,
    work: () => T,
    kind: 'read' | 'write' | 'transaction' | 'commit',
  ): Promise<T> {
    const { scheduler, actor, weather } = this;
    const sent = scheduler.now;
    return new Promise((resolve, reject) => {
      const back = (ms: number, how: string, done: () => void) => scheduler.after(ms, actor, `${how} ${label}`, done);
      const broken = () => networkError(...LABELS[kind]);
      const attempt = (heard: boolean): void => {
        if (weather.downUntil() > scheduler.now) {
          if (kind === 'transaction' || kind === 'commit' || weather.downUntil() - sent > SERVER_SELECTION_MS) {
            if (heard) back(1, 'no primary:', () => reject(broken()));
            return;
          }
          scheduler.after(weather.downUntil() - scheduler.now + 1, this.server, '', () => attempt(heard));
          return;
        }
        try {
          const result = work();
          if (heard) back(weather.latencyMs(), 'answer:', () => resolve(result));
        } catch (error) {
          if (error instanceof Blocked) {
            if (scheduler.now - sent < limitMs)
              scheduler.after(BLOCKED_PAUSE_MS, this.server, '', () => attempt(heard));
            else if (heard) back(weather.latencyMs(), 'time over:', () => reject(timeIsOver()));
            return;
          }
          if (heard) back(weather.latencyMs(), 'refusal:', () => reject(error as Error));
        }
      };
      const fate = weather.fate();
      if (fate === 'lost') {
        // The driver retries a read by itself; a write that fails twice raises to its caller.
        if (kind === 'read') scheduler.after(30 + weather.latencyMs(), this.server, '', () => attempt(true));
        else back(20, 'lost:', () => reject(broken()));
      } else if (fate === 'late') {
        scheduler.after(scheduler.random.between(200, 3_000), this.server, `late: ${label}`, () => attempt(false));
        back(30, 'unknown:', () => reject(broken()));
      } else {
        scheduler.after(weather.latencyMs(), this.server, '', () => attempt(fate === 'arrives'));
        if (fate === 'reply_lost') back(40, 'unknown:', () => reject(broken()));
      }
    });
  }
}

const READS: ReadonlySet<string> = new Set(['find', 'count', 'aggregate']);
const LABELS = {
  read: [],
  write: ['RetryableWriteError'],
  transaction: [TRANSIENT],
  commit: [UNKNOWN_COMMIT],
} as const;

class Session {
  transaction: Transaction | null = null;
  private active = false;

  constructor(private readonly connection: Connection) {}

  startTransaction(): void {
    const { database, scheduler, server } = this.connection;
    const transaction = database.begin();
    this.transaction = transaction;
    this.active = true;
    scheduler.after(TRANSACTION_LIFETIME_MS, server, '', () => database.abort(transaction));
  }

  inTransaction(): boolean {
    return this.active;
  }

  commitTransaction(): Promise<void> {
    this.active = false;
    const { transaction } = this;
    if (transaction === null) throw new Error('there is no transaction to commit');
    return this.connection.exchange(
      'commit',
      5_000,
      () => {
        if (transaction.state === 'aborted') throw noSuchTransaction();
        this.connection.database.commit(transaction);
      },
      'commit',
    );
  }

  async abortTransaction(): Promise<void> {
    this.active = false;
    const { transaction, connection } = this;
    if (transaction !== null)
      await connection.exchange('abort', 5_000, () => connection.database.abort(transaction), 'transaction');
  }

  async endSession(): Promise<void> {
    if (this.active) await this.abortTransaction().catch(() => undefined);
  }
}

type Index = { key: Plain; unique?: boolean; partialFilterExpression?: Plain };

/** A collection as the driver has it, as far as the services use it. */
class Rows {
  constructor(
    private readonly connection: Connection,
    readonly collectionName: string,
  ) {}

  async findOne(filter: Plain, options: Options = {}): Promise<Doc | null> {
    const found = await this.send<Doc[]>({ kind: 'find', filter, limit: 1, ...shapeOf(options) }, options);
    return found[0] ?? null;
  }

  find(filter: Plain, options: Options = {}): Cursor {
    return new Cursor((shape) => this.send<Doc[]>({ kind: 'find', filter, ...shapeOf(options), ...shape }, options));
  }

  aggregate(pipeline: Plain[], options: Options = {}): Cursor {
    return new Cursor(() => this.send<Doc[]>({ kind: 'aggregate', pipeline }, options));
  }

  countDocuments(filter: Plain, options: Options = {}): Promise<number> {
    return this.send({ kind: 'count', filter }, options);
  }

  insertOne(doc: Doc, options?: Options): Promise<unknown> {
    return this.send({ kind: 'insert', docs: [doc] }, options);
  }

  insertMany(docs: Doc[], options?: Options): Promise<unknown> {
    return this.send({ kind: 'insert', docs }, options);
  }

  updateOne(filter: Plain, update: unknown, options: Options = {}): Promise<unknown> {
    return this.send({ kind: 'update', filter, update, upsert: options.upsert === true, many: false }, options);
  }

  updateMany(filter: Plain, update: unknown, options: Options = {}): Promise<unknown> {
    return this.send({ kind: 'update', filter, update, upsert: options.upsert === true, many: true }, options);
  }

  replaceOne(filter: Plain, doc: Plain, options: Options = {}): Promise<unknown> {
    return this.send({ kind: 'replace', filter, doc, upsert: options.upsert === true }, options);
  }

  findOneAndUpdate(filter: Plain, update: unknown, options: Options = {}): Promise<unknown> {
    const after = options.returnDocument === 'after';
    const upsert = options.upsert === true;
    return this.send({ kind: 'findAndUpdate', filter, update, upsert, after, ...shapeOf(options) }, options);
  }

  deleteOne(filter: Plain, options?: Options): Promise<unknown> {
    return this.send({ kind: 'delete', filter, many: false }, options);
  }

  deleteMany(filter: Plain, options?: Options): Promise<unknown> {
    return this.send({ kind: 'delete', filter, many: true }, options);
  }

  /** A change stream without changes: whoever follows it polls as well. */
  watch(): { on: () => void; close: () => Promise<void> } {
    return { on: () => undefined, close: async () => undefined };
  }

  private send<T>(statement: Unplaced, options?: Options): Promise<T> {
    return this.connection.statement<T>({ ...statement, collection: this.collectionName } as Statement, options);
  }
}

type Unplaced = Statement extends infer S ? (S extends Statement ? Omit<S, 'collection'> : never) : never;
type Shape = { sort?: Record<string, 1 | -1>; limit?: number; projection?: Plain };

const shapeOf = ({ sort, limit, projection }: Options): Shape => ({
  ...(limit !== undefined && { limit }),
  ...(sort !== undefined && { sort }),
  ...(projection !== undefined && { projection }),
});

class Cursor {
  private readonly shape: Shape = {};
  private found: Promise<Doc[]> | undefined;
  private at = 0;

  constructor(private readonly read: (shape: Shape) => Promise<Doc[]>) {}

  /** One batch holds everything here: the first asks for it, the others are read from memory. */
  async next(): Promise<Doc | null> {
    this.found ??= this.toArray();
    const all = await this.found;
    this.at += 1;
    return all[this.at - 1] ?? null;
  }

  readBufferedDocuments(): Doc[] {
    return [];
  }

  async close(): Promise<void> {}

  sort(sort: Record<string, 1 | -1>): this {
    this.shape.sort = sort;
    return this;
  }

  limit(limit: number): this {
    this.shape.limit = limit;
    return this;
  }

  project(projection: Plain): this {
    this.shape.projection = projection;
    return this;
  }

  toArray(): Promise<Doc[]> {
    return this.read(this.shape);
  }
}
