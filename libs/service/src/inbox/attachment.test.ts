import { randomUUID } from 'node:crypto';
import { DURABLES, STREAMS } from '@cds/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type JetStreamManager, jetstream } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { BusConnection } from '../bus/connection.js';
import { Deadline } from '../bus/deadline.js';
import { apiOf } from '../bus/topology.js';
import { TopologyKeeper } from '../bus/topology-keeper.js';
import type { Collection } from '../store/collection.js';
import { TestNats } from '../testing/nats.js';
import { testStore } from '../testing/store.js';
import { consumerOf } from './consumer.js';
import { Inbox } from './inbox.js';

const log = pino({ level: 'silent' });
const STREAM = 'EVT_GATEWAY';
const DURABLE = 'billing_from_gateway';

/** Events go on after the loss of a stream, a durable or the server, whatever the reason (reliability 3.13, 5.2). */
describe('an inbox and bus-admin', () => {
  let nats: TestNats;
  let root: NatsConnection;
  let manager: JetStreamManager;
  let keeper: TopologyKeeper;
  let admin: BusConnection;
  let connection: BusConnection;
  let inbox: Inbox;
  let test: Awaited<ReturnType<typeof testStore>>;
  let seen: Collection<{ _id: string; version: number }>;

  const until = async (holds: () => boolean | Promise<boolean>, withinMs: number): Promise<number> => {
    const began = performance.now();
    const deadline = Deadline.in(withinMs);
    while (!(await holds())) {
      if (deadline.remainingMs() === 0) throw new Error(`not within ${withinMs} ms`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return performance.now() - began;
  };
  const anInbox = (): Inbox => {
    const consumers = [
      consumerOf({
        event: 'mandate.changed',
        project: async ({ aggregate, version }) => {
          await seen.updateOne({ _id: aggregate }, { $set: { version } }, { upsert: true });
        },
      }),
      consumerOf({ event: 'clock.set', project: async () => undefined }),
    ];
    return new Inbox('billing', connection, test.store, consumers, log);
  };
  const attached = () => inbox.detached.length === 0;
  /** What the keeper's looks put back in place, a line each. */
  const repairs: string[] = [];
  const keeperLog = pino({ level: 'info' }, { write: (line: string) => void repairs.push(line) });

  /** Publishes a fact, again and again while its stream is away, and waits until it is applied. */
  const arrives = async (withinMs: number): Promise<number> => {
    const id = randomUUID();
    const payload = { aggregate: id, version: 1, workspace: id, key_id: id };
    const deadline = Deadline.in(withinMs);
    const began = performance.now();
    for (;;) {
      try {
        await jetstream(root, { timeout: 500 }).publish('evt.gateway.mandate.changed', JSON.stringify(payload));
        break;
      } catch (error) {
        if (deadline.remainingMs() === 0) throw error;
      }
    }
    await until(async () => (await seen.findOne({ _id: id })) !== null, deadline.remainingMs());
    return performance.now() - began;
  };

  beforeAll(async () => {
    nats = await TestNats.start();
    root = await connect({ servers: nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    manager = await apiOf(root);
    test = await testStore('attachment');
    seen = test.store.db.collection('seen');
  });

  beforeEach(async () => {
    admin = await BusConnection.open('bus-admin', { url: nats.url, user: '', password: '' }, log);
    keeper = new TopologyKeeper(admin, 1, keeperLog);
    keeper.start();
    connection = await BusConnection.open('billing', { url: nats.url, user: '', password: '' }, log);
    inbox = anInbox();
    inbox.start();
    await until(attached, 10_000);
  });

  afterEach(async () => {
    nats.thaw();
    await inbox.stop();
    await keeper.stop();
    await Promise.all([connection.close(), admin.close()]);
  });

  afterAll(async () => {
    await root.close();
    await test.drop();
    await nats.stop();
  });

  it('declares every stream and durable, and says so', async () => {
    await until(() => keeper.standing() === null, 5_000);
    for (const { name } of STREAMS) expect((await manager.streams.info(name)).config.name).toBe(name);
    for (const { stream, name } of DURABLES)
      expect((await manager.consumers.info(stream, name)).config.deliver_policy).toBe('all');
  });

  it('brings back by the next look what is missing, and settings that were changed', async () => {
    await until(() => keeper.standing() === null, 20_000);
    repairs.length = 0;
    await manager.streams.delete('EVT_METRICS');
    await manager.consumers.update('EVT_BILLING', 'planning_from_billing', { max_ack_pending: 3 });
    await until(async () => {
      const stream = await manager.streams.info('EVT_METRICS').catch(() => null);
      const durable = await manager.consumers.info('EVT_METRICS', 'planning_from_metrics').catch(() => null);
      const changed = await manager.consumers.info('EVT_BILLING', 'planning_from_billing');
      return stream !== null && durable !== null && changed.config.max_ack_pending === 1_024;
    }, 20_000);
    // Two at most: one look may fall between the two changes.
    expect(repairs.filter((line) => line.includes('declared') || line.includes('they are back')).length).toBeLessThan(
      3,
    );
  });

  it('is attached again when its durable is deleted while a pull is pending, and red until then', async () => {
    await keeper.stop();
    await manager.consumers.delete(STREAM, DURABLE);
    await until(() => inbox.detached.includes(DURABLE), 3_000);
    keeper = new TopologyKeeper(admin, 1, log);
    keeper.start();
    expect(await until(attached, 5_000)).toBeLessThan(5_000);
    expect(await arrives(2_000)).toBeLessThan(2_000);
  });

  it('is attached again when its durable was deleted and made again between two looks', async () => {
    const { config } = await manager.consumers.info(STREAM, DURABLE);
    await manager.consumers.delete(STREAM, DURABLE);
    await manager.consumers.add(STREAM, config);
    expect(await arrives(5_000)).toBeLessThan(5_000);
  });

  it('is attached again when its stream is deleted, and applies what is published from then on', async () => {
    await manager.streams.delete(STREAM);
    expect(await arrives(5_000)).toBeLessThan(5_000);
    await until(attached, 2_000);
  });

  it('is attached again after a restart of the server', async () => {
    await nats.kill();
    await until(() => inbox.detached.length > 0, 10_000);
    await nats.start();
    expect(await arrives(10_000)).toBeLessThan(10_000);
    await until(attached, 2_000);
  });

  it('is attached again after a restart of the server that lost its store', async () => {
    await nats.kill();
    await nats.wipe();
    await nats.start();
    expect(await arrives(10_000)).toBeLessThan(10_000);
    await until(attached, 2_000);
  });

  it('is red while the server is frozen, and attached again after it', async () => {
    nats.freeze();
    await until(() => inbox.detached.length > 0, 10_000);
    nats.thaw();
    await until(attached, 10_000);
    expect(await arrives(5_000)).toBeLessThan(5_000);
  });

  it('is attached again after its own connection was cut', async () => {
    const back = new Promise<void>((resolve) => {
      void (async () => {
        for await (const status of connection.nats.status()) if (status.type === 'reconnect') return resolve();
      })();
    });
    await connection.nats.reconnect();
    await back;
    expect(await arrives(5_000)).toBeLessThan(5_000);
  });

  it('applies what waits in the stream when it comes back', async () => {
    await inbox.stop();
    const id = randomUUID();
    const payload = { aggregate: id, version: 1, workspace: id, key_id: id };
    await jetstream(root).publish('evt.gateway.mandate.changed', JSON.stringify(payload));
    inbox = anInbox();
    await manager.consumers.delete(STREAM, DURABLE);
    inbox.start();
    await until(async () => (await seen.findOne({ _id: id })) !== null, 5_000);
  });
});
