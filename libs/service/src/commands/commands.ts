import { randomUUID } from 'node:crypto';
import { AppError, ERROR_CODES, type ErrorBody, unavailable } from '@cds/contracts';
import { mongo } from 'mongoose';
import type { Ctx } from '../bus/context.js';
import type { Tx } from '../store/in-tx.js';
import { isDuplicate, type Store } from '../store/store.js';

/** The record of a write (reliability 3.2). `body` holds the bytes of the value, or of the refusal. */
export type CommandRow = {
  _id: string;
  op: string;
  fp: string;
  status: number;
  body: mongo.Binary;
  headers: Record<string, string>;
  created_at: Date;
  expires_at: Date;
};

type Lease = { _id: string; fp: string; owner: string; until: Date };

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
export const inProgress = (): AppError => new AppError('in_progress', RUNNING, { retry_after: 1 });

/**
 * Whether a refusal is stored under its key: business refusals decided on state are; what a retry may cure is not
 * (I08).
 */
export const isStored = (error: AppError): boolean =>
  error.code === 'conflict' || error.code === 'mandate_refused' || error.code === 'unprocessable';

export class Commands {
  readonly rows: mongo.Collection<CommandRow>;
  private readonly leases: mongo.Collection<Lease>;

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

  /** The stored outcome of this command; idempotency_conflict when the row belongs to another request. */
  async stored(ctx: Ctx): Promise<Outcome | null> {
    const command = commandOf(ctx);
    const row = await this.rows.findOne({ _id: command.id });
    if (row === null) return null;
    if (row.expires_at <= ctx.networkNow) {
      await this.rows.deleteOne({ _id: row._id, expires_at: row.expires_at });
      return null;
    }
    return outcomeOf(row, command.fp);
  }

  /** Takes the lease of a first run; raises in_progress or idempotency_conflict when another runner lives. */
  async lease(ctx: Ctx): Promise<{ release: () => Promise<void> }> {
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
      release: async () => {
        clearInterval(renewal);
        await this.leases.deleteOne({ _id: command.id, owner }).catch(() => undefined);
      },
    };
  }

  /** Inserts the record of a success into its transaction; the first statement of every write. */
  async record(tx: Tx, ctx: Ctx, operation: string, status: number, json: string): Promise<void> {
    await this.rows.insertOne(this.row(ctx, operation, status, json), tx.options());
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

  /** One upserting pipeline update; it takes over only a lease that has run out. */
  private async take(id: string, fp: string, owner: string): Promise<Lease> {
    const free = { $lt: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] };
    const statement = () =>
      this.leases.findOneAndUpdate(
        { _id: id },
        [
          {
            $set: {
              fp: { $cond: [free, fp, '$fp'] },
              owner: { $cond: [free, owner, '$owner'] },
              until: { $cond: [free, { $add: ['$$NOW', LEASE_MS] }, '$until'] },
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

/** The outcome that a stored row repeats, or idempotency_conflict when the request is another one. */
export const outcomeOf = (row: CommandRow, fp: string): Outcome => {
  if (row.fp !== fp) throw idempotencyConflict();
  const json = Buffer.from(row.body.buffer);
  if (row.status < 400) return { ok: true, status: row.status, replayed: true, json };
  return { ok: false, status: row.status, replayed: true, error: JSON.parse(json.toString()) as ErrorBody };
};
