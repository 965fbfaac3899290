import { setTimeout as delay } from 'node:timers/promises';
import { type ServiceName, streamOf, unavailable } from '@cds/contracts';
import { JetStreamApiError, type JetStreamClient, jetstream } from '@nats-io/jetstream';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import type { mongo } from 'mongoose';
import type { Logger } from 'pino';
import type { BusConnection } from '../bus/connection.js';
import { Deadline } from '../deadline/deadline.js';
import { Lease } from '../store/lease.js';
import type { Store } from '../store/store.js';
import { histogramOf } from '../telemetry/metrics.js';
import type { Outbox, OutboxRow } from './outbox.js';

/** How often a relay looks whether the lease is free, and how long it waits after an error. */
const TURN_MS = 500;
/** How often the collection is read unasked, for a commit whose outcome this process never learned. */
const NET_MS = 2_000;
const BATCH = 100;
/** How long the bus may take to store one event. */
const PUBLISH_MS = 5_000;
/** JSStreamDuplicateMessageConflict: the same event has reached the stream, whose members have not agreed on it yet. */
const IN_PROCESS = 10158;
const IN_PROCESS_AGAIN_MS = 20;
const encoder = new TextEncoder();

const publishDelay = histogramOf('cds_event_publish_delay_seconds');

/**
 * Publishes outbox rows oldest first and marks them after the ack (docs/reliability.md#events). One relay of a service
 * works at a time; a second would only publish twice, which the inbox corrects. No cursor: it would skip a transaction
 * that commits late. While the stream is missing, rows wait for `bus-admin` (ADR 0017).
 */
export class Relay {
  private readonly lease: Lease;
  private readonly js: JetStreamClient;
  private stopped = false;
  private wake: (() => void) | undefined;
  /** Rows committed by this process since the last batch. */
  private committed: OutboxRow[] = [];
  /** The collection may hold rows that nobody handed over: another replica's, or an earlier run's. */
  private mustRead = true;
  /** When the collection was last read, on the monotonic clock. */
  private readAt = Number.NEGATIVE_INFINITY;
  private loop: Promise<void> | undefined;
  private stream: mongo.ChangeStream | undefined;
  private busy: Promise<number> | undefined;

  constructor(
    private readonly service: ServiceName,
    connection: BusConnection,
    private readonly store: Store,
    private readonly outbox: Outbox,
    private readonly log: Logger,
    private readonly every = { turnMs: TURN_MS, netMs: NET_MS },
  ) {
    // Nobody hands over what the previous holder left.
    this.lease = new Lease(store, 'relay', () => {
      this.mustRead = true;
    });
    this.js = jetstream(connection.nats, { checkAPI: false });
    outbox.onCommitted((rows) => {
      // The lease holder sees other replicas' rows in its change stream.
      if (!this.lease.held) return;
      this.committed.push(...rows);
      this.wake?.();
    });
  }

  start(): void {
    this.loop = this.run();
  }

  get leads(): boolean {
    return this.lease.held && !this.stopped;
  }

  /** Publishes all waiting rows before the sandbox clock answers; the leader may publish one too. */
  async flush(): Promise<number> {
    let sent = await this.inTurn(() => this.publishCommitted());
    for (let left = true; left; ) {
      const batch = await this.inTurn(() => this.publishStored());
      sent += batch;
      left = batch === BATCH;
    }
    return sent;
  }

  private inTurn(work: () => Promise<number>): Promise<number> {
    this.busy = (this.busy ?? Promise.resolve(0)).catch(() => 0).then(work);
    return this.busy;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.wakeUp();
    await this.loop;
    await this.stream?.close().catch(() => undefined);
    await this.lease.release();
  }

  private wakeUp(): void {
    this.mustRead = true;
    this.wake?.();
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        if (await this.lease.hold()) {
          this.watchOthers();
          await this.work();
        } else {
          this.committed = [];
        }
      } catch (error) {
        this.mustRead = true;
        this.log.warn({ err: error }, 'the relay failed to publish; it will retry');
        await delay(this.every.turnMs);
      }
      await this.pause();
    }
  }

  /** Publishes what was handed over, and reads the collection if there is cause to or the last read is too old. */
  private async work(): Promise<void> {
    if (!this.mustRead && performance.now() - this.readAt < this.every.netMs) {
      await this.inTurn(() => this.publishCommitted());
      return;
    }
    this.mustRead = false;
    this.readAt = performance.now();
    await this.flush();
  }

  private pause(): Promise<void> {
    if (this.lease.held && (this.mustRead || this.committed.length > 0)) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, this.every.turnMs);
      this.wake = done;
    });
  }

  private async publishStored(): Promise<number> {
    return this.publish(await this.outbox.rows.find({ state: 'new' }).sort({ _id: 1 }).limit(BATCH).toArray());
  }

  private async publishCommitted(): Promise<number> {
    const rows = this.committed;
    this.committed = [];
    return this.publish(rows);
  }

  /** Publishes rows and marks those that the stream acknowledged; unavailable if it did not acknowledge all. */
  private async publish(rows: readonly OutboxRow[]): Promise<number> {
    if (rows.length === 0) return 0;

    const outcomes = await Promise.allSettled(
      rows.map((row) => this.send(row.subject, row.payload, row._id, row.traceparent)),
    );
    const sent = rows.filter((_row, index) => outcomes[index]?.status === 'fulfilled');
    void this.noteDelays(sent);
    if (sent.length > 0)
      await this.outbox.rows.updateMany({ _id: { $in: sent.map((row) => row._id) } }, [
        { $set: { state: 'sent', sent_at: { $cond: [{ $eq: ['$kept', true] }, null, '$$NOW'] } } },
      ]);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined)
      throw unavailable('Some events could not be published yet. Retry in a moment.', 1, failed.reason);
    return rows.length;
  }

  private async noteDelays(sent: readonly OutboxRow[]): Promise<void> {
    const now = await this.store.about().catch(() => null);
    if (now === null) return;
    for (const { at } of sent) publishDelay.record(Math.max(0, now.getTime() - at.getTime()) / 1_000);
  }

  /** Publishes one event, with the trace that it belongs to, and waits for the ack of the service's own stream. */
  async send(subject: string, payload: unknown, id: string, traceparent?: string): Promise<void> {
    const deadline = Deadline.in(PUBLISH_MS);
    for (;;) {
      try {
        await this.js.publish(subject, encoder.encode(JSON.stringify(payload)), {
          ...(traceparent === undefined ? {} : { headers: traceHeaders(traceparent) }),
          msgID: id,
          expect: { streamName: streamOf(this.service) },
          timeout: Math.max(1, deadline.remainingMs()),
        });
        return;
      } catch (error) {
        const inProcess = error instanceof JetStreamApiError && error.code === IN_PROCESS;
        if (!inProcess || deadline.remainingMs() <= IN_PROCESS_AGAIN_MS) throw error;
        await delay(IN_PROCESS_AGAIN_MS);
      }
    }
  }

  /** Watches for rows of other replicas, which would otherwise wait for the safety net. */
  private watchOthers(): void {
    if (this.stream !== undefined) return;
    this.stream = this.outbox.rows.watch([{ $match: { operationType: 'insert' } }], { maxAwaitTimeMS: 5_000 });
    // What was committed before the stream opened is not in it.
    this.stream.once('resumeTokenChanged', () => this.wakeUp());
    this.stream.on('change', (change) => {
      if ('documentKey' in change && this.outbox.wasAddedHere(String(change.documentKey._id))) return;
      this.wakeUp();
    });
    this.stream.on('error', () => {
      void this.stream?.close().catch(() => undefined);
      this.stream = undefined;
      this.mustRead = true;
    });
  }
}

/** The header by which a consumer continues a trace (`inbox/inbox.ts`). */
const traceHeaders = (traceparent: string): MsgHdrs => {
  const made = headers();
  made.set('traceparent', traceparent);
  return made;
};
