import mongoose, { type Connection, type mongo, type Schema } from 'mongoose';
import type { Logger } from 'pino';
import { Deadline, type SharedTime } from '../deadline/deadline.js';
import { boundedDatabase, type Collection, type Database } from './collection.js';
import { checkCommands } from './command-check.js';
import { showConnections } from './connection-metrics.js';
import { refuseUnsessioned } from './inside.js';

export type StoreConfig = { uri: string; db: string };

export type OnUnbounded = (problem: string) => void;

/** An index that the migration builds and readiness checks. */
type IndexSpec = {
  key: Record<string, 1 | -1>;
  unique?: boolean;
  partialFilterExpression?: Record<string, unknown>;
  expireAfterSeconds?: number;
};

/** Applied by each start to all matching rows, so `rows` uses an index and matches no row that has the fields. */
type Backfill = { rows: Record<string, unknown>; set: Record<string, unknown> };

type CollectionSpec = { name: string; indexes?: readonly IndexSpec[]; backfill?: Backfill; schema?: Schema };

// sanitizeFilter stays off because it rejects the $expr of conditional statements. Filters are built only from strings
// that zod has validated (docs/reliability.md#mongodb).
mongoose.set('strictQuery', true);

const MIGRATION_MS = 600_000;
/** How long a check that found no unique index missing is trusted. */
const INDEXES_MS = 60_000;

const CLOCK_MS = 2_000;

/** How long a reading of the database's clock is extrapolated by the monotonic clock, in milliseconds. */
const READING_MS = 5_000;

/** A reading of the database's clock, the monotonic time at which it arrived, and how old it was then at most. */
type ClockReading = { time: number; at: number; tookMs: number; offsetMs: number };

/** What is sure of an offset between its least and its greatest value: the smaller of both, or 0 between them. */
const certainOffset = (least: number, most: number): number => (least > 0 ? least : Math.min(0, most));

const extrapolated = ({ time, at }: ClockReading): number => time + Math.round(performance.now() - at);

/** A service's own database; every operation has a time limit, and calls fail while it is unavailable. */
export class Store {
  readonly db: Database;
  private readonly specs: CollectionSpec[] = [];
  /** When every unique index was last found, on the monotonic clock. */
  private indexesFoundAt = Number.NEGATIVE_INFINITY;
  private reading: { asked: number; read: Promise<ClockReading> } | undefined;
  private newest: ClockReading | undefined;
  /** Database time for deadlines: a machine whose clock is wrong refuses nothing because of it. */
  readonly time: SharedTime = {
    earliest: () => (this.newest === undefined ? Date.now() : extrapolated(this.newest)),
    latest: () => (this.newest === undefined ? Date.now() : extrapolated(this.newest) + this.newest.tookMs),
  };
  private readonly client: mongo.MongoClient;

  private constructor(
    private readonly connection: Connection,
    readonly name: string,
  ) {
    // mongoose declares a client of its own; at run time it is the driver's.
    this.client = connection.getClient() as unknown as mongo.MongoClient;
    this.db = boundedDatabase(this.client.db(name));
  }

  static async open(config: StoreConfig, log: Logger, onUnbounded?: OnUnbounded): Promise<Store> {
    const connection = mongoose.createConnection(config.uri, {
      dbName: config.db,
      bufferCommands: false,
      autoIndex: false,
      autoCreate: false,
      retryWrites: true,
      retryReads: true,
      serverSelectionTimeoutMS: 8_000,
      // A server that does not answer a heartbeat for this long is dropped with all its connections. A frozen primary
      // is left within heartbeatFrequencyMS + connectTimeoutMS; by then the other members have elected a new one.
      connectTimeoutMS: 2_000,
      heartbeatFrequencyMS: 1_000,
      socketTimeoutMS: 60_000,
      maxPoolSize: 64,
      minPoolSize: 2,
      writeConcern: { w: 'majority', journal: true },
      readConcern: { level: 'majority' },
      readPreference: 'primary',
      monitorCommands: onUnbounded !== undefined,
      // One heartbeat a second; streaming mode would also measure round trips.
      serverMonitoringMode: 'poll',
      minHeartbeatFrequencyMS: 200,
    });
    connection.on('error', (err: Error) => log.error({ err }, 'the database connection failed'));
    await connection.asPromise();
    const store = new Store(connection, config.db);
    refuseUnsessioned(store.client);
    showConnections(store.client, config.db);
    if (onUnbounded !== undefined) checkCommands(store.client, onUnbounded);
    return store;
  }

  onCommand(listener: (command: mongo.CommandStartedEvent) => void): void {
    this.client.on('commandStarted', listener);
  }

  /** Another database that this store's user may write; only catalog's identity user has one. */
  database(name: string): Database {
    return boundedDatabase(this.client.db(name));
  }

  /** A session, for a transaction or a snapshot; the caller ends it. */
  session(options?: mongo.ClientSessionOptions): mongo.ClientSession {
    return this.client.startSession(options);
  }

  /** Declares a collection, typed by its document. The migration creates it with its indexes. */
  collection<T extends { _id: unknown }>(spec: CollectionSpec): Collection<T> {
    this.specs.push(spec);
    return this.db.collection<T>(spec.name);
  }

  /** Creates every declared collection and index. Idempotent, so replicas may migrate concurrently. */
  migrate(): Promise<void> {
    return Deadline.in(MIGRATION_MS).run(async () => {
      const present = new Set(await this.db.collectionNames());
      for (const { name, indexes = [] } of this.specs) {
        if (!present.has(name)) {
          await this.db.command({ create: name }).catch((error: unknown) => {
            if (!isCode(error, 48)) throw error; // NamespaceExists: another replica was first.
          });
        }
        // A command, since the driver's own method drops the time limit. The names are those that it gives.
        const named = indexes.map((index) => ({ ...index, name: Object.entries(index.key).flat().join('_') }));
        if (named.length > 0) await this.db.command({ createIndexes: name, indexes: named });
      }
    });
  }

  /** The last step of a migration: gives rows of an earlier release the fields that their collections declare. */
  backfill(): Promise<void> {
    return Deadline.in(MIGRATION_MS).run(async () => {
      for (const { name, backfill } of this.specs)
        if (backfill !== undefined) await this.db.collection(name).updateMany(backfill.rows, [{ $set: backfill.set }]);
    });
  }

  /**
   * The service is not ready while any is missing. On a busy database the look-up takes seconds, so once none is
   * missing the next is a minute later.
   */
  async missingIndexes(): Promise<string[]> {
    if (performance.now() - this.indexesFoundAt < INDEXES_MS) return [];
    const missing = (await Promise.all(this.specs.map((spec) => this.missingOf(spec)))).flat();
    if (missing.length === 0) this.indexesFoundAt = performance.now();
    return missing;
  }

  private async missingOf({ name, indexes = [] }: CollectionSpec): Promise<string[]> {
    const wanted = indexes.filter(({ unique }) => unique === true).map(({ key }) => JSON.stringify(key));
    if (wanted.length === 0) return [];
    const built = await this.db.collection(name).indexes();
    const found = new Set(built.filter(({ unique }) => unique === true).map(({ key }) => JSON.stringify(key)));
    return wanted.filter((key) => !found.has(key)).map((key) => `${name} ${key}`);
  }

  /** This machine's clock less the database's, in milliseconds; 0 while the round trip leaves it open. */
  async clockOffsetMs(): Promise<number> {
    await this.about();
    return (await this.reading?.read)?.offsetMs ?? 0;
  }

  /** Database time, the only clock that decisions outside a statement may use (docs/reliability.md#clocks). */
  async now(): Promise<Date> {
    const hello = (await this.db.command({ hello: 1 })) as { localTime: Date };
    return hello.localTime;
  }

  /** Database time extrapolated from a recent reading, never ahead: for sweeps, and where it decides nothing. */
  async about(): Promise<Date> {
    if (this.reading === undefined || performance.now() - this.reading.asked > READING_MS) {
      // Counted from the reply, after the clock was read, so the result is a little late and never early. Several
      // callers share the reading, so it has its own deadline.
      const sentAt = Date.now();
      const asked = performance.now();
      const read = Deadline.in(CLOCK_MS)
        .run(() => this.now())
        .then((now) => {
          const time = now.getTime();
          const at = performance.now();
          this.newest = { time, at, tookMs: at - asked, offsetMs: certainOffset(sentAt - time, Date.now() - time) };
          return this.newest;
        });
      const reading = { asked, read };
      this.reading = reading;
      read.catch(() => {
        if (this.reading === reading) this.reading = undefined;
      });
    }
    return new Date(extrapolated(await this.reading.read));
  }

  async close(): Promise<void> {
    await this.connection.close();
  }
}

const isCode = (error: unknown, code: number): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;

export const isDuplicate = (error: unknown): boolean => isCode(error, 11000);
