import { mongo } from 'mongoose';
import { abandoned, Deadline } from '../bus/deadline.js';

/**
 * How long one statement may take where nobody waits for the work as a whole, in milliseconds: a sweep, a relay, a test.
 * A stuck statement then costs its own turn and no more.
 */
const STATEMENT_MS = 8_000;

/** The operations of the driver's collection that answer once, as they are. */
type Answering =
  | 'findOne'
  | 'insertOne'
  | 'insertMany'
  | 'updateOne'
  | 'updateMany'
  | 'replaceOne'
  | 'deleteOne'
  | 'deleteMany'
  | 'findOneAndUpdate'
  | 'findOneAndDelete'
  | 'bulkWrite'
  | 'countDocuments';

/** What was asked for: all at once, or batch by batch. It asks the database when it is read, each time again. */
export interface Rows<T> extends AsyncIterable<T> {
  toArray(): Promise<T[]>;
}

/** The rows of a query. */
export interface Found<T> extends Rows<T> {
  sort(by: mongo.Sort): Found<T>;
  limit(most: number): Found<T>;
}

/**
 * A collection as services use it: every operation ends with the deadline of the work that asks for it, on the server by
 * `maxTimeMS` and here by an AbortSignal, or after STATEMENT_MS outside any such work. `maxTimeMS` in the options of an
 * operation makes the time shorter, never longer. Raises DeadlineOver, after which the outcome of a write is unknown.
 */
export interface Collection<T extends mongo.Document> extends Pick<mongo.Collection<T>, Answering> {
  readonly name: string;
  find<R extends mongo.Document = mongo.WithId<T>>(filter?: mongo.Filter<T>, options?: Query): Found<R>;
  aggregate<R extends mongo.Document = mongo.Document>(
    pipeline: mongo.Document[],
    options?: mongo.AggregateOptions,
  ): Rows<R>;
  watch(pipeline: mongo.Document[], options?: mongo.ChangeStreamOptions): mongo.ChangeStream<T>;
  createIndex(key: Record<string, 1 | -1>, options?: mongo.CreateIndexesOptions): Promise<string>;
  indexes(): Promise<mongo.IndexDescriptionInfo[]>;
  drop(): Promise<boolean>;
}

/** A database of the same making. */
export interface Database {
  readonly name: string;
  collection<T extends mongo.Document = mongo.Document>(name: string): Collection<T>;
  command(command: mongo.Document & { maxTimeMS?: number }): Promise<mongo.Document>;
  watch(pipeline: mongo.Document[], options?: mongo.ChangeStreamOptions): mongo.ChangeStream;
  collectionNames(): Promise<string[]>;
  dropDatabase(): Promise<void>;
}

/** A query's options; a cursor that waits for more is no query. */
export type Query = Omit<mongo.FindOptions, 'tailable' | 'awaitData'>;

type Bounds = { maxTimeMS: number; signal: AbortSignal };

/** The time of one operation: that of the work it belongs to, and at most what the operation itself allows. */
const timeOf = (atMostMs: number | undefined): Deadline => {
  const current = Deadline.current() ?? Deadline.in(STATEMENT_MS);
  return atMostMs === undefined ? current : current.atMost(atMostMs);
};

/** Runs one operation with both bounds in its options. The one place that makes them. */
const bounded = <R>(atMostMs: number | undefined, operation: (bounds: Bounds) => Promise<R>): Promise<R> => {
  const time = timeOf(atMostMs);
  return time.during((signal) => operation({ maxTimeMS: Math.max(1, time.remainingMs()), signal }));
};

/** The driver wraps whatever ends a bulk in an error of its own. */
const unwrapped =
  (signal: AbortSignal) =>
  (error: unknown): never => {
    const wrapsIt =
      signal.aborted &&
      error instanceof mongo.MongoBulkWriteError &&
      error.message === (signal.reason as Error | undefined)?.message;
    throw wrapsIt ? signal.reason : error;
  };

type Cursor<R> = Pick<mongo.FindCursor<R>, 'next' | 'readBufferedDocuments' | 'closed' | 'close'>;

class BoundedRows<R> implements Rows<R> {
  constructor(
    private readonly atMostMs: number | undefined,
    private readonly open: (bounds: Bounds) => Cursor<R>,
  ) {}

  async toArray(): Promise<R[]> {
    let all: R[] = [];
    for await (const batch of this.batches()) all = all.length === 0 ? batch : all.concat(batch);
    return all;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<R, void, void> {
    for await (const batch of this.batches()) yield* batch;
  }

  /**
   * The driver hands a cursor's signal to its first command alone, so each further batch is waited for under it here.
   * Where nobody waits for the whole, each batch has its own time: what is done with one does not count.
   */
  private async *batches(): AsyncGenerator<R[], void, void> {
    const time = timeOf(this.atMostMs);
    const extended = Deadline.current() === undefined && this.atMostMs === undefined;
    let cursor: Cursor<R> | undefined;
    try {
      for (;;) {
        if (extended) time.extend(STATEMENT_MS);
        const first = await time.during((signal) => {
          cursor ??= this.open({ maxTimeMS: Math.max(1, time.remainingMs()), signal });
          return abandoned(cursor.next(), signal);
        });
        if (first === null || cursor === undefined) return;
        yield [first, ...cursor.readBufferedDocuments()];
      }
    } finally {
      if (cursor !== undefined && !cursor.closed) void cursor.close().catch(() => undefined);
    }
  }
}

class BoundedQuery<T extends mongo.Document> extends BoundedRows<mongo.WithId<T>> implements Found<mongo.WithId<T>> {
  constructor(
    private readonly rows: mongo.Collection<T>,
    private readonly filter: mongo.Filter<T>,
    private readonly options: Query,
  ) {
    super(options.maxTimeMS, (bounds) => rows.find(filter, { ...options, ...bounds }));
  }

  sort(by: mongo.Sort): Found<mongo.WithId<T>> {
    return new BoundedQuery(this.rows, this.filter, { ...this.options, sort: by });
  }

  limit(most: number): Found<mongo.WithId<T>> {
    return new BoundedQuery(this.rows, this.filter, { ...this.options, limit: most });
  }
}

/** Options as callers write them; the driver's types do not know yet that every operation takes a signal. */
type Options = { maxTimeMS?: number } | undefined;

class BoundedCollection<T extends mongo.Document> {
  constructor(private readonly rows: mongo.Collection<T>) {}

  get name(): string {
    return this.rows.collectionName;
  }

  find(filter: mongo.Filter<T> = {}, options: Query = {}): Found<mongo.WithId<T>> {
    return new BoundedQuery(this.rows, filter, options);
  }

  aggregate(pipeline: mongo.Document[], options: mongo.AggregateOptions = {}): Rows<mongo.Document> {
    return new BoundedRows(options.maxTimeMS, (bounds) => this.rows.aggregate(pipeline, { ...options, ...bounds }));
  }

  findOne(filter: mongo.Filter<T>, options?: Query) {
    return bounded(options?.maxTimeMS, (bounds) => this.rows.findOne(filter, { ...options, ...bounds }));
  }

  insertOne(row: mongo.OptionalUnlessRequiredId<T>, options?: Options) {
    return bounded(options?.maxTimeMS, (bounds) => this.rows.insertOne(row, { ...options, ...bounds }));
  }

  insertMany(rows: readonly mongo.OptionalUnlessRequiredId<T>[], options?: Options) {
    return bounded(options?.maxTimeMS, (bounds) =>
      this.rows.insertMany(rows, { ...options, ...bounds }).catch(unwrapped(bounds.signal)),
    );
  }

  updateOne(filter: mongo.Filter<T>, update: mongo.UpdateFilter<T> | mongo.Document[], options?: Options) {
    return bounded(options?.maxTimeMS, (bounds) => this.rows.updateOne(filter, update, { ...options, ...bounds }));
  }

  updateMany(filter: mongo.Filter<T>, update: mongo.UpdateFilter<T> | mongo.Document[], options?: Options) {
    return bounded(options?.maxTimeMS, (bounds) => this.rows.updateMany(filter, update, { ...options, ...bounds }));
  }

  replaceOne(filter: mongo.Filter<T>, row: mongo.WithoutId<T>, options?: Options) {
    return bounded(options?.maxTimeMS, (bounds) => this.rows.replaceOne(filter, row, { ...options, ...bounds }));
  }

  deleteOne(filter: mongo.Filter<T>, options?: Options) {
    return bounded(options?.maxTimeMS, (bounds) => this.rows.deleteOne(filter, { ...options, ...bounds }));
  }

  deleteMany(filter: mongo.Filter<T>, options?: Options) {
    return bounded(options?.maxTimeMS, (bounds) => this.rows.deleteMany(filter, { ...options, ...bounds }));
  }

  findOneAndUpdate(filter: mongo.Filter<T>, update: mongo.UpdateFilter<T> | mongo.Document[], options?: Options) {
    return bounded(options?.maxTimeMS, (bounds) =>
      this.rows.findOneAndUpdate(filter, update, { ...options, ...bounds }),
    );
  }

  findOneAndDelete(filter: mongo.Filter<T>, options?: Options) {
    return bounded(options?.maxTimeMS, (bounds) => this.rows.findOneAndDelete(filter, { ...options, ...bounds }));
  }

  bulkWrite(operations: readonly mongo.AnyBulkWriteOperation<T>[], options?: Options) {
    return bounded(options?.maxTimeMS, (bounds) =>
      this.rows.bulkWrite(operations, { ...options, ...bounds }).catch(unwrapped(bounds.signal)),
    );
  }

  countDocuments(filter: mongo.Filter<T> = {}, options?: Options) {
    return bounded(options?.maxTimeMS, (bounds) => this.rows.countDocuments(filter, { ...options, ...bounds }));
  }

  watch(pipeline: mongo.Document[], options?: mongo.ChangeStreamOptions): mongo.ChangeStream<T> {
    return this.rows.watch(pipeline, opening(options));
  }

  createIndex(key: Record<string, 1 | -1>, options?: mongo.CreateIndexesOptions) {
    return bounded(undefined, (bounds) => this.rows.createIndex(key, { ...options, ...bounds }));
  }

  indexes() {
    return bounded(undefined, (bounds) => this.rows.indexes({ ...bounds }));
  }

  drop() {
    return bounded(undefined, (bounds) => this.rows.drop({ ...bounds }));
  }
}

/**
 * A change stream waits for ever by its nature, so only the command that opens it is bounded. On a server that answers,
 * each wait of it ends within `maxAwaitTimeMS`; on one that does not, the driver's monitor ends the connection.
 */
const opening = (options: mongo.ChangeStreamOptions = {}): mongo.ChangeStreamOptions => ({
  maxAwaitTimeMS: 5_000,
  ...options,
  maxTimeMS: STATEMENT_MS,
});

/** The driver's collection behind its bounds. */
export const boundedCollection = <T extends mongo.Document>(rows: mongo.Collection<T>): Collection<T> =>
  new BoundedCollection(rows) as unknown as Collection<T>;

/** The driver's database behind its bounds. */
export const boundedDatabase = (db: mongo.Db): Database => ({
  name: db.databaseName,
  collection: <T extends mongo.Document>(name: string) => boundedCollection(db.collection<T>(name)),
  command: ({ maxTimeMS: atMostMs, ...command }) =>
    bounded(atMostMs, ({ maxTimeMS, signal }) => db.command({ ...command, maxTimeMS }, { signal })),
  watch: (pipeline, options) => db.watch(pipeline, opening(options)),
  collectionNames: () =>
    bounded(undefined, async (bounds) =>
      (await db.listCollections({}, { nameOnly: true, ...bounds }).toArray()).map(({ name }) => name),
    ),
  dropDatabase: () =>
    bounded(undefined, async (bounds) => {
      await db.dropDatabase({ ...bounds });
    }),
});
