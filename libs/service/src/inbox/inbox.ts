import { setTimeout as delay } from 'node:timers/promises';
import {
  durableOf,
  type EventName,
  type EventPayload,
  eventByName,
  events,
  producersFor,
  type ServiceName,
  streamOf,
} from '@cds/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import type { Logger } from 'pino';
import type { BusConnection } from '../bus/connection.js';
import { Deadline } from '../bus/deadline.js';
import { raiseAlarm } from '../logs/raise-alarm.js';
import { timeOfUuid7 } from '../outbox/uuid7.js';
import { SandboxResets } from '../sandbox/resets.js';
import type { Collection } from '../store/collection.js';
import { inTx } from '../store/in-tx.js';
import { isDuplicate, type Store } from '../store/store.js';
import { counterOf, histogramOf, readingOf } from '../telemetry/metrics.js';
import { inEventSpan } from '../telemetry/spans.js';
import { Attachment } from './attachment.js';
import type { Consumer, Follower } from './consumer.js';
import { type DeadLetter, DeadLetters } from './dead-letters.js';
import { LetterRetries } from './letter-retries.js';
import { newestOf, type Progress, progressTo } from './progress.js';
import { type Reading, readEvent } from './reading.js';
import { isTransient } from './transient.js';

type InboxRow = { _id: string; at: Date };

/**
 * Pauses before a failed handler is retried; after the last one the event is set aside (docs/reliability.md#events).
 */
const BACKOFF_MS = [1_000, 5_000, 30_000, 120_000, 600_000];
/** The pause after a transient error. Such an event is retried for as long as it takes. */
const TRANSIENT_PAUSE_MS = 1_000;
const INBOX_DAYS = 45;

const deadLetters = counterOf('cds_dead_letters_total');
const failures = counterOf('cds_event_failures_total');
const delays = histogramOf('cds_event_delay_seconds');

/** A message with the identity that the inbox knows it by, and when its event was committed; null if republished. */
type Received = { fact: string; producer: ServiceName; subject: string; text: string; committedAt: Date | null };

/** The durable pull consumers of one service: one per producer whose events it follows. */
export class Inbox {
  readonly letters: DeadLetters;
  readonly retries: LetterRetries;
  private readonly rows: Collection<InboxRow>;
  private readonly resets: SandboxResets;
  private readonly byEvent: ReadonlyMap<EventName, Consumer>;
  private readonly attachments: readonly Attachment[];
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
    this.resets = new SandboxResets(store);
    this.letters = new DeadLetters(store);
    this.retries = new LetterRetries(
      me,
      store,
      this.letters,
      async (letter, reading) => void (await this.applyOnce(letter, reading)),
      log,
    );
    readingOf('cds_dead_letters_waiting', () => this.letters.countOf('parked'));
    readingOf('cds_consumers_detached', () => this.detached.length);
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

  /** Declared events without a consumer here; a service with any does not start. */
  get unhandled(): readonly string[] {
    return events
      .filter((event) => event.consumers.includes(this.me) && !this.byEvent.has(event.name as EventName))
      .map((event) => event.name);
  }

  /** The durables that no events arrive from now; readiness reports them. */
  get detached(): readonly string[] {
    return this.attachments.filter((one) => !one.isAttached).map((one) => one.durable);
  }

  start(): void {
    for (const attachment of this.attachments) attachment.start();
    this.retries.start();
  }

  async stop(): Promise<void> {
    await Promise.allSettled([...this.attachments.map((one) => one.stop()), this.retries.stop()]);
    for (let waited = 0; this.inFlight > 0 && waited < 5_000; waited += 20) await delay(20);
  }

  /**
   * Waits until every event published so far is applied, by any replica, and returns whether it was. For the sandbox
   * clock. Events that keep failing are waited for until the deadline, then count as applied.
   */
  async caughtUp(deadline: Deadline): Promise<boolean> {
    const targets = (await this.progress()).map((now) => (now === null ? Number.POSITIVE_INFINITY : newestOf(now)));
    for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
      const states = (await this.progress()).map((now, at) =>
        now === null ? 'pending' : progressTo(targets[at] ?? 0, now),
      );
      if (states.every((one) => one === 'applied')) return true;
      if (deadline.remainingMs() <= pause) return states.every((one) => one !== 'pending');
      await delay(pause);
    }
  }

  private progress(): Promise<(Progress | null)[]> {
    return Promise.all(this.attachments.map((one) => one.progress()));
  }

  private async handle(producer: ServiceName, message: JsMsg): Promise<void> {
    const id = message.headers?.get('Nats-Msg-Id') || `${message.subject}|${message.time.getTime()}|${message.seq}`;
    const event: Received = {
      fact: `${durableOf(this.me, producer)}|${id}`,
      producer,
      subject: message.subject,
      text: message.string(),
      committedAt: timeOfUuid7(id),
    };
    const reading = readEvent(this.me, event.subject, event.text);
    this.inFlight += 1;
    try {
      const traceparent = message.headers?.get('traceparent');
      if (reading.kind === 'mine')
        noteDelay(
          event,
          reading.event,
          await inEventSpan(reading.event, traceparent, () => this.applyOnce(event, reading)),
        );
      else if (reading.kind !== 'not_mine') await this.park(event, reading.kind, reading.why, 0);
      message.ack();
    } catch (error) {
      await this.postpone(message, event, reading.kind === 'mine' ? reading.event : 'unknown', error);
    } finally {
      this.inFlight -= 1;
    }
  }

  /** Applies an event, and returns database time afterwards. */
  private async applyOnce(
    { fact }: Pick<Received, 'fact'>,
    { event, payload }: Reading & { kind: 'mine' },
  ): Promise<Date> {
    const consumer = this.byEvent.get(event);
    if (consumer === undefined) throw new Error(`${this.me} has no consumer for ${event}`);
    const at = await this.store.about();
    if (await this.isOfBeforeReset(fact, event, payload)) return at;
    const started = performance.now();
    if ('project' in consumer) await consumer.project(payload, at);
    else await this.applyInTx(fact, consumer, payload, at);
    const applied = new Date(at.getTime() + performance.now() - started);
    await this.afterwards(consumer, payload);
    return applied;
  }

  /** Whether an event is about something that a reset of its sandbox removed (docs/reliability.md#sandbox-resets). */
  private async isOfBeforeReset(fact: string, event: EventName, payload: EventPayload<EventName>): Promise<boolean> {
    if (eventByName(event).endsWithReset !== true || !('workspace' in payload)) return false;
    const committedAt = timeOfUuid7(fact.slice(fact.indexOf('|') + 1));
    return committedAt !== null && this.resets.isOver(payload.workspace, committedAt);
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

  /** Runs the consumer's follow-up. The event stays applied if it fails; a sweep makes up for it. */
  private async afterwards(consumer: Consumer, payload: EventPayload<EventName>): Promise<void> {
    try {
      await consumer.applied?.(payload);
    } catch (error) {
      this.log.warn({ err: error, event: consumer.event }, 'the follow-up of an event failed; a sweep retries');
    }
  }

  /** Returns the message for a later try, or sets the event aside once its handler has failed too often. */
  private async postpone(message: JsMsg, event: Received, name: string, error: unknown): Promise<void> {
    const waits = isTransient(error);
    failures.add(1, { event: name, kind: waits ? 'waits' : 'failed' });
    if (waits) {
      this.log.warn({ err: error, subject: event.subject }, 'an event could not be applied now; it will be retried');
      return message.nak(TRANSIENT_PAUSE_MS);
    }
    try {
      const attempts = await this.letters.failed(event.fact, await this.store.about());
      this.log.warn({ err: error, subject: event.subject, attempts }, 'an event could not be applied');
      const pause = this.backoffMs[attempts - 1];
      if (pause !== undefined) return message.nak(pause);
      await this.park(event, 'failed', String(error), attempts);
      message.ack();
    } catch (err) {
      this.log.warn({ err, subject: event.subject }, 'a failure could not be stored; the event will be redelivered');
      message.nak(TRANSIENT_PAUSE_MS);
    }
  }

  private async park(event: Received, reason: DeadLetter['reason'], error: string, attempts: number): Promise<void> {
    if (!(await this.letters.park({ ...event, reason, error, attempts }, await this.store.about()))) return;
    deadLetters.add(1, { reason });
    raiseAlarm(
      this.log,
      'dead_letter',
      { subject: event.subject, fact: event.fact, reason, error },
      'an event was set aside as a dead letter; see GET /api/ops/dead-letters',
    );
  }
}

/** Notes how long an event took from its commit to its effect here. */
const noteDelay = ({ committedAt }: Received, event: EventName, appliedAt: Date): void => {
  if (committedAt !== null) delays.record(Math.max(0, appliedAt.getTime() - committedAt.getTime()) / 1_000, { event });
};
