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
import { Deadline } from '../deadline/deadline.js';
import { raiseAlarm } from '../logs/raise-alarm.js';
import { timeOfUuid7 } from '../outbox/uuid7.js';
import { SandboxResets } from '../sandbox/resets.js';
import type { Collection } from '../store/collection.js';
import { inTx } from '../store/in-tx.js';
import { isDuplicate, type Store } from '../store/store.js';
import { counterOf, histogramOf, readingOf } from '../telemetry/metrics.js';
import { inEventSpan } from '../telemetry/spans.js';
import { Attachment } from './attachment.js';
import { type Arrived, applyTo, type Consumer, type Follower, isProjector, projectTo } from './consumer.js';
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

type Mine = Reading & { kind: 'mine' };
/** A message as this service reads it, and the trace that it belongs to. */
type Arrival<R = Reading> = { message: JsMsg; event: Received; reading: R; traceparent: string | undefined };
type Shared<C = Consumer> = Arrival<Mine> & { consumer: C };

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
          (messages) => this.handle(producer, messages),
          log,
        ),
    );
  }

  get unhandled(): readonly string[] {
    return events
      .filter((event) => event.consumers.includes(this.me) && !this.byEvent.has(event.name as EventName))
      .map((event) => event.name);
  }

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

  /** Waits until every event published so far is applied; those that keep failing are waited for until the deadline. */
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

  private async handle(producer: ServiceName, messages: readonly JsMsg[]): Promise<void> {
    this.inFlight += 1;
    try {
      const arrivals = messages.map((message) => this.arrivalOf(producer, message));
      const shared = arrivals.flatMap((arrival) => this.asShared(arrival));
      const done = new Set(shared.length > 1 && (await this.applyTogether(shared)) ? shared.map(messageOf) : []);
      for (const arrival of arrivals) if (!done.has(arrival.message)) await this.handleOne(arrival);
    } finally {
      this.inFlight -= 1;
    }
  }

  private arrivalOf(producer: ServiceName, message: JsMsg): Arrival {
    const id = message.headers?.get('Nats-Msg-Id') || `${message.subject}|${message.time.getTime()}|${message.seq}`;
    const event: Received = {
      fact: `${durableOf(this.me, producer)}|${id}`,
      producer,
      subject: message.subject,
      text: message.string(),
      committedAt: timeOfUuid7(id),
    };
    const traceparent = message.headers?.get('traceparent') || undefined;
    return { message, event, reading: readEvent(this.me, event.subject, event.text), traceparent };
  }

  /** What was delivered before may be what failed, so it is applied alone; so is an event of a recorded trace. */
  private asShared({ reading, ...arrival }: Arrival): Shared[] {
    if (reading.kind !== 'mine' || arrival.message.redelivered || arrival.traceparent !== undefined) return [];
    const consumer = this.byEvent.get(reading.event);
    return consumer === undefined ? [] : [{ ...arrival, reading, consumer }];
  }

  private async handleOne({ message, event, reading, traceparent }: Arrival): Promise<void> {
    try {
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
    }
  }

  /** Applies events in one transaction. A failure says nothing about any one of them: each is then applied alone. */
  private async applyTogether(arrivals: readonly Shared[]): Promise<boolean> {
    try {
      const at = await this.store.about();
      const concerning = (await this.withoutThoseBeforeReset(arrivals)).filter(concerns);
      const started = performance.now();
      const projected = concerning.flatMap((one) =>
        isProjector(one.consumer) ? [withConsumer(one, one.consumer)] : [],
      );
      const followed = concerning.flatMap((one) =>
        isProjector(one.consumer) ? [] : [withConsumer(one, one.consumer)],
      );
      for (const { consumer, events } of runsOf(projected)) await projectTo(consumer, events, at);
      await this.applyAllInTx(followed, at);
      const applied = new Date(at.getTime() + performance.now() - started);
      for (const { event, reading } of concerning) noteDelay(event, reading.event, applied);
      for (const { consumer, payloads } of kindsOf(concerning)) await this.afterwards(consumer, payloads);
    } catch (error) {
      this.log.info({ err: error, events: arrivals.length }, 'events that arrived together are now applied one by one');
      return false;
    }
    for (const { message } of arrivals) message.ack();
    return true;
  }

  private async applyAllInTx(arrivals: readonly Shared<Follower>[], at: Date): Promise<void> {
    if (arrivals.length === 0) return;
    await inTx(this.store, Deadline.in(15_000), async (tx) => {
      const facts = arrivals.map(({ event }) => event.fact);
      const known = await this.rows.find({ _id: { $in: facts } }, tx.options()).toArray();
      const applied = new Set(known.map(({ _id }) => _id));
      const fresh = arrivals.filter(({ event }) => !applied.has(event.fact));
      if (fresh.length === 0) return;
      await this.rows.insertMany(
        fresh.map(({ event }) => ({ _id: event.fact, at })),
        tx.options(),
      );
      for (const { consumer, events } of runsOf(fresh)) await applyTo(tx, consumer, events, at);
    });
  }

  private async applyOnce({ fact }: Pick<Received, 'fact'>, reading: Mine): Promise<Date> {
    const { event, payload } = reading;
    const consumer = this.byEvent.get(event);
    if (consumer === undefined) throw new Error(`${this.me} has no consumer for ${event}`);
    const at = await this.store.about();
    const arrived = { payload, committedAt: committedAtOf(fact) };
    if ((await this.areOfBeforeReset([{ reading, ...arrived }])).includes(true)) return at;
    if (consumer.concerns?.(payload) === false) return at;
    const started = performance.now();
    if (isProjector(consumer)) await projectTo(consumer, [arrived], at);
    else await this.applyInTx(fact, consumer, arrived, at);
    const applied = new Date(at.getTime() + performance.now() - started);
    await this.afterwards(consumer, [payload]);
    return applied;
  }

  private async withoutThoseBeforeReset(arrivals: readonly Shared[]): Promise<Shared[]> {
    const over = await this.areOfBeforeReset(
      arrivals.map(({ reading, event }) => ({ reading, committedAt: event.committedAt })),
    );
    return arrivals.filter((_arrival, index) => over[index] !== true);
  }

  /** Whether each event is about something that a reset removed (docs/reliability.md#sandbox-resets). */
  private async areOfBeforeReset(events: readonly { reading: Mine; committedAt: Date | null }[]): Promise<boolean[]> {
    const removable = events.flatMap(({ reading: { event, payload }, committedAt }, index) => {
      if (eventByName(event).endsWithReset !== true || !('workspace' in payload) || committedAt === null) return [];
      return 'sandbox' in payload && !payload.sandbox ? [] : [{ index, workspace: payload.workspace, committedAt }];
    });
    const over = removable.length === 0 ? [] : await this.resets.areOver(removable);
    const before = new Set(removable.flatMap(({ index }, place) => (over[place] === true ? index : [])));
    return events.map((_event, index) => before.has(index));
  }

  private async applyInTx(fact: string, consumer: Follower, arrived: Arrived, at: Date): Promise<void> {
    try {
      await inTx(this.store, Deadline.in(15_000), async (tx) => {
        await this.rows.insertOne({ _id: fact, at }, tx.options());
        await applyTo(tx, consumer, [arrived], at);
      });
    } catch (error) {
      if (isDuplicate(error) && (await this.rows.findOne({ _id: fact })) !== null) return;
      throw error;
    }
  }

  private async afterwards(consumer: Consumer, payloads: readonly EventPayload<EventName>[]): Promise<void> {
    try {
      await consumer.applied?.(payloads);
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

const messageOf = ({ message }: Arrival): JsMsg => message;
const concerns = ({ consumer, reading }: Shared): boolean => consumer.concerns?.(reading.payload) !== false;
const withConsumer = <C extends Consumer>(arrival: Shared, consumer: C): Shared<C> => ({ ...arrival, consumer });

/** Neighbours of one kind together, in the order in which they arrived. */
const runsOf = <C>(arrivals: readonly Shared<C>[]): { consumer: C; events: Arrived[] }[] => {
  const runs: { consumer: C; events: Arrived[] }[] = [];
  for (const { consumer, reading, event } of arrivals) {
    const arrived = { payload: reading.payload, committedAt: event.committedAt };
    const last = runs.at(-1);
    if (last?.consumer === consumer) last.events.push(arrived);
    else runs.push({ consumer, events: [arrived] });
  }
  return runs;
};

const kindsOf = (arrivals: readonly Shared[]): { consumer: Consumer; payloads: EventPayload<EventName>[] }[] =>
  [...Map.groupBy(arrivals, ({ consumer }) => consumer)].map(([consumer, own]) => ({
    consumer,
    payloads: own.map(({ reading }) => reading.payload),
  }));

/** When the event of a fact was committed; null if it was republished. */
const committedAtOf = (fact: string): Date | null => timeOfUuid7(fact.slice(fact.indexOf('|') + 1));

const noteDelay = ({ committedAt }: Received, event: EventName, appliedAt: Date): void => {
  if (committedAt !== null) delays.record(Math.max(0, appliedAt.getTime() - committedAt.getTime()) / 1_000, { event });
};
