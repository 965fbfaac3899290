import { randomUUID } from 'node:crypto';
import type { EventPayload } from '@cds/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import { pino } from 'pino';
import { BusConnection } from '../bus/connection.js';
import { Inbox } from '../index.js';
import type { Collection } from '../store/collection.js';
import { eventStream } from '../testing/event-stream.js';
import { TestNats } from '../testing/nats.js';
import { testStore } from '../testing/store.js';
import { consumerOf } from './consumer.js';

const log = pino({ level: 'silent' });

type Applied = { _id: string; times: number };
type Sent = { id: string; payload: EventPayload<'mandate.changed'> };

/**
 * An event is identified by its producer's id, never by its place in a stream: a stream forgets ids after its window,
 * and one that was created again counts from 1 (docs/reliability.md#events; I54).
 */
describe('an event that arrives more than once', () => {
  let nats: TestNats;
  let connection: BusConnection;
  let js: JetStreamClient;
  let stream: ReturnType<typeof eventStream>;
  let test: Awaited<ReturnType<typeof testStore>>;
  let applied: Collection<Applied>;
  let inbox: Inbox;

  const anInbox = (): Inbox => {
    const consumer = consumerOf({
      event: 'mandate.changed',
      apply: async (tx, { aggregate }) => {
        await applied.updateOne({ _id: aggregate }, { $inc: { times: 1 } }, { ...tx.options(), upsert: true });
      },
    });
    return new Inbox('billing', connection, test.store, [consumer], log);
  };

  const anEvent = (): Sent => {
    const aggregate = randomUUID();
    return { id: randomUUID(), payload: { aggregate, version: 1, workspace: aggregate, key_id: aggregate } };
  };
  const publish = ({ id, payload }: Sent) =>
    js.publish('evt.gateway.mandate.changed', JSON.stringify(payload), { msgID: id });
  /** Publishes an event again once the server has forgotten its id, and returns its place in the stream. */
  const publishAgain = async (sent: Sent): Promise<number> => {
    for (;;) {
      const ack = await publish(sent);
      if (!ack.duplicate) return ack.seq;
    }
  };

  const timesOf = async ({ payload }: Sent): Promise<number> =>
    (await applied.findOne({ _id: payload.aggregate }))?.times ?? 0;

  beforeAll(async () => {
    nats = await TestNats.start();
    connection = await BusConnection.open('billing', { url: nats.url, user: '', password: '' }, log);
    js = jetstream(connection.nats, { checkAPI: false });
    stream = eventStream(js, 'gateway', 'billing');
    test = await testStore('dedupe');
    applied = test.store.collection<Applied>({ name: 'applied' });
    anInbox();
    await test.store.migrate();
  });
  beforeEach(async () => {
    await stream.make();
    inbox = anInbox();
    inbox.start();
  });
  afterEach(async () => {
    await inbox.stop();
    await stream.drop();
  });
  afterAll(async () => {
    await connection.close();
    await test.drop();
    await nats.stop();
  });

  /** Stops the process, deletes and creates its stream again, and starts the process. */
  const loseStream = async (): Promise<void> => {
    await inbox.stop();
    await stream.drop();
    await stream.make();
    inbox = anInbox();
    inbox.start();
  };

  it('is applied once, even if the server has forgotten it', async () => {
    const event = anEvent();
    const first = (await publish(event)).seq;
    await stream.drained();
    expect(await publishAgain(event)).toBeGreaterThan(first);
    expect(await publishAgain(event)).toBeGreaterThan(first + 1);
    await stream.drained();
    expect(await timesOf(event)).toBe(1);
  });

  it('is applied once when both copies wait for the consumer', async () => {
    await inbox.stop();
    const event = anEvent();
    await publish(event);
    await publishAgain(event);
    inbox = anInbox();
    inbox.start();
    await stream.drained();
    expect(await timesOf(event)).toBe(1);
  });

  it('is applied once, wherever it is in a stream that was created again', async () => {
    const [one, two] = [anEvent(), anEvent()];
    await publish(one);
    await publish(two);
    await stream.drained();
    await loseStream();
    expect((await publish(two)).seq).toBe(1);
    expect((await publish(one)).seq).toBe(2);
    await stream.drained();
    expect([await timesOf(one), await timesOf(two)]).toEqual([1, 1]);
  });

  it('does not hide another one at the same place of a stream that was created again', async () => {
    const before = [anEvent(), anEvent(), anEvent()];
    for (const event of before) await publish(event);
    await stream.drained();
    await loseStream();
    const after = [anEvent(), anEvent(), anEvent()];
    const places: number[] = [];
    for (const event of after) places.push((await publish(event)).seq);
    expect(places).toEqual([1, 2, 3]);
    await stream.drained();
    expect(await Promise.all([...before, ...after].map(timesOf))).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('does not hide another event of the same aggregate and version', async () => {
    const event = anEvent();
    await publish(event);
    await publish({ ...event, id: randomUUID() });
    await stream.drained();
    expect(await timesOf(event)).toBe(2);
  });
});
