import { randomUUID } from 'node:crypto';
import { type EventPayload, STREAMS } from '@cds/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { BusConnection } from '../bus/connection.js';
import { apiOf } from '../bus/topology.js';
import { TopologyKeeper } from '../bus/topology-keeper.js';
import { Deadline } from '../deadline/deadline.js';
import { consumerOf } from '../inbox/consumer.js';
import { Inbox } from '../inbox/inbox.js';
import type { Collection } from '../store/collection.js';
import { inTx } from '../store/in-tx.js';
import { TestNats } from '../testing/nats.js';
import { testStore } from '../testing/store.js';
import { until } from '../testing/until.js';
import { Outbox } from './outbox.js';
import { Relay } from './relay.js';
import { type Republished, republishedFrom, republishedFromOutbox } from './republished.js';
import { Republisher } from './republisher.js';

const log = pino({ level: 'silent' });

type Mandate = { _id: string; version: number };

/**
 * The contents of a lost stream are rebuilt from the database (docs/reliability.md#rules, docs/reliability.md#events).
 */
describe('republishing', () => {
  let nats: TestNats;
  let root: NatsConnection;
  let producer: Awaited<ReturnType<typeof testStore>>;
  let follower: Awaited<ReturnType<typeof testStore>>;
  let mandates: Collection<Mandate>;
  let seen: Collection<Mandate & { applied: number }>;
  let running: { stop: () => Promise<void> }[] = [];
  let connections: BusConnection[] = [];
  let pages: (string | null)[] = [];
  let failAt: number | null = null;

  const open = async (service: string): Promise<BusConnection> => {
    const connection = await BusConnection.open(service, { url: nats.url, user: '', password: '' }, log);
    connections.push(connection);
    return connection;
  };
  const started = <T extends { start: () => void; stop: () => Promise<void> }>(one: T): T => {
    one.start();
    running.push(one);
    return one;
  };

  /** A process of the gateway that republishes mandates; `failAt` makes it fail at that page. */
  const aGateway = async (): Promise<{ relay: Relay; republisher: Republisher }> => {
    const connection = await open('gateway');
    const relay = started(new Relay('gateway', connection, producer.store, new Outbox(producer.store), log));
    const source = republishedFrom('mandate.changed', mandates, (rows) =>
      rows.map(({ _id, version }): EventPayload<'mandate.changed'> => {
        return { aggregate: _id, version, workspace: _id, key_id: _id };
      }),
    );
    const counted: Republished = {
      ...source,
      page: async (after, limit) => {
        if (failAt === pages.length) throw new Error('the process is gone');
        pages.push(after);
        return source.page(after, limit);
      },
    };
    const clocks = republishedFrom('clock.set', mandates, () => []);
    const republisher = started(
      new Republisher('gateway', connection, producer.store, relay, [counted, clocks], log, {
        checkMs: 200,
        longestPauseMs: 20,
      }),
    );
    return { relay, republisher };
  };
  const aBilling = async (): Promise<Inbox> =>
    started(
      new Inbox(
        'billing',
        await open('billing'),
        follower.store,
        [
          consumerOf({
            event: 'mandate.changed',
            apply: async (tx, { aggregate, version }) => {
              const known = await seen.findOne({ _id: aggregate }, tx.options());
              if ((known?.version ?? 0) >= version) return;
              await seen.updateOne(
                { _id: aggregate },
                { $set: { version }, $inc: { applied: 1 } },
                { ...tx.options(), upsert: true },
              );
            },
          }),
          consumerOf({ event: 'clock.set', project: async () => undefined }),
        ],
        log,
      ),
    );
  const done = (of: Republisher, run?: string) =>
    until(async () => {
      const newest = await of.newest();
      return newest !== null && newest.done_at !== null && (run === undefined || newest.run === run);
    });
  const seenCount = () => seen.countDocuments({});

  beforeAll(async () => {
    nats = await TestNats.start();
    root = await connect({ servers: nats.url });
  });
  beforeEach(async () => {
    producer = await testStore('again_gateway');
    follower = await testStore('again_billing');
    mandates = producer.store.collection<Mandate>({ name: 'mandates' });
    seen = follower.store.collection({ name: 'seen' });
    pages = [];
    failAt = null;
    // Consumers must not still have messages of the previous test to read.
    for (const { name } of STREAMS) await (await apiOf(root)).streams.delete(name).catch(() => undefined);
    started(new TopologyKeeper(await open('bus-admin'), 1, log));
  });
  afterEach(async () => {
    for (const one of running.reverse()) await one.stop();
    await Promise.all(connections.map((one) => one.close()));
    running = [];
    connections = [];
    await Promise.all([producer.drop(), follower.drop()]);
  });
  afterAll(async () => {
    await root.close();
    await nats.stop();
  });

  const store = async (count: number): Promise<void> => {
    await producer.store.migrate();
    await follower.store.migrate();
    await mandates.insertMany(Array.from({ length: count }, () => ({ _id: randomUUID(), version: 3 })));
  };

  it('starts by itself after the loss of the stream, and reaches a consumer that had applied the events before', async () => {
    await store(250);
    const { republisher } = await aGateway();
    await aBilling();
    await done(republisher);
    await done(republisher, (await republisher.ask('first-run', new Date())).run);
    await until(async () => (await seenCount()) === 250);

    // The events are gone, and so are some of one consumer's documents; its inbox still knows the events.
    await (await apiOf(root)).streams.delete('EVT_GATEWAY');
    await seen.deleteMany({ _id: { $in: (await seen.find().limit(40).toArray()).map(({ _id }) => _id) } });
    await until(async () => (await republisher.newest())?.cause === 'stream_lost');
    await done(republisher);
    await until(async () => (await seenCount()) === 250);
    expect(await republisher.newest()).toMatchObject({ cause: 'stream_lost', sent: 250, event: null });
    expect(await seen.countDocuments({ applied: { $ne: 1 } })).toBe(0);
  });

  it('starts no run while its stream is the known one', async () => {
    await store(1);
    const { relay, republisher } = await aGateway();
    await done(republisher);
    const { run } = (await republisher.newest()) ?? {};
    await republisher.stop();
    await relay.stop();
    const other = await aGateway();
    await until(async () => other.relay.leads);
    await done(other.republisher);
    expect((await other.republisher.newest())?.run).toBe(run);
  });

  it('continues where a process stopped, from the last stored page', async () => {
    await store(350);
    const first = await aGateway();
    await done(first.republisher);
    pages = [];
    failAt = 2;
    await first.republisher.ask('interrupted', new Date());
    await until(async () => (await first.republisher.newest())?.sent === 200);
    await first.republisher.stop();
    await first.relay.stop();

    failAt = null;
    const second = await aGateway();
    await done(second.republisher, 'interrupted');
    expect(await second.republisher.newest()).toMatchObject({ run: 'interrupted', cause: 'operator', sent: 350 });
    expect(new Set(pages).size).toBe(pages.length);
    expect(pages).toHaveLength(4);
  });

  it('is one run per request, and restarts for another request', async () => {
    await store(150);
    const { republisher } = await aGateway();
    await done(republisher);
    await republisher.ask('one', new Date());
    await done(republisher, 'one');
    expect(await republisher.ask('one', new Date())).toMatchObject({ run: 'one', sent: 150, event: null });
    expect(await republisher.ask('two', new Date())).toMatchObject({ run: 'two', sent: 0, done_at: null });
    await done(republisher, 'two');
  });

  it('moves no consumer backwards, whatever is published meanwhile', async () => {
    await store(120);
    const { republisher } = await aGateway();
    await done(republisher);
    await seen.insertMany((await mandates.find().toArray()).map(({ _id }) => ({ _id, version: 4, applied: 0 })));
    await aBilling();
    await republisher.ask('older', new Date());
    await done(republisher, 'older');
    const durable = async () => (await apiOf(root)).consumers.info('EVT_GATEWAY', 'billing_from_gateway');
    await until(async () => {
      const { num_pending, num_ack_pending } = await durable();
      return num_pending + num_ack_pending === 0;
    });
    expect(await seen.countDocuments({ version: 4, applied: 0 })).toBe(120);
  });

  it('reports an event that cannot be republished', async () => {
    const relay = new Relay('gateway', await open('gateway'), producer.store, new Outbox(producer.store), log);
    const republisher = new Republisher('gateway', await open('gateway'), producer.store, relay, [], log);
    expect(republisher.missing).toEqual(['clock.set', 'mandate.changed']);
  });
});

describe('an event whose aggregate is stored nowhere else', () => {
  it('is kept in the outbox for good, and republished from there; any other is gone after a day', async () => {
    const nats = await TestNats.start();
    await nats.declare();
    const { store, drop } = await testStore('kept_events');
    const connection = await BusConnection.open('billing', { url: nats.url, user: '', password: '' }, log);
    const outbox = new Outbox(store);
    const relay = new Relay('billing', connection, store, outbox, log);
    await store.migrate();
    const task = {
      aggregate: randomUUID(),
      version: 1,
      kind: 'signing_stuck' as const,
      about: {},
      note: null,
      opened_at: '2026-11-22T00:00:00.000Z',
    };
    const other = { aggregate: randomUUID(), version: 1 } as EventPayload<'order.changed'>;
    await inTx(store, Deadline.in(30_000), (tx) =>
      outbox.add(
        tx,
        [
          { name: 'billing_task.opened', payload: task },
          { name: 'order.changed', payload: other },
        ],
        new Date(),
      ),
    );
    expect(await relay.flush()).toBe(2);

    const indexes = await outbox.rows.indexes();
    expect(indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined)).toMatchObject([
      { key: { at: 1 }, expireAfterSeconds: 86_400, partialFilterExpression: { sent_at: { $type: 'date' } } },
    ]);
    expect(await outbox.rows.findOne({ aggregate: other.aggregate })).toMatchObject({ sent_at: expect.any(Date) });
    expect(await outbox.rows.findOne({ aggregate: task.aggregate })).toMatchObject({ state: 'sent', sent_at: null });
    const { events, next } = await republishedFromOutbox('billing_task.opened', outbox).page(null, 10);
    expect([events, next]).toEqual([[{ subject: 'evt.billing.billing_task.opened', payload: task }], null]);
    await connection.close();
    await drop();
    await nats.stop();
  });
});

describe('a relay whose stream is missing', () => {
  it('marks nothing as sent, and publishes once the stream exists', async () => {
    const nats = await TestNats.start();
    const { store, drop } = await testStore('again_relay');
    const connection = await BusConnection.open('gateway', { url: nats.url, user: '', password: '' }, log);
    const outbox = new Outbox(store);
    const relay = new Relay('gateway', connection, store, outbox, log);
    await store.migrate();
    const row = {
      _id: randomUUID(),
      subject: 'evt.gateway.clock.set',
      aggregate: 'a',
      version: 1,
      payload: {},
      at: new Date(),
      sent_at: null,
    };
    await outbox.rows.insertOne({ ...row, state: 'new' });
    await expect(relay.flush()).rejects.toThrow();
    expect(await outbox.rows.findOne({})).toMatchObject({ state: 'new' });

    await nats.declare();
    expect(await relay.flush()).toBe(1);
    expect(await outbox.rows.findOne({})).toMatchObject({ state: 'sent' });
    await connection.close();
    await drop();
    await nats.stop();
  });
});
