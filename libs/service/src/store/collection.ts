import { mongo } from 'mongoose';
import {
  BoundedQuery,
  BoundedRows,
  bounded,
  type Found,
  type Query,
  type Rows,
  STATEMENT_MS,
  type Statement,
} from './bounded.js';

/** The operations of the driver's collection that return one result, with their own types. */
type SingleResult =
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

/**
 * Every operation ends with the deadline of the work around it, on the server and here, or after STATEMENT_MS. Throws
 * DeadlineOver, after which the outcome of a write is unknown.
 */
export interface Collection<T extends mongo.Document> extends Pick<mongo.Collection<T>, SingleResult> {
  readonly name: string;
  find<R extends mongo.Document = mongo.WithId<T>>(filter?: mongo.Filter<T>, options?: Query): Found<R>;
  aggregate<R extends mongo.Document = mongo.Document>(
    pipeline: mongo.Document[],
    options?: mongo.AggregateOptions,
  ): Rows<R>;
  watch(pipeline: mongo.Document[], options?: mongo.ChangeStreamOptions): mongo.ChangeStream<T>;
  indexes(): Promise<mongo.IndexDescriptionInfo[]>;
  drop(): Promise<boolean>;
}

export interface Database {
  readonly name: string;
  collection<T extends mongo.Document = mongo.Document>(name: string): Collection<T>;
  command(command: mongo.Document & { maxTimeMS?: number }): Promise<mongo.Document>;
  watch(pipeline: mongo.Document[], options?: mongo.ChangeStreamOptions): mongo.ChangeStream;
  collectionNames(): Promise<string[]>;
  dropDatabase(): Promise<void>;
}

/** Unwraps the abort reason from the error that the driver makes of it in a bulk write. */
const unwrapped =
  (signal: AbortSignal) =>
  (error: unknown): never => {
    const wrapsIt =
      signal.aborted &&
      error instanceof mongo.MongoBulkWriteError &&
      error.message === (signal.reason as Error | undefined)?.message;
    throw wrapsIt ? signal.reason : error;
  };

/** Options as callers write them; the driver's types do not yet know that every operation takes a signal. */
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
    return new BoundedRows({ operation: 'aggregate', collection: this.name }, options.maxTimeMS, (bounds) =>
      this.rows.aggregate(pipeline, { ...options, ...bounds }),
    );
  }

  findOne(filter: mongo.Filter<T>, options?: Query) {
    return this.bounded('findOne', options?.maxTimeMS, (bounds) =>
      this.rows.findOne(filter, { ...options, ...bounds }),
    );
  }

  insertOne(row: mongo.OptionalUnlessRequiredId<T>, options?: Options) {
    return this.bounded('insertOne', options?.maxTimeMS, (bounds) =>
      this.rows.insertOne(row, { ...options, ...bounds }),
    );
  }

  insertMany(rows: readonly mongo.OptionalUnlessRequiredId<T>[], options?: Options) {
    return this.bounded('insertMany', options?.maxTimeMS, (bounds) =>
      this.rows.insertMany(rows, { ...options, ...bounds }).catch(unwrapped(bounds.signal)),
    );
  }

  updateOne(filter: mongo.Filter<T>, update: mongo.UpdateFilter<T> | mongo.Document[], options?: Options) {
    return this.bounded('updateOne', options?.maxTimeMS, (bounds) =>
      this.rows.updateOne(filter, update, { ...options, ...bounds }),
    );
  }

  updateMany(filter: mongo.Filter<T>, update: mongo.UpdateFilter<T> | mongo.Document[], options?: Options) {
    return this.bounded('updateMany', options?.maxTimeMS, (bounds) =>
      this.rows.updateMany(filter, update, { ...options, ...bounds }),
    );
  }

  replaceOne(filter: mongo.Filter<T>, row: mongo.WithoutId<T>, options?: Options) {
    return this.bounded('replaceOne', options?.maxTimeMS, (bounds) =>
      this.rows.replaceOne(filter, row, { ...options, ...bounds }),
    );
  }

  deleteOne(filter: mongo.Filter<T>, options?: Options) {
    return this.bounded('deleteOne', options?.maxTimeMS, (bounds) =>
      this.rows.deleteOne(filter, { ...options, ...bounds }),
    );
  }

  deleteMany(filter: mongo.Filter<T>, options?: Options) {
    return this.bounded('deleteMany', options?.maxTimeMS, (bounds) =>
      this.rows.deleteMany(filter, { ...options, ...bounds }),
    );
  }

  findOneAndUpdate(filter: mongo.Filter<T>, update: mongo.UpdateFilter<T> | mongo.Document[], options?: Options) {
    return this.bounded('findOneAndUpdate', options?.maxTimeMS, (bounds) =>
      this.rows.findOneAndUpdate(filter, update, { ...options, ...bounds }),
    );
  }

  findOneAndDelete(filter: mongo.Filter<T>, options?: Options) {
    return this.bounded('findOneAndDelete', options?.maxTimeMS, (bounds) =>
      this.rows.findOneAndDelete(filter, { ...options, ...bounds }),
    );
  }

  bulkWrite(operations: readonly mongo.AnyBulkWriteOperation<T>[], options?: Options) {
    return this.bounded('bulkWrite', options?.maxTimeMS, (bounds) =>
      this.rows.bulkWrite(operations, { ...options, ...bounds }).catch(unwrapped(bounds.signal)),
    );
  }

  countDocuments(filter: mongo.Filter<T> = {}, options?: Options) {
    return this.bounded('countDocuments', options?.maxTimeMS, (bounds) =>
      this.rows.countDocuments(filter, { ...options, ...bounds }),
    );
  }

  watch(pipeline: mongo.Document[], options?: mongo.ChangeStreamOptions): mongo.ChangeStream<T> {
    return this.rows.watch(pipeline, opening(options));
  }

  indexes() {
    return this.bounded('indexes', undefined, (bounds) => this.rows.indexes({ ...bounds }));
  }

  drop() {
    return this.bounded('drop', undefined, (bounds) => this.rows.drop({ ...bounds }));
  }

  private bounded<R>(operation: string, atMostMs: number | undefined, work: Parameters<typeof bounded<R>>[2]) {
    return bounded({ operation, collection: this.name }, atMostMs, work);
  }
}

/** Only the command that opens a change stream is bounded; the driver's monitor closes a dead connection. */
const opening = (options: mongo.ChangeStreamOptions = {}): mongo.ChangeStreamOptions => ({
  maxAwaitTimeMS: 5_000,
  ...options,
  maxTimeMS: STATEMENT_MS,
});

const boundedCollection = <T extends mongo.Document>(rows: mongo.Collection<T>): Collection<T> =>
  new BoundedCollection(rows) as unknown as Collection<T>;

const databaseCommand = (command: mongo.Document): Statement => {
  const [[operation, collection] = ['command', '']] = Object.entries(command);
  return { operation, collection: typeof collection === 'string' ? collection : '' };
};

export const boundedDatabase = (db: mongo.Db): Database => ({
  name: db.databaseName,
  collection: <T extends mongo.Document>(name: string) => boundedCollection(db.collection<T>(name)),
  command: ({ maxTimeMS: atMostMs, ...command }) =>
    bounded(databaseCommand(command), atMostMs, ({ maxTimeMS, signal }) =>
      db.command({ ...command, maxTimeMS }, { signal }),
    ),
  watch: (pipeline, options) => db.watch(pipeline, opening(options)),
  collectionNames: () =>
    bounded({ operation: 'listCollections', collection: '' }, undefined, async (bounds) =>
      (await db.listCollections({}, { nameOnly: true, ...bounds }).toArray()).map(({ name }) => name),
    ),
  dropDatabase: () =>
    bounded({ operation: 'dropDatabase', collection: '' }, undefined, async (bounds) => {
      await db.dropDatabase({ ...bounds });
    }),
});
