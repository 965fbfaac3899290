import { randomUUID } from 'node:crypto';
import { AppError, ERROR_CODES, type ErrorBody, unavailable } from '@cds/contracts';
import { mongo } from 'mongoose';
import type { Ctx } from '../bus/context.js';
import { Deadline } from '../bus/deadline.js';
import { SandboxResets } from '../sandbox/resets.js';
import type { Collection } from '../store/collection.js';
import { inTx, type Tx } from '../store/in-tx.js';
import { isDuplicate, type Store } from '../store/store.js';
import { RefusedWith } from './refused-with.js';
import { opened, type Sealed } from './sealed-answer.js';

/** The record of a write (docs/reliability.md#idempotency). `body` holds the bytes of its answer or refusal. */
export type CommandRow = {
  _id: string;
  op: string;
  fp: string;
  status: number;
  body: mongo.Binary;
  /** Only for an answer that contains a secret. */
  sealed?: Sealed;
  headers: Record<string, string>;
  created_at: Date;
  expires_at: Date;
};

/** Who runs a command. Kept for an hour after its end, so that the next runner knows about the earlier run. */
type Lease = {
  _id: string;
  fp: string;
  owner: string;
  until: Date;
  runs: number;
  /** The workspace, if it is a sandbox: its resets wait for it. */
  sandbox?: string;
};

/** How a write ended, in this run or an earlier one, as the bytes that every replay returns. */
export type Outcome =
  | { ok: true; status: number; replayed: boolean; json: Buffer }
  | { ok: false; status: number; replayed: boolean; error: ErrorBody };

/** A query uses a partial index only if it repeats its condition. */
const OF_SANDBOX = { $type: 'string' } as const;

const LEASE_MS = 5_000;
const RENEW_MS = 2_000;
const DAY_MS = 86_400_000;

/**
 * Operations that move money. Their records are kept 30 days, all others 7 (docs/specification.md#limits,
 * docs/reliability.md#idempotency).
 */
const MONEY_OPERATIONS: ReadonlySet<string> = new Set([
  'approve_plan',
  'order_cancel',
  'sandbox_order_payment',
  'ops_order_invoice_sent',
  'ops_order_invoice_withdrawn',
  'ops_order_invoice_paid',
  'ops_order_cancel',
  'ops_order_refund',
  'ops_credit_refund',
  'ops_credit_waive',
]);

const CONFLICT = 'This Idempotency-Key was used for a different request. Send a new request with a new key.';
const RUNNING = 'This request is still running. Retry in a second with the same Idempotency-Key.';

export const idempotencyConflict = (): AppError => new AppError('idempotency_conflict', CONFLICT);
const conflicting = (): Outcome => {
  const error = idempotencyConflict();
  return { ok: false, status: ERROR_CODES[error.code].status, replayed: false, error: error.body() };
};
export const inProgress = (): AppError => new AppError('in_progress', RUNNING, { retry_after: 1 });

/** Whether a refusal is stored under its key: business refusals are; errors that a retry may cure are not (I08). */
export const isStored = (error: AppError): boolean =>
  error.code === 'conflict' || error.code === 'mandate_refused' || error.code === 'unprocessable';

export class Commands {
  readonly rows: Collection<CommandRow>;
  private readonly leases: Collection<Lease>;
  readonly resets: SandboxResets;
  private open: (secret: string) => string = () => {
    throw new Error('a stored answer is sealed, but this service configured nothing to open it with');
  };

  constructor(private readonly store: Store) {
    this.rows = store.collection<CommandRow>({
      name: 'commands',
      indexes: [
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
        // Operators' operations only: their answers are searched when a creator is erased.
        { key: { op: 1 }, partialFilterExpression: { op: { $gte: 'ops_', $lt: 'ops`' } } },
      ],
    });
    this.leases = store.collection<Lease>({
      name: 'command_leases',
      indexes: [
        { key: { until: 1 }, expireAfterSeconds: 3_600 },
        { key: { sandbox: 1, until: 1 }, partialFilterExpression: { sandbox: OF_SANDBOX } },
      ],
    });
    this.resets = new SandboxResets(store);
  }

  /** Sets how the secrets of this service's answers are opened. */
  openSealedBy(open: (secret: string) => string): void {
    this.open = open;
  }

  /**
   * The stored outcome of this command. If another request used the key, the outcome is idempotency_conflict: returned,
   * not thrown, so that the caller still releases what it holds under this command.
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
   * Takes the lease of a run. Throws in_progress or idempotency_conflict while another runner holds it. `first` says
   * that nobody held it before, so what was read before the lease is still current.
   */
  async lease(ctx: Ctx): Promise<{ first: boolean; release: () => Promise<void> }> {
    const command = commandOf(ctx);
    const owner = randomUUID();
    const { sandbox, workspace } = ctx.principal;
    const held = await this.take(command.id, command.fp, owner, sandbox ? workspace : null);
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
        // Released even past the request's deadline, or its retry would wait until the lease expires.
        await Deadline.detached(() =>
          this.leases.updateOne({ _id: command.id, owner }, [
            { $set: { until: { $subtract: ['$$NOW', 1] }, owner: '' } },
          ]),
        ).catch(() => undefined);
      },
    };
  }

  /** How many writes of a sandbox are running, in any replica. */
  async runningIn(workspace: string): Promise<number> {
    return this.leases.countDocuments({
      sandbox: { $eq: workspace, ...OF_SANDBOX },
      $expr: { $gt: ['$until', '$$NOW'] },
    });
  }

  /** Inserts the record of a success in its transaction: the first statement of every write. */
  async record(tx: Tx, ctx: Ctx, operation: string, status: number, json: string, sealed?: Sealed): Promise<void> {
    const row = this.row(ctx, operation, status, json);
    await this.rows.insertOne(sealed === undefined ? row : { ...row, sealed }, tx.options());
  }

  /** Stores a business refusal. If another run has stored its outcome first, returns that one. */
  async refuse(ctx: Ctx, operation: string, error: AppError): Promise<Outcome> {
    const status = error.status ?? ERROR_CODES[error.code].status;
    const row = this.row(ctx, operation, status, JSON.stringify(error.body()));
    try {
      await (error instanceof RefusedWith ? this.refuseWith(ctx, row, error) : this.rows.insertOne(row));
      return { ok: false, status, replayed: false, error: error.body() };
    } catch (failure) {
      if (!isDuplicate(failure)) throw failure;
      return this.mustBeStored(ctx);
    }
  }

  /** Stores a refusal and what goes with it. */
  private async refuseWith(ctx: Ctx, row: CommandRow, { save }: RefusedWith): Promise<void> {
    await inTx(this.store, ctx.deadline, async (tx) => {
      await this.rows.insertOne(row, tx.options());
      await save(tx);
    });
  }

  /** The outcome of the run that came first, after a duplicate-key error on its record. */
  async mustBeStored(ctx: Ctx): Promise<Outcome> {
    const stored = await this.stored(ctx);
    if (stored === null)
      throw unavailable('The first run of this request has not finished. Retry with the same Idempotency-Key.', 1);
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

  /** The outcome in a stored row, with its secret filled in. */
  private outcomeOf({ status, body, sealed }: CommandRow): Outcome {
    const json = Buffer.from(body.buffer);
    if (status >= 400) return { ok: false, status, replayed: true, error: JSON.parse(json.toString()) as ErrorBody };
    if (sealed === undefined) return { ok: true, status, replayed: true, json };
    return { ok: true, status, replayed: true, json: opened(json, sealed.places, this.open(sealed.secret)) };
  }

  /** One upsert with a pipeline; it takes over a lease only if it has expired. */
  private async take(id: string, fp: string, owner: string, sandbox: string | null): Promise<Lease> {
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
              ...(sandbox === null ? {} : { sandbox }),
            },
          },
        ],
        { upsert: true, returnDocument: 'after', writeConcern: { w: 1 } },
      );
    const lease = await statement().catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
      return statement(); // Another first upsert came in between; the row exists now.
    });
    if (lease === null) throw new Error('an upsert returned no lease');
    return lease;
  }
}

const commandOf = (ctx: Ctx): { id: string; fp: string } => {
  if (ctx.command === null) throw new Error('a write without a command has no record');
  return ctx.command;
};
