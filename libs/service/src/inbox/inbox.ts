import { setTimeout as delay } from 'node:timers/promises';
import {
  durableOf,
  type EventName,
  type EventPayload,
  events,
  producersFor,
  type ServiceName,
  streamOf,
} from '@cds/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import type { Logger } from 'pino';
import type { BusConnection } from '../bus/connection.js';
import { Deadline } from '../bus/deadline.js';
import type { Collection } from '../store/collection.js';
import { inTx } from '../store/in-tx.js';
import { isDuplicate, type Store } from '../store/store.js';
import { counterOf } from '../telemetry/counter.js';
import { Attachment } from './attachment.js';
import { newestOf, type Progress, progressTo } from './caught-up.js';
import type { Consumer, Follower } from './consumer.js';
import { type DeadLetter, DeadLetters } from './dead-letters.js';
import { isOutage } from './outage.js';
import { type Reading, readEvent } from './reading.js';

type InboxRow = { _id: string; at: Date };

/** Pauses before a handler that failed is tried again; after the last the event is set aside (reliability 3.13). */
const BACKOFF_MS = [1_000, 5_000, 30_000, 120_000, 600_000];
/** The pause while something is away: an event waits for it as long as it takes. */
const OUTAGE_PAUSE_MS = 1_000;
const INBOX_DAYS = 45;
/** How often a process looks whether it can read what an older version set aside. */
const READ_AGAIN_EVERY_MS = 60_000;
const LETTERS_AT_ONCE = 100;

const deadLetters = counterOf('cds_dead_letters', 'Events that were set aside as dead letters');

/** An event as it is applied: what the inbox knows it by, and what this version makes of it. */
type Fact = { fact: string; producer: ServiceName; subject: string; text: string };

/** The durable pull consumers of one service: one per producer whose events it follows. */
export class Inbox {
  readonly letters: DeadLetters;
  private readonly rows: Collection<InboxRow>;
  private readonly byEvent: ReadonlyMap<EventName, Consumer>;
  private readonly attachments: readonly Attachment[];
  private readonly ended = new AbortController();
  private readingAgain: Promise<void> | undefined;
  private inFlight = 0;

  constructor(
    private readonly me: ServiceName,
    connection: BusConnection,
    private readonly store: Store,
    consumers: readonly Consumer[],
    private readonly log: Logger,
    private readonly backoffMs: readonly number[] = BACKOFF_MS,
  ) {
    this.rows = store.collection<InboxRow>({
      name: 'inbox',
      indexes: [{ key: { at: 1 }, expireAfterSeconds: INBOX_DAYS * 86_400 }],
    });
    this.letters = new DeadLetters(store);
    this.byEvent = new Map(consumers.map((consumer) => [consumer.event, consumer]));
    this.attachments = producersFor(me).map(
      (producer) =>
        new Attachment(
          connection.nats,
          streamOf(producer),
          durableOf(me, producer),
          (message) => this.handle(producer, message),
          log,
        ),
    );
  }

  /** The declared events of this service that nobody here handles; a service with any does not start. */
  get unhandled(): readonly string[] {
    return events
      .filter((event) => event.consumers.includes(this.me) && !this.byEvent.has(event.name as EventName))
      .map((event) => event.name);
  }

  /** The durables that events do not arrive from now; readiness names them. */
  get detached(): readonly string[] {
    return this.attachments.filter((one) => !one.standing).map((one) => one.durable);
  }

  start(): void {
    for (const attachment of this.attachments) attachment.start();
    this.readingAgain = this.keepReadingAgain();
  }

  async stop(): Promise<void> {
    this.ended.abort();
    await Promise.allSettled([...this.attachments.map((one) => one.stop()), this.readingAgain]);
    for (let waited = 0; this.inFlight > 0 && waited < 5_000; waited += 20) await delay(20);
  }

  /**
   * Waits until every fact published so far is applied, by whichever replica, and answers whether it was; for the sandbox
   * clock. Facts that fail again and again are not waited for longer than the deadline, and count as applied.
   */
  async settled(deadline: Deadline): Promise<boolean> {
    const asked = await this.progress();
    const targets = asked.map((now) => (now === null ? Number.POSITIVE_INFINITY : newestOf(now)));
    for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
      const told = (await this.progress()).map((now, at) =>
        now === null ? 'under way' : progressTo(targets[at] ?? 0, now),
      );
      if (told.every((one) => one === 'applied')) return true;
      if (deadline.remainingMs() <= pause) return told.every((one) => one !== 'under way');
      await delay(pause);
    }
  }

  private progress(): Promise<(Progress | null)[]> {
    return Promise.all(this.attachments.map((one) => one.progress()));
  }

  /**
   * Tries to apply an event that was set aside, and answers the letter as it is afterwards; null for an unknown id. One
   * that was applied meanwhile stays as it is.
   */
  async retry(id: string): Promise<DeadLetter | null> {
    const letter = await this.letters.byId(id);
    if (letter === null || letter.state === 'applied') return letter;
    await this.tryAgain(letter, readEvent(this.me, letter.subject, letter.text));
    return this.letters.byId(id);
  }

  private async handle(producer: ServiceName, message: JsMsg): Promise<void> {
    const id = message.headers?.get('Nats-Msg-Id') || `${message.subject}|${message.time.getTime()}|${message.seq}`;
    const fact: Fact = {
      fact: `${durableOf(this.me, producer)}|${id}`,
      producer,
      subject: message.subject,
      text: message.string(),
    };
    this.inFlight += 1;
    try {
      const reading = readEvent(this.me, fact.subject, fact.text);
      if (reading.kind === 'mine') await this.applyOnce(fact, reading);
      else if (reading.kind !== 'not_mine') await this.park(fact, reading.kind, reading.why, 0);
      message.ack();
    } catch (error) {
      await this.postpone(message, fact, error);
    } finally {
      this.inFlight -= 1;
    }
  }

  private async applyOnce({ fact }: Fact, { event, payload }: Reading & { kind: 'mine' }): Promise<void> {
    const consumer = this.byEvent.get(event);
    if (consumer === undefined) throw new Error(`${this.me} follows ${event} and has no consumer for it`);
    const at = await this.store.about();
    if ('project' in consumer) await consumer.project(payload, at);
    else await this.applyInTx(fact, consumer, payload, at);
    await this.afterwards(consumer, payload);
  }

  private async applyInTx(fact: string, consumer: Follower, payload: EventPayload<EventName>, at: Date): Promise<void> {
    try {
      await inTx(this.store, Deadline.in(15_000), async (tx) => {
        await this.rows.insertOne({ _id: fact, at }, tx.options());
        await consumer.apply(tx, payload, at);
      });
    } catch (error) {
      if (isDuplicate(error) && (await this.rows.findOne({ _id: fact })) !== null) return;
      throw error;
    }
  }

  /** The event is applied whatever comes of this; a sweep makes good what fails here. */
  private async afterwards(consumer: Consumer, payload: EventPayload<EventName>): Promise<void> {
    try {
      await consumer.applied?.(payload);
    } catch (error) {
      this.log.warn({ err: error, event: consumer.event }, 'what follows an event waits for its sweep');
    }
  }

  /** Gives the message back for a later try, or sets the event aside once its handler has failed too often. */
  private async postpone(message: JsMsg, fact: Fact, error: unknown): Promise<void> {
    if (isOutage(error)) {
      this.log.warn({ err: error, subject: fact.subject }, 'an event waits for what is away');
      return message.nak(OUTAGE_PAUSE_MS);
    }
    try {
      const attempts = await this.letters.failed(fact.fact, await this.store.about());
      this.log.warn({ err: error, subject: fact.subject, attempts }, 'an event could not be applied');
      const pause = this.backoffMs[attempts - 1];
      if (pause !== undefined) return message.nak(pause);
      await this.park(fact, 'failed', String(error), attempts);
      message.ack();
    } catch (err) {
      this.log.warn({ err, subject: fact.subject }, 'a failure could not be noted; the event comes again');
      message.nak(OUTAGE_PAUSE_MS);
    }
  }

  private async park(fact: Fact, reason: DeadLetter['reason'], error: string, attempts: number): Promise<void> {
    if (!(await this.letters.park({ ...fact, reason, error, attempts }, await this.store.about()))) return;
    deadLetters.add(1);
    this.log.error(
      { alarm: 'dead_letter', subject: fact.subject, fact: fact.fact, reason, error },
      'an event was set aside as a dead letter; list it at /api/ops/dead-letters',
    );
  }

  private async tryAgain(letter: DeadLetter, reading: Reading): Promise<void> {
    try {
      if (reading.kind === 'mine') await this.applyOnce(letter, reading);
      else if (reading.kind !== 'not_mine') throw new Error(reading.why);
      await this.letters.applied(letter._id, await this.store.about());
    } catch (error) {
      if (isOutage(error)) throw error;
      await this.letters.failedAgain(letter._id, String(error), await this.store.about());
    }
  }

  private async keepReadingAgain(): Promise<void> {
    const { signal } = this.ended;
    while (!signal.aborted) {
      try {
        await this.readAgain();
      } catch (error) {
        this.log.warn({ err: error }, 'dead letters of another version wait for the next look');
      }
      await delay(READ_AGAIN_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Applies what another version set aside because it could not read it, as far as this version can. */
  private async readAgain(): Promise<void> {
    for (let after: { parkedAt: Date; id: string } | null = null; ; ) {
      const page: DeadLetter[] = await this.letters.page('parked', after, LETTERS_AT_ONCE);
      for (const letter of page) {
        if (letter.reason === 'failed') continue;
        const reading = readEvent(this.me, letter.subject, letter.text);
        if (reading.kind === 'mine' || reading.kind === 'not_mine') await this.tryAgain(letter, reading);
      }
      const last = page.at(-1);
      if (last === undefined || page.length < LETTERS_AT_ONCE || this.ended.signal.aborted) return;
      after = { parkedAt: last.parked_at, id: last._id };
    }
  }
}
