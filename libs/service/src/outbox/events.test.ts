import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { pino } from 'pino';
import { BusConnection } from '../bus/connection.js';
import { Deadline } from '../deadline/deadline.js';
import { consumerOf } from '../inbox/consumer.js';
import { Inbox } from '../inbox/inbox.js';
import type { Collection } from '../store/collection.js';
import { inTx } from '../store/in-tx.js';
import { newerOnly } from '../store/newer-only.js';
import { TestNats } from '../testing/nats.js';
import { testStore } from '../testing/store.js';
import { until } from '../testing/until.js';
import { type Emitted, Outbox } from './outbox.js';
import { Relay } from './relay.js';

/** Events from a committed transaction to a projection, on real servers (docs/reliability.md#events; I54). */
const log = pino({ level: 'silent' });
const NOW = new Date('2026-11-21T12:00:00.000Z');
const HOUR_MS = 3_600_000;

type Projection = { _id: string; version: number; applied: number };

describe('events between services', () => {
  let nats: TestNats;
  let gateway: { outbox: Outbox; relay: Relay; connection: BusConnection; test: Awaited<ReturnType<typeof testStore>> };
  let billing: {
    inbox: Inbox;
    connection: BusConnection;
    test: Awaited<ReturnType<typeof testStore>>;
    seen: Collection<Projection>;
    named: Collection<Projection>;
  };
  const failing = new Set<string>();

  const connectTo = (service: 'gateway' | 'billing') =>
    BusConnection.open(service, { url: nats.url, user: '', password: '' }, log);

  const aRelay = (
    { connection, test, outbox }: Omit<typeof gateway, 'relay'>,
    every?: { turnMs: number; netMs: number },
  ): Relay => new Relay('gateway', connection, test.store, outbox, log, every);

  const anEvent = (aggregate: string, version: number): Emitted => ({
    name: 'mandate.changed',
    payload: { aggregate, version, workspace: aggregate, key_id: aggregate },
  });

  const emit = async (...events: Emitted[]): Promise<void> => {
    await inTx(gateway.test.store, Deadline.in(30_000), (tx) => gateway.outbox.add(tx, events, NOW));
  };

  const versionOf = (id: string) => billing.seen.findOne({ _id: id });
  const sent = (id: string) => until(() => gateway.outbox.rows.findOne({ aggregate: id, state: 'sent' }));

  beforeAll(async () => {
    nats = await TestNats.start();
    await nats.declare();
    const producer = await testStore('facts_gateway');
    const producerConnection = await connectTo('gateway');
    const outbox = new Outbox(producer.store);
    const producing = { outbox, connection: producerConnection, test: producer };
    gateway = { ...producing, relay: aRelay(producing) };
    await producer.store.migrate();
    gateway.relay.start();

    const follower = await testStore('facts_billing');
    const seen = follower.store.collection<Projection>({ name: 'seen' });
    const named = follower.store.collection<Projection>({ name: 'named' });
    const connection = await connectTo('billing');
    const projected = consumerOf({
      event: 'clock.set',
      project: ({ aggregate, version }) => newerOnly(named, aggregate, { version, applied: version }),
    });
    const consumer = consumerOf({
      event: 'mandate.changed',
      apply: async (tx, payload) => {
        if (failing.delete(payload.aggregate)) throw new Error('a passing fault');
        const known = await seen.findOne({ _id: payload.aggregate }, tx.options());
        if ((known?.version ?? 0) >= payload.version) return;
        await seen.updateOne(
          { _id: payload.aggregate },
          { $set: { version: payload.version }, $inc: { applied: 1 } },
          { ...tx.options(), upsert: true },
        );
      },
    });
    const inbox = new Inbox('billing', connection, follower.store, [consumer, projected], log);
    await follower.store.migrate();
    inbox.start();
    billing = { inbox, connection, test: follower, seen, named };
  });

  afterAll(async () => {
    await billing.inbox.stop();
    await gateway.relay.stop();
    await Promise.all([billing.connection.close(), gateway.connection.close()]);
    await Promise.all([billing.test.drop(), gateway.test.drop()]);
    await nats.stop();
  });

  it('reach their projection once and are marked sent after the ack', async () => {
    const id = randomUUID();
    await emit(anEvent(id, 1));
    expect(await until(() => versionOf(id))).toMatchObject({ version: 1, applied: 1 });
    await sent(id);
  });

  it('wake the relay even while it publishes others, so that none waits for the poll', async () => {
    await gateway.relay.stop();
    gateway.relay = aRelay(gateway, { turnMs: HOUR_MS, netMs: HOUR_MS });
    gateway.relay.start();
    for (let round = 0; round < 10; round += 1) {
      const ids = [randomUUID(), randomUUID(), randomUUID()];
      for (const id of ids) await emit(anEvent(id, 1));
      for (const id of ids) await until(() => versionOf(id));
    }
    await gateway.relay.stop();
    gateway.relay = aRelay(gateway);
    gateway.relay.start();
  }, 120_000);

  it('of another replica reach a relay that has just begun, whatever moment they were committed in', async () => {
    for (let round = 0; round < 5; round += 1) {
      await gateway.relay.stop();
      gateway.relay = aRelay(gateway, { turnMs: HOUR_MS, netMs: HOUR_MS });
      const other = new Outbox(gateway.test.store);
      const ids: string[] = [];
      gateway.relay.start();
      for (const end = performance.now() + 150; performance.now() < end; ) {
        const id = randomUUID();
        ids.push(id);
        await inTx(gateway.test.store, Deadline.in(30_000), (tx) => other.add(tx, [anEvent(id, 1)], NOW));
      }
      const waiting = () => gateway.outbox.rows.countDocuments({ aggregate: { $in: ids }, state: 'new' });
      await until(async () => (await waiting()) === 0);
    }
    await gateway.relay.stop();
    gateway.relay = aRelay(gateway);
    gateway.relay.start();
  }, 180_000);

  it('are published even if nobody handed them over, however busy their process is', async () => {
    const id = randomUUID();
    // A commit with an unknown outcome: the row exists, but the relay was not notified.
    await inTx(gateway.test.store, Deadline.in(30_000), (tx) =>
      gateway.outbox.add({ ...tx, committed: () => undefined }, [anEvent(id, 1)], NOW),
    );
    const found = await until(async () => {
      await emit(anEvent(randomUUID(), 1));
      return versionOf(id);
    });
    expect(found).toMatchObject({ version: 1 });
  });

  it('are published after another relay died with the lease, including those written in between', async () => {
    const leases = gateway.test.store.db.collection<{ _id: string; owner: string; until: Date }>('leases');
    await leases.updateOne({ _id: 'relay' }, [{ $set: { owner: 'dead', until: { $add: ['$$NOW', 4_000] } } }]);
    const waitingOnceMore = async () => {
      await emit(anEvent(randomUUID(), 1));
      return gateway.outbox.rows.countDocuments({ state: 'new' });
    };
    await until(async () => (await waitingOnceMore()) > 5);
    await until(async () => (await waitingOnceMore()) <= 2);
  });

  it('never move a projection backwards, whatever their order', async () => {
    const id = randomUUID();
    await emit(anEvent(id, 3), anEvent(id, 1), anEvent(id, 2));
    await until(() => versionOf(id));
    await billing.inbox.caughtUp(Deadline.in(30_000));
    expect(await versionOf(id)).toMatchObject({ version: 3 });
  });

  it('are applied once even if delivered again', async () => {
    const id = randomUUID();
    await emit(anEvent(id, 1));
    await until(() => versionOf(id));
    const row = await sent(id);
    // The ack of the first publish was lost: the row is new again, past the stream's duplicate window too.
    await jetstream(gateway.connection.nats, { checkAPI: false }).publish(row.subject, JSON.stringify(row.payload));
    await gateway.outbox.rows.updateOne({ aggregate: id }, { $set: { state: 'new' } });
    await gateway.relay.flush();
    await sent(id);
    await billing.inbox.caughtUp(Deadline.in(30_000));
    expect(await versionOf(id)).toMatchObject({ version: 1, applied: 1 });
  });

  it('reach a single-document projection without an inbox row, the newest state whatever the order', async () => {
    const id = randomUUID();
    const clock = (version: number): Emitted => ({
      name: 'clock.set',
      payload: { aggregate: id, version, workspace: id, offset_ms: version, at: NOW.toISOString() },
    });
    const rows = () => billing.test.store.db.collection('inbox').countDocuments({});
    const before = await rows();
    await emit(clock(2), clock(3), clock(1));
    await emit(clock(3), clock(2));
    await until(() => billing.named.findOne({ _id: id, version: 3 }));
    await gateway.relay.flush();
    await billing.inbox.caughtUp(Deadline.in(30_000));
    expect(await billing.named.findOne({ _id: id })).toMatchObject({ version: 3, applied: 3 });
    expect(await rows()).toBe(before);
  });

  it('are redelivered after a temporary failure of their consumer', async () => {
    const id = randomUUID();
    failing.add(id);
    await emit(anEvent(id, 1));
    expect(await until(() => versionOf(id))).toMatchObject({ version: 1, applied: 1 });
  });

  it('wait in the outbox while the bus is down, and are published afterwards', async () => {
    const id = randomUUID();
    await nats.kill();
    await emit(anEvent(id, 1));
    expect(await gateway.outbox.rows.findOne({ aggregate: id })).toMatchObject({ state: 'new' });
    await nats.start();
    expect(await until(() => versionOf(id))).toMatchObject({ version: 1, applied: 1 });
  });
});
