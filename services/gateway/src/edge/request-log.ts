import { counterOf, Deadline, inTx, isDuplicate, readingOf, type Store, type Tx } from '@cds/service';
import type { Logger } from 'pino';
import type { Answer } from './http/answer.js';
import type { Exchange } from './http/exchange.js';
import type { LogRow, RequestLogRows } from './store/request-log.js';
import type { Usage } from './store/usage.js';

/** How often rows are written: what a killed gateway can lose (I52). */
const FLUSH_MS = 1_000;
const BATCH = 2_000;
/** The most rows that wait. More come together only while the database is slow; they are dropped and reported. */
const MOST_WAITING = 50_000;
/** How long a batch may take; the last one of a gateway that stops, too. */
const WRITE_MS = 10_000;

const droppedRows = counterOf('cds_request_log_dropped_total');

/**
 * Logs and counts every answered request of a key, off its path (docs/domain/requests.md#usage). A batch is one
 * transaction and its attempt ids are unique, so a repeated one is not counted again.
 */
export class RequestLog {
  private waiting: LogRow[] = [];
  private batch: LogRow[] = [];
  private writing: Promise<void> | null = null;
  private dropped = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: Store,
    private readonly rows: Pick<RequestLogRows, 'insert'>,
    private readonly usage: Pick<Usage, 'count'>,
    private readonly log: Pick<Logger, 'warn'>,
    /** Called with each batch that was stored, again if it failed before. */
    private readonly stored: (batch: readonly LogRow[]) => Promise<void> = async () => undefined,
  ) {
    readingOf('cds_request_log_waiting', () => this.waiting.length + this.batch.length);
  }

  /** Takes note of an answered request. One that was not authenticated as a key has no account, and no row. */
  add(exchange: Exchange, answer: Answer): void {
    const { account } = exchange;
    if (account === null) return;
    if (this.waiting.length >= MOST_WAITING) {
      this.dropped += 1;
      droppedRows.add(1);
      return;
    }
    this.waiting.push({
      _id: exchange.attemptId,
      at: account.at,
      ws: account.workspace,
      key_id: account.keyId,
      transport: account.transport,
      operation: exchange.operation === '' ? null : exchange.operation,
      method: exchange.method,
      path: exchange.route,
      status: answer.callStatus ?? answer.status,
      code: answer.code === 'ok' ? null : answer.code,
      reason: answer.reason ?? null,
      ...(answer.limit === undefined ? {} : { limit: answer.limit }),
      ...(exchange.simulated === undefined ? {} : { rehearsed: true }),
      duration_ms: Math.round((performance.now() - exchange.startedAt) * 100) / 100,
      request_id: exchange.requestId,
    });
  }

  start(): void {
    this.timer = setInterval(() => {
      // A running write takes what waits by then; the next tick takes what came later.
      if (this.writing !== null) return;
      this.flush().catch((err: unknown) =>
        this.log.warn({ err }, 'the request log was not written; it is tried again'),
      );
    }, FLUSH_MS);
    this.timer.unref();
  }

  /** Writes what is left, after the last answer. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush().catch((err: unknown) => this.log.warn({ err }, 'the last requests are missing in the log'));
  }

  /** Writes every row that waits by now. Rejects when the database does not answer; the rows then keep waiting. */
  async flush(): Promise<void> {
    // A running flush may have begun before the newest rows, so these are awaited by another.
    while (this.writing !== null) await this.writing.catch(() => undefined);
    this.writing = this.writeAll().finally(() => {
      this.writing = null;
    });
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    if (this.dropped > 0) this.log.warn({ dropped: this.dropped }, 'the request log is full; requests are not counted');
    this.dropped = 0;
    while (this.batch.length > 0 || this.waiting.length > 0) {
      if (this.batch.length === 0) this.batch = this.waiting.splice(0, BATCH);
      await this.write(this.batch);
      await Deadline.detached(() => this.stored(this.batch));
      this.batch = [];
    }
  }

  /** Stores and counts a batch. A duplicate attempt says that an earlier try was committed after all. */
  private async write(batch: readonly LogRow[]): Promise<void> {
    try {
      await Deadline.detached(() =>
        inTx(this.store, Deadline.in(WRITE_MS), async (tx) => {
          await this.insertOnce(tx, batch, await this.usage.count(tx, batch));
        }),
      );
    } catch (error) {
      if (!(error instanceof AlreadyStored)) throw error;
    }
  }

  private async insertOnce(tx: Tx, batch: readonly LogRow[], before: readonly number[]): Promise<void> {
    try {
      await this.rows.insert(tx, batch, before);
    } catch (error) {
      throw isDuplicate(error) ? new AlreadyStored() : error;
    }
  }
}

/** An earlier try of the batch was committed, though its answer was lost. */
class AlreadyStored extends Error {}
