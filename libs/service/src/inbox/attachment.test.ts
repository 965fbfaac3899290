import { randomUUID } from 'node:crypto';
import { DURABLES, STREAMS } from '@cds/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type JetStreamManager, jetstream } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { BusConnection } from '../bus/connection.js';
import { apiOf } from '../bus/topology.js';
import { TopologyKeeper } from '../bus/topology-keeper.js';
import type { Collection } from '../store/collection.js';
import { TestNats } from '../testing/nats.js';
import { testStore } from '../testing/store.js';
import { until } from '../testing/until.js';
import { consumerOf } from './consumer.js';
import { Inbox } from './inbox.js';

const log = pino({ level: 'silent' });
const STREAM = 'EVT_GATEWAY';
const DURABLE = 'billing_from_gateway';

/**
 * Events continue after the loss of a stream, a durable or the server, whatever the cause (docs/reliability.md#events,
 * docs/reliability.md#faults).
 */
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

  /** Publishes an event, repeatedly while its stream is missing, and waits until it is applied. */
  const arrives = async (withinMs: number): Promise<void> => {
    const id = randomUUID();
    const payload = JSON.stringify({ aggregate: id, version: 1, workspace: id, key_id: id });
    const published = jetstream(root, { timeout: 500 });
    await until(() => published.publish('evt.gateway.mandate.changed', payload).catch(() => null), withinMs);
    await until(() => seen.findOne({ _id: id }), withinMs);
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

  it('declares every stream and durable, and reports success', async () => {
    await until(() => keeper.problem() === null, 5_000);
    for (const { name } of STREAMS) expect((await manager.streams.info(name)).config.name).toBe(name);
    for (const { stream, name } of DURABLES)
      expect((await manager.consumers.info(stream, name)).config.deliver_policy).toBe('all');
  });

  it('restores missing streams and durables and changed settings at its next look', async () => {
    await until(() => keeper.problem() === null, 20_000);
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
    expect(
      repairs.filter((line) => line.includes('declared') || line.includes('have been restored')).length,
    ).toBeLessThan(3);
  });

  it('reattaches after its durable is deleted during a pull, and is not ready until then', async () => {
    await keeper.stop();
    await manager.consumers.delete(STREAM, DURABLE);
    await until(() => inbox.detached.includes(DURABLE), 3_000);
    keeper = new TopologyKeeper(admin, 1, log);
    keeper.start();
    await until(attached, 5_000);
    await arrives(2_000);
  });

  it('is not ready while any of its durables is missing', async () => {
    await inbox.stop();
    inbox = new Inbox('planning', connection, test.store, [], log);
    inbox.start();
    await until(attached, 10_000);
    await keeper.stop();
    const durables = DURABLES.filter(({ consumer }) => consumer === 'planning');
    expect(durables.length).toBeGreaterThan(1);
    for (const { stream, name } of [...durables.slice(0, 1), ...durables.slice(-1)]) {
      const { config } = await manager.consumers.info(stream, name);
      await manager.consumers.delete(stream, name);
      await until(() => inbox.detached.includes(name), 5_000);
      expect(inbox.detached).toEqual([name]);
      await manager.consumers.add(stream, config);
      await until(attached, 5_000);
    }
  }, 60_000);

  it('reattaches after its durable is deleted and created again between two checks', async () => {
    const { config } = await manager.consumers.info(STREAM, DURABLE);
    await manager.consumers.delete(STREAM, DURABLE);
    await manager.consumers.add(STREAM, config);
    await arrives(5_000);
  });

  it('reattaches after its stream is deleted, and applies later events', async () => {
    await manager.streams.delete(STREAM);
    await arrives(5_000);
    await until(attached, 2_000);
  });

  it('reattaches after a restart of the server', async () => {
    await nats.kill();
    await until(() => inbox.detached.length > 0, 10_000);
    await nats.start();
    await arrives(10_000);
    await until(attached, 2_000);
  });

  it('reattaches after a restart of the server with its store lost', async () => {
    await nats.kill();
    await nats.wipe();
    await nats.start();
    await arrives(10_000);
    await until(attached, 2_000);
  });

  it('is not ready while the server is frozen, and reattaches afterwards', async () => {
    nats.freeze();
    await until(() => inbox.detached.length > 0, 10_000);
    nats.thaw();
    await until(attached, 10_000);
    await arrives(5_000);
  });

  it('reattaches after its own connection is cut', async () => {
    const back = new Promise<void>((resolve) => {
      void (async () => {
        for await (const status of connection.nats.status()) if (status.type === 'reconnect') return resolve();
      })();
    });
    await connection.nats.reconnect();
    await back;
    await arrives(5_000);
  });

  it('applies the events that waited in the stream while it was away', async () => {
    await inbox.stop();
    const id = randomUUID();
    const payload = { aggregate: id, version: 1, workspace: id, key_id: id };
    await jetstream(root).publish('evt.gateway.mandate.changed', JSON.stringify(payload));
    inbox = anInbox();
    await manager.consumers.delete(STREAM, DURABLE);
    inbox.start();
    await until(() => seen.findOne({ _id: id }), 5_000);
  });
});
