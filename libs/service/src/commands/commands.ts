import { randomUUID } from 'node:crypto';
import { AppError, ERROR_CODES, type ErrorBody, unavailable } from '@cds/contracts';
import { mongo } from 'mongoose';
import type { Ctx } from '../bus/context.js';
import { Deadline } from '../bus/deadline.js';
import type { Collection } from '../store/collection.js';
import type { Tx } from '../store/in-tx.js';
import { isDuplicate, type Store } from '../store/store.js';

/**
 * A secret of an answer, kept encrypted apart from its body. Every place is the path of a string in the body, which the
 * secret completes: `['payment', 'url']` ends in the opened secret when the answer is read.
 */
export type Sealed = { secret: string; places: readonly (readonly string[])[] };

/** The record of a write (reliability 3.2). `body` holds the bytes of the value, or of the refusal. */
export type CommandRow = {
  _id: string;
  op: string;
  fp: string;
  status: number;
  body: mongo.Binary;
  /** Absent unless the answer holds a secret. */
  sealed?: Sealed;
  headers: Record<string, string>;
  created_at: Date;
  expires_at: Date;
};

/** Who runs a command. It stays for an hour after its end, so that the next runner sees that there was one before. */
type Lease = { _id: string; fp: string; owner: string; until: Date; runs: number };

/** How a write ended: its own run or an earlier one's, as bytes that every replay repeats. */
export type Outcome =
  | { ok: true; status: number; replayed: boolean; json: Buffer }
  | { ok: false; status: number; replayed: boolean; error: ErrorBody };

const LEASE_MS = 5_000;
const RENEW_MS = 2_000;
const DAY_MS = 86_400_000;

/** Operations whose answers move money are kept 30 days, all others 7 (spec, "Limits"; reliability 3.2). */
const MONEY_OPERATIONS: ReadonlySet<string> = new Set(['approve_plan', 'sandbox_order_payment']);

const CONFLICT = 'This Idempotency-Key was used for another request. Use a new key for a new request.';
const RUNNING = 'This request is still running. Retry with the same Idempotency-Key in a second.';

export const idempotencyConflict = (): AppError => new AppError('idempotency_conflict', CONFLICT);
const conflicting = (): Outcome => {
  const error = idempotencyConflict();
  return { ok: false, status: ERROR_CODES[error.code].status, replayed: false, error: error.body() };
};
export const inProgress = (): AppError => new AppError('in_progress', RUNNING, { retry_after: 1 });

/**
 * Whether a refusal is stored under its key: business refusals decided on state are; what a retry may cure is not
 * (I08).
 */
export const isStored = (error: AppError): boolean =>
  error.code === 'conflict' || error.code === 'mandate_refused' || error.code === 'unprocessable';

export class Commands {
  readonly rows: Collection<CommandRow>;
  private readonly leases: Collection<Lease>;
  private open: (secret: string) => string = () => {
    throw new Error('a stored answer is sealed, and this service named nothing that opens it');
  };

  constructor(store: Store) {
    this.rows = store.collection<CommandRow>({
      name: 'commands',
      indexes: [
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
        // Those of operators alone: what they were answered is looked up once a creator is erased.
        { key: { op: 1 }, partialFilterExpression: { op: { $gte: 'ops_', $lt: 'ops`' } } },
      ],
    });
    this.leases = store.collection<Lease>({
      name: 'command_leases',
      indexes: [{ key: { until: 1 }, expireAfterSeconds: 3_600 }],
    });
  }

  /** Names what opens the secrets of this service's answers. */
  openSealedBy(open: (secret: string) => string): void {
    this.open = open;
  }

  /**
   * The stored outcome of this command. A row of another request is an outcome too, idempotency_conflict: it is
   * answered, never raised, so that whoever holds something under this command goes on to let it go.
   */
  async stored(ctx: Ctx): Promise<Outcome | null> {
    const command = commandOf(ctx);
    const row = await this.rows.findOne({ _id: command.id });
    if (row === null) return null;
    if (row.expires_at <= ctx.networkNow) {
      await this.rows.deleteOne({ _id: row._id, expires_at: row.expires_at });
      return null;
    }
    return row.fp === command.fp ? this.outcomeOf(row) : conflicting();
  }

  /**
   * Takes the lease of a run; raises in_progress or idempotency_conflict when another runner lives. `first` says that
   * nobody held it before: what was read before the lease was taken still holds.
   */
  async lease(ctx: Ctx): Promise<{ first: boolean; release: () => Promise<void> }> {
    const command = commandOf(ctx);
    const owner = randomUUID();
    const held = await this.take(command.id, command.fp, owner);
    if (held.owner !== owner) throw held.fp === command.fp ? inProgress() : idempotencyConflict();

    const renewal = setInterval(() => {
      this.leases
        .updateOne({ _id: command.id, owner }, [{ $set: { until: { $add: ['$$NOW', LEASE_MS] } } }])
        .catch(() => undefined);
    }, RENEW_MS);
    renewal.unref();
    return {
      first: held.runs === 1,
      release: async () => {
        clearInterval(renewal);
        // A run whose time is over releases too, or its retry would wait until the lease has run out.
        await Deadline.detached(() =>
          this.leases.updateOne({ _id: command.id, owner }, [
            { $set: { until: { $subtract: ['$$NOW', 1] }, owner: '' } },
          ]),
        ).catch(() => undefined);
      },
    };
  }

  /** Inserts the record of a success into its transaction; the first statement of every write. */
  async record(tx: Tx, ctx: Ctx, operation: string, status: number, json: string, sealed?: Sealed): Promise<void> {
    const row = this.row(ctx, operation, status, json);
    await this.rows.insertOne(sealed === undefined ? row : { ...row, sealed }, tx.options());
  }

  /** Stores a business refusal by one insert; a success that was first wins and is answered instead. */
  async refuse(ctx: Ctx, operation: string, error: AppError): Promise<Outcome> {
    const status = error.status ?? ERROR_CODES[error.code].status;
    try {
      await this.rows.insertOne(this.row(ctx, operation, status, JSON.stringify(error.body())));
      return { ok: false, status, replayed: false, error: error.body() };
    } catch (failure) {
      if (!isDuplicate(failure)) throw failure;
      return this.mustBeStored(ctx);
    }
  }

  /** The outcome of the run that was first, after a unique-key error on its record. */
  async mustBeStored(ctx: Ctx): Promise<Outcome> {
    const stored = await this.stored(ctx);
    if (stored === null)
      throw unavailable('The first run of this request has not settled. Retry with the same Idempotency-Key.', 1);
    return stored;
  }

  private row(ctx: Ctx, operation: string, status: number, json: string): CommandRow {
    const command = commandOf(ctx);
    const days = MONEY_OPERATIONS.has(operation) ? 30 : 7;
    return {
      _id: command.id,
      op: operation,
      fp: command.fp,
      status,
      body: new mongo.Binary(Buffer.from(json)),
      headers: {},
      created_at: ctx.networkNow,
      expires_at: new Date(ctx.networkNow.getTime() + days * DAY_MS),
    };
  }

  /** The outcome that a stored row repeats, with its secret where it belongs. */
  private outcomeOf({ status, body, sealed }: CommandRow): Outcome {
    const json = Buffer.from(body.buffer);
    if (status >= 400) return { ok: false, status, replayed: true, error: JSON.parse(json.toString()) as ErrorBody };
    if (sealed === undefined) return { ok: true, status, replayed: true, json };
    return { ok: true, status, replayed: true, json: completed(json, sealed.places, this.open(sealed.secret)) };
  }

  /** One upserting pipeline update; it takes over only a lease that has run out. */
  private async take(id: string, fp: string, owner: string): Promise<Lease> {
    const free = { $lt: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] };
    const statement = () =>
      this.leases.findOneAndUpdate(
        { _id: id },
        [
          {
            $set: {
              fp: { $cond: [free, { $literal: fp }, '$fp'] },
              owner: { $cond: [free, owner, '$owner'] },
              until: { $cond: [free, { $add: ['$$NOW', LEASE_MS] }, '$until'] },
              runs: { $add: [{ $ifNull: ['$runs', 0] }, { $cond: [free, 1, 0] }] },
            },
          },
        ],
        { upsert: true, returnDocument: 'after', writeConcern: { w: 1 } },
      );
    const lease = await statement().catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
      return statement(); // Two first upserts met; the row is there now.
    });
    if (lease === null) throw new Error('an upsert answered no lease');
    return lease;
  }
}

const commandOf = (ctx: Ctx): { id: string; fp: string } => {
  if (ctx.command === null) throw new Error('a write without a command asked for its record');
  return ctx.command;
};

/**
 * A stored answer with its secret behind the text at each declared place. Whatever else the answer says is left alone:
 * no text in it is searched.
 */
const completed = (json: Buffer, places: Sealed['places'], secret: string): Buffer => {
  const value = JSON.parse(json.toString()) as Record<string, unknown>;
  for (const place of places) {
    const [last, ...path] = place.toReversed();
    const holder = path.reduceRight<unknown>((within, name) => (isObject(within) ? within[name] : undefined), value);
    const text = isObject(holder) && last !== undefined ? holder[last] : undefined;
    if (!isObject(holder) || last === undefined || typeof text !== 'string')
      throw new Error(`a stored answer has no text at ${place.join('.')}, where its secret belongs`);
    holder[last] = text + secret;
  }
  return Buffer.from(JSON.stringify(value));
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
