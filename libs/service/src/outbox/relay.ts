import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ServiceName, streamOf } from '@cds/contracts';
import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import type { mongo } from 'mongoose';
import type { Logger } from 'pino';
import type { BusConnection } from '../bus/connection.js';
import type { Collection } from '../store/collection.js';
import type { Store } from '../store/store.js';
import type { Outbox, OutboxRow } from './outbox.js';

type Lease = { _id: string; owner: string; until: Date; fence: number };

const LEASE_MS = 5_000;
/** The safety net under the notice of this process and the change stream for other replicas' rows. */
const POLL_MS = 500;
const BATCH = 100;
const encoder = new TextEncoder();

/**
 * Publishes outbox rows to JetStream, oldest first, and marks them after the ack (reliability 3.13). Rows committed by
 * this process are published from memory; the collection is read for those of others and as the net. One relay of a
 * service works at a time, under a lease; two at once would only publish twice, which `Nats-Msg-Id` and the inbox undo.
 * Never a cursor: a transaction that commits late would be skipped for ever. It may not make its stream: while that is
 * missing, no publish is acknowledged and the rows wait for `bus-admin` (ADR 0017).
 */
export class Relay {
  private readonly leases: Collection<Lease>;
  private readonly owner = randomUUID();
  private readonly js: JetStreamClient;
  private stopped = false;
  private holds = false;
  private renewAt = 0;
  private wake: (() => void) | undefined;
  /** Rows that this process committed since the last batch. */
  private committed: OutboxRow[] = [];
  /** The collection may hold rows that nobody handed over: another replica's, or those of an earlier run. */
  private mustRead = true;
  /** When the collection was read last, by the monotonic clock. */
  private readAt = Number.NEGATIVE_INFINITY;
  private loop: Promise<void> | undefined;
  private stream: mongo.ChangeStream | undefined;
  private busy: Promise<number> | undefined;

  constructor(
    private readonly service: ServiceName,
    connection: BusConnection,
    store: Store,
    private readonly outbox: Outbox,
    private readonly log: Logger,
    private readonly pollMs = POLL_MS,
  ) {
    this.leases = store.collection<Lease>({ name: 'leases' });
    this.js = jetstream(connection.nats, { checkAPI: false });
    outbox.onCommitted((rows) => {
      // Whoever holds the lease sees another's rows in its change stream.
      if (!this.holds) return;
      this.committed.push(...rows);
      this.wake?.();
    });
  }

  start(): void {
    this.loop = this.run();
  }

  /** Whether this process holds the lease: it is the one that publishes for the service. */
  get leads(): boolean {
    return this.holds && !this.stopped;
  }

  /** Publishes what is waiting now and answers how many rows; for the sandbox clock, which answers only afterwards. */
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
    this.rouse();
    await this.loop;
    await this.stream?.close().catch(() => undefined);
    if (this.holds) await this.leases.deleteOne({ _id: 'relay', owner: this.owner }).catch(() => undefined);
  }

  private rouse(): void {
    this.mustRead = true;
    this.wake?.();
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        if (await this.hold()) {
          this.watchOthers();
          await this.work();
        } else {
          this.committed = [];
        }
      } catch (error) {
        this.mustRead = true;
        this.log.warn({ err: error }, 'the relay waits');
        await delay(this.pollMs);
      }
      await this.pause();
    }
  }

  /** Publishes what was handed over, and reads the collection when there is cause to or the last look is too old. */
  private async work(): Promise<void> {
    if (!this.mustRead && performance.now() - this.readAt < this.pollMs) {
      await this.inTurn(() => this.publishCommitted());
      return;
    }
    this.mustRead = false;
    this.readAt = performance.now();
    await this.flush();
  }

  /** Waits for a notice or the poll, whichever comes first. */
  private pause(): Promise<void> {
    if (this.holds && (this.mustRead || this.committed.length > 0)) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, this.pollMs);
      this.wake = done;
    });
  }

  private async hold(): Promise<boolean> {
    if (this.holds && performance.now() < this.renewAt) return true;
    this.holds = (this.holds && (await this.renew())) || (await this.take());
    this.renewAt = performance.now() + 2_000;
    return this.holds;
  }

  /** Keeps a lease that nobody took over. */
  private async renew(): Promise<boolean> {
    const renewed = await this.leases.updateOne({ _id: 'relay', owner: this.owner }, [
      { $set: { until: { $add: ['$$NOW', LEASE_MS] } } },
    ]);
    return renewed.matchedCount === 1;
  }

  /** Takes a lease that is free or has run out. */
  private async take(): Promise<boolean> {
    const mine = { $or: [{ $eq: ['$owner', this.owner] }, { $lt: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] }] };
    const after = await this.leases.findOneAndUpdate(
      { _id: 'relay' },
      [
        {
          $set: {
            fence: {
              $cond: [
                { $and: [mine, { $ne: ['$owner', this.owner] }] },
                { $add: [{ $ifNull: ['$fence', 0] }, 1] },
                { $ifNull: ['$fence', 0] },
              ],
            },
            until: { $cond: [mine, { $add: ['$$NOW', LEASE_MS] }, '$until'] },
            owner: { $cond: [mine, this.owner, '$owner'] },
          },
        },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    const taken = after?.owner === this.owner;
    // What its holder before left behind nobody will hand over.
    if (taken) this.mustRead = true;
    return taken;
  }

  private async publishStored(): Promise<number> {
    return this.publish(await this.outbox.rows.find({ state: 'new' }).sort({ _id: 1 }).limit(BATCH).toArray());
  }

  private async publishCommitted(): Promise<number> {
    const rows = this.committed;
    this.committed = [];
    return this.publish(rows);
  }

  /** Publishes rows and marks those that the stream has acknowledged; raises when there are others. */
  private async publish(rows: readonly OutboxRow[]): Promise<number> {
    if (rows.length === 0) return 0;

    const outcomes = await Promise.allSettled(rows.map((row) => this.send(row.subject, row.payload, row._id)));
    const sent = rows.filter((_row, index) => outcomes[index]?.status === 'fulfilled');
    if (sent.length > 0)
      await this.outbox.rows.updateMany({ _id: { $in: sent.map((row) => row._id) } }, [
        { $set: { state: 'sent', sent_at: '$$NOW' } },
      ]);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return rows.length;
  }

  /** Publishes one event to the service's stream and waits for its ack; only that stream may take it. */
  async send(subject: string, payload: unknown, id: string): Promise<void> {
    await this.js.publish(subject, encoder.encode(JSON.stringify(payload)), {
      msgID: id,
      expect: { streamName: streamOf(this.service) },
      timeout: 5_000,
    });
  }

  /** Follows the rows of other replicas; without it they would wait for the poll. */
  private watchOthers(): void {
    if (this.stream !== undefined) return;
    this.stream = this.outbox.rows.watch([{ $match: { operationType: 'insert' } }], { maxAwaitTimeMS: 5_000 });
    this.stream.on('change', (change) => {
      if ('documentKey' in change && this.outbox.wasAddedHere(String(change.documentKey._id))) return;
      this.rouse();
    });
    this.stream.on('error', () => {
      void this.stream?.close().catch(() => undefined);
      this.stream = undefined;
      this.mustRead = true;
    });
  }
}
