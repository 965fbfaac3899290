import { setTimeout as delay } from 'node:timers/promises';
import { durableOf, type EventName, type EventPayload, type ServiceName, streamOf } from '@cds/contracts';
import {
  AckPolicy,
  type ConsumerInfo,
  type ConsumerMessages,
  DeliverPolicy,
  type JetStreamClient,
  type JsMsg,
  jetstream,
} from '@nats-io/jetstream';
import type { mongo } from 'mongoose';
import type { Logger } from 'pino';
import type { BusConnection } from '../bus/connection.js';
import { Deadline } from '../bus/deadline.js';
import { inTx, type Tx } from '../store/in-tx.js';
import { isDuplicate, type Store } from '../store/store.js';
import { newestOf, progressTo } from './caught-up.js';

type Applied<N extends EventName> = {
  event: N;
  /** Runs once the fact is applied; also when it was applied before. */
  applied?: (payload: EventPayload<N>) => void | Promise<void>;
};

/**
 * A fact that changes several documents or raises facts of its own: `apply` runs inside the transaction that also writes
 * the inbox row, and changes its projection only when the payload's version is newer.
 */
export type Follower<N extends EventName = EventName> = Applied<N> & {
  apply: (tx: Tx, payload: EventPayload<N>, at: Date) => Promise<void>;
};

/**
 * A fact that changes one document by one statement which is idempotent by itself, as a guard on its version makes it:
 * the document is its own inbox, so there is neither a row nor a transaction (ADR 0014).
 */
export type Projector<N extends EventName = EventName> = Applied<N> & {
  project: (payload: EventPayload<N>, at: Date) => Promise<void>;
};

/** What a service does with one kind of fact. */
export type Consumer<N extends EventName = EventName> = Follower<N> | Projector<N>;

/** Declares a consumer with its payload's type. */
export const consumerOf = <N extends EventName>(consumer: Consumer<N>): Consumer => consumer as unknown as Consumer;

type InboxRow = { _id: string; at: Date };
type DeadLetter = { _id: string; subject: string; payload: unknown; error: string; at: Date };

/** Pauses before a failed fact is delivered again; after the last it goes to dead_letters (reliability 3.13). */
const BACKOFF_MS = [1_000, 5_000, 30_000, 120_000, 600_000];
const ACK_WAIT_MS = 30_000;
const MAX_ACK_PENDING = 64;
const INBOX_DAYS = 45;

/** The durable pull consumers of one service: one per producer whose facts it follows. */
export class Inbox {
  private readonly rows: mongo.Collection<InboxRow>;
  private readonly dead: mongo.Collection<DeadLetter>;
  private readonly js: JetStreamClient;
  private readonly running = new Map<ServiceName, ConsumerMessages>();
  private readonly attached = new Set<ServiceName>();
  private stopped = false;
  private inFlight = 0;

  constructor(
    private readonly me: ServiceName,
    connection: BusConnection,
    private readonly store: Store,
    private readonly consumers: readonly Consumer[],
    private readonly producerOf: (event: EventName) => ServiceName,
    private readonly log: Logger,
  ) {
    this.rows = store.collection<InboxRow>({
      name: 'inbox',
      indexes: [{ key: { at: 1 }, expireAfterSeconds: INBOX_DAYS * 86_400 }],
    });
    this.dead = store.collection<DeadLetter>({ name: 'dead_letters' });
    this.js = jetstream(connection.nats, { checkAPI: false });
  }

  get producers(): ServiceName[] {
    return [...new Set(this.consumers.map((consumer) => this.producerOf(consumer.event)))];
  }

  /** Whether every consumer is attached to its stream; part of readiness. */
  get ready(): boolean {
    return this.producers.every((producer) => this.attached.has(producer));
  }

  start(): void {
    for (const producer of this.producers) void this.follow(producer);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.allSettled([...this.running.values()].map((messages) => messages.close()));
    for (let waited = 0; this.inFlight > 0 && waited < 5_000; waited += 20) await delay(20);
  }

  /**
   * Waits until every fact published so far is applied, by whichever replica, and answers whether it was; for the sandbox
   * clock. Facts that fail again and again are not waited for longer than the deadline, and count as applied.
   */
  async settled(deadline: Deadline): Promise<boolean> {
    const targets = (await this.progress()).map(newestOf);
    for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
      const told = (await this.progress()).map((now, at) => progressTo(targets[at] ?? 0, now));
      if (told.every((one) => one === 'applied')) return true;
      if (deadline.remainingMs() <= pause) return told.every((one) => one !== 'under way');
      await delay(pause);
    }
  }

  private async progress(): Promise<ConsumerInfo[]> {
    const manager = await this.js.jetstreamManager(false);
    return Promise.all(
      this.producers.map((producer) => manager.consumers.info(streamOf(producer), durableOf(this.me, producer))),
    );
  }

  private async follow(producer: ServiceName): Promise<void> {
    while (!this.stopped) {
      try {
        await this.attach(producer);
        const consumer = await this.js.consumers.get(streamOf(producer), durableOf(this.me, producer));
        const messages = await consumer.consume({ max_messages: MAX_ACK_PENDING, expires: 30_000 });
        this.running.set(producer, messages);
        this.attached.add(producer);
        for await (const message of messages) await this.handle(producer, message);
      } catch (error) {
        this.log.info(
          { producer, reason: error instanceof Error ? error.message : String(error) },
          'the stream is not there yet',
        );
      }
      this.running.delete(producer);
      if (!this.stopped) await delay(250);
    }
  }

  private async attach(producer: ServiceName): Promise<void> {
    const manager = await this.js.jetstreamManager(false);
    await manager.consumers.add(streamOf(producer), {
      durable_name: durableOf(this.me, producer),
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: ACK_WAIT_MS * 1e6,
      max_ack_pending: MAX_ACK_PENDING,
    });
  }

  private async handle(producer: ServiceName, message: JsMsg): Promise<void> {
    const consumer = this.consumers.find((one) => message.subject === `evt.${producer}.${one.event}`);
    if (consumer === undefined) return message.ack();

    this.inFlight += 1;
    try {
      const payload = message.json<EventPayload<EventName>>();
      const id = `${durableOf(this.me, producer)}|${message.headers?.get('Nats-Msg-Id') || `${message.subject}|${message.seq}`}`;
      await this.applyOnce(consumer, id, payload);
      message.ack();
      await consumer.applied?.(payload);
    } catch (error) {
      await this.postpone(message, error);
    } finally {
      this.inFlight -= 1;
    }
  }

  private async applyOnce(consumer: Consumer, id: string, payload: EventPayload<EventName>): Promise<void> {
    const at = await this.store.about();
    if ('project' in consumer) return consumer.project(payload, at);
    try {
      await inTx(this.store, Deadline.in(15_000), async (tx) => {
        await this.rows.insertOne({ _id: id, at }, tx.options());
        await consumer.apply(tx, payload, at);
      });
    } catch (error) {
      if (isDuplicate(error) && (await this.rows.findOne({ _id: id })) !== null) return;
      throw error;
    }
  }

  private async postpone(message: JsMsg, error: unknown): Promise<void> {
    const pause = BACKOFF_MS[message.info.deliveryCount - 1];
    this.log.warn(
      { err: error, subject: message.subject, deliveries: message.info.deliveryCount },
      'a fact could not be applied',
    );
    if (pause !== undefined) return message.nak(pause);

    const parked: DeadLetter = {
      _id: `${message.info.stream}|${message.seq}`,
      subject: message.subject,
      payload: message.json(),
      error: String(error),
      at: new Date(0),
    };
    await this.dead.updateOne(
      { _id: parked._id },
      [{ $set: { ...parked, payload: { $literal: parked.payload }, error: { $literal: parked.error }, at: '$$NOW' } }],
      { upsert: true },
    );
    message.term('parked in dead_letters');
  }
}
