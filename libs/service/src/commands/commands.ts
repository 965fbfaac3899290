import { randomUUID } from 'node:crypto';
import { AppError, ERROR_CODES, type ErrorBody, unavailable } from '@cds/contracts';
import { mongo } from 'mongoose';
import type { Ctx } from '../bus/context.js';
import { Deadline } from '../deadline/deadline.js';
import { SandboxResets } from '../sandbox/resets.js';
import type { Collection } from '../store/collection.js';
import { inTx, type Tx } from '../store/in-tx.js';
import { packed, unpacked } from '../store/packed.js';
import { isDuplicate, type Store } from '../store/store.js';
import { RefusedWith } from './refused-with.js';
import { opened, type Sealed } from './sealed-answer.js';

/** One write under its key: who runs it and until when, or its answer or refusal (docs/reliability.md#idempotency). */
export type CommandRow = {
  _id: string;
  op: string;
  fp: string;
  status: number;
  body: mongo.Binary;
  /** A large answer, in fewer bytes. `status` and `body` then read in_progress, as in the row of a run. */
  large?: { status: number; packed: mongo.Binary };
  /** Only for an answer that contains a secret. */
  sealed?: Sealed;
  headers: Record<string, string>;
  created_at: Date;
  expires_at: Date;
  run?: { owner: string; until: Date };
  /** The workspace while the write runs, if it is a sandbox: its resets wait for it. */
  sandbox?: string;
};

export type Run = {
  /** Stops the renewal, once the outcome is stored. */
  end: () => void;
  /** Gives the command up, so that a retry may run at once. */
  release: () => Promise<void>;
};

/** How a write ended, in this run or an earlier one, as the bytes that every replay returns. */
export type Outcome =
  | { ok: true; status: number; replayed: boolean; json: Buffer }
  | { ok: false; status: number; replayed: boolean; error: ErrorBody };

/** A query uses a partial index only if it repeats its condition. */
const OF_SANDBOX = { $type: 'string' } as const;

const RUNNING = { run: { $exists: true } } as const;

/** From this size on an answer is packed: a smaller one would gain little. */
const LARGE_BYTES = 1_024;
/** Stored answers to operators stay as they are: they are searched and rewritten when a creator is erased. */
const OF_OPERATORS = 'ops_';

const LEASE_MS = 5_000;
const RENEW_MS = 2_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Operations that move money, whose records are kept longest. */
const MONEY_OPERATIONS: ReadonlySet<string> = new Set([
  'approve_plan',
  'order_cancel',
  'sandbox_order_payment',
  'ops_order_invoice_sent',
  'ops_order_invoice_withdrawn',
  'ops_order_invoice_paid',
  'ops_order_cancel',
  'ops_order_refund',
  'ops_order_refund_returned',
  'ops_order_accept_payment',
  'ops_credit_refund',
  'ops_credit_waive',
]);

/** For how many days the record of a write is kept (docs/specification.md#limits, docs/reliability.md#idempotency). */
export const keptDays = (operation: string): number => (MONEY_OPERATIONS.has(operation) ? 30 : 7);

const CONFLICT = 'This Idempotency-Key was used for a different request. Send a new request with a new key.';
const IN_PROGRESS = 'This request is still running. Retry in a second with the same Idempotency-Key.';

export const idempotencyConflict = (): AppError => new AppError('idempotency_conflict', CONFLICT);
const conflicting = (): Outcome => {
  const error = idempotencyConflict();
  return { ok: false, status: ERROR_CODES[error.code].status, replayed: false, error: error.body() };
};
export const inProgress = (): AppError => new AppError('in_progress', IN_PROGRESS, { retry_after: 1 });

/** Whether a refusal is stored under its key: business refusals are; errors that a retry may cure are not (I08). */
export const isStored = (error: AppError): boolean =>
  error.code === 'conflict' || error.code === 'mandate_refused' || error.code === 'unprocessable';

export class Commands {
  readonly rows: Collection<CommandRow>;
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
        { key: { sandbox: 1 }, partialFilterExpression: { sandbox: OF_SANDBOX } },
      ],
    });
    this.resets = new SandboxResets(store);
  }

  openSealedBy(open: (secret: string) => string): void {
    this.open = open;
  }

  /** The stored outcome. A conflict is returned, not thrown, so that the caller still releases what it holds. */
  async stored(ctx: Ctx): Promise<Outcome | null> {
    const command = commandOf(ctx);
    const row = await this.rows.findOne({ _id: command.id });
    if (row === null || row.run !== undefined) return null;
    if (row.expires_at <= ctx.networkNow) {
      await this.rows.deleteOne({ _id: row._id, expires_at: row.expires_at });
      return null;
    }
    return row.fp === command.fp ? this.outcomeOf(row) : conflicting();
  }

  /** Begins a run, or returns the outcome of one that ended. Throws in_progress or idempotency_conflict. */
  async begin(ctx: Ctx, operation: string): Promise<Run | Outcome> {
    const command = commandOf(ctx);
    const owner = randomUUID();
    const row = await this.running(ctx, operation, owner);
    if (await this.isFirst(row)) return this.runOf(command.id, owner);
    const ended = await this.stored(ctx);
    if (ended !== null) return ended;
    // Either way around, only one of several gets it: by the condition of the one, by the unique id of the other.
    if ((await this.takeOver(row)) || (await this.isFirst(row))) return this.runOf(command.id, owner);
    // A run begins without waiting for a majority.
    const held = await this.rows.findOne({ _id: command.id }, { readConcern: { level: 'local' } });
    throw held === null || held.fp === command.fp ? inProgress() : idempotencyConflict();
  }

  /** How many writes of a sandbox are running, in any replica. */
  async runningIn(workspace: string): Promise<number> {
    return this.rows.countDocuments(
      { sandbox: { $eq: workspace, ...OF_SANDBOX }, $expr: { $gt: ['$run.until', '$$NOW'] } },
      { readConcern: { level: 'local' } },
    );
  }

  /** Stores the outcome of a success in its transaction: the first statement of every write. */
  async record(tx: Tx, ctx: Ctx, operation: string, status: number, json: string, sealed?: Sealed): Promise<void> {
    const row = { ...this.row(ctx, operation, status, json), ...(sealed === undefined ? {} : { sealed }) };
    await this.end(isLarge(row) ? inFewerBytes(row) : row, tx);
  }

  /** Stores a business refusal. If another run has stored its outcome first, returns that one. */
  async refuse(ctx: Ctx, operation: string, error: AppError): Promise<Outcome> {
    const status = error.status ?? ERROR_CODES[error.code].status;
    const row = this.row(ctx, operation, status, JSON.stringify(error.body()));
    try {
      await (error instanceof RefusedWith ? this.refuseWith(ctx, row, error) : this.end(row));
      return { ok: false, status, replayed: false, error: error.body() };
    } catch (failure) {
      if (!isDuplicate(failure)) throw failure;
      return this.mustBeStored(ctx);
    }
  }

  private async refuseWith(ctx: Ctx, row: CommandRow, { save }: RefusedWith): Promise<void> {
    await inTx(this.store, ctx.deadline, async (tx) => {
      await this.end(row, tx);
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
    return {
      _id: command.id,
      op: operation,
      fp: command.fp,
      status,
      body: new mongo.Binary(Buffer.from(json)),
      headers: {},
      created_at: ctx.networkNow,
      expires_at: new Date(ctx.networkNow.getTime() + keptDays(operation) * DAY_MS),
    };
  }

  private outcomeOf(row: CommandRow): Outcome {
    const { status, json } = answerIn(row);
    const { sealed } = row;
    if (status >= 400) return { ok: false, status, replayed: true, error: JSON.parse(json.toString()) as ErrorBody };
    if (sealed === undefined) return { ok: true, status, replayed: true, json };
    return { ok: true, status, replayed: true, json: opened(json, sealed.places, this.open(sealed.secret)) };
  }

  /** Ends a command by its outcome. A duplicate-key error if it has ended already, whoever runs it now. */
  private async end({ _id, ...row }: CommandRow, tx?: Tx): Promise<void> {
    await this.rows.replaceOne({ _id, ...RUNNING }, row, { upsert: true, ...tx?.options() });
  }

  /** To a replica of the previous version, the row of a run is a command that ended as in_progress. */
  private async running(ctx: Ctx, operation: string, owner: string): Promise<CommandRow> {
    const { sandbox, workspace } = ctx.principal;
    const now = (await this.store.about()).getTime();
    return {
      ...this.row(ctx, operation, ERROR_CODES.in_progress.status, JSON.stringify(inProgress().body())),
      // A run that died may never be retried.
      expires_at: new Date(now + HOUR_MS),
      run: { owner, until: new Date(now + LEASE_MS) },
      ...(sandbox ? { sandbox: workspace } : {}),
    };
  }

  private async isFirst(row: CommandRow): Promise<boolean> {
    try {
      await this.rows.insertOne(row, { writeConcern: { w: 1 } });
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  private async takeOver({ _id, ...row }: CommandRow): Promise<boolean> {
    const isOver = { ...RUNNING, $expr: { $lt: ['$run.until', '$$NOW'] } };
    const { matchedCount } = await this.rows.replaceOne({ _id, ...isOver }, row, { writeConcern: { w: 1 } });
    return matchedCount === 1;
  }

  private runOf(id: string, owner: string): Run {
    const own = { _id: id, 'run.owner': owner };
    const renewal = setInterval(() => {
      this.rows
        .updateOne(own, [{ $set: { 'run.until': { $add: ['$$NOW', LEASE_MS] } } }], { writeConcern: { w: 1 } })
        .catch(() => undefined);
    }, RENEW_MS);
    renewal.unref();
    return {
      end: () => clearInterval(renewal),
      release: async () => {
        clearInterval(renewal);
        // Released even past the request's deadline, or its retry would wait until the run expires.
        await Deadline.detached(() => this.rows.deleteOne(own, { writeConcern: { w: 1 } })).catch(() => undefined);
      },
    };
  }
}

const isLarge = ({ op, body }: CommandRow): boolean => body.length() >= LARGE_BYTES && !op.startsWith(OF_OPERATORS);

/** A replica of the previous version reads only `status` and `body`, and its caller asks again. */
const inFewerBytes = (row: CommandRow): CommandRow => ({
  ...row,
  status: ERROR_CODES.in_progress.status,
  body: new mongo.Binary(Buffer.from(JSON.stringify(inProgress().body()))),
  large: { status: row.status, packed: packed(row.body.buffer) },
});

export const answerIn = ({ status, body, large }: Pick<CommandRow, 'status' | 'body' | 'large'>) =>
  large === undefined
    ? { status, json: Buffer.from(body.buffer) }
    : { status: large.status, json: unpacked(large.packed) };

const commandOf = (ctx: Ctx): { id: string; fp: string } => {
  if (ctx.command === null) throw new Error('a write without a command has no record');
  return ctx.command;
};
