// @night: a bus of three servers.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BusConnection, Deadline, inTx, Outbox, Relay } from '@cds/service';
import { testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { pino } from 'pino';
import { type Nats, startNats } from '../../tools/lib/nats.js';

const AT_ONCE = 5;
const LEADER_MS = 60_000;
const STREAM = 'EVT_GATEWAY';
const log = pino({ level: 'silent' });

/**
 * The relays of two replicas, on a bus of three servers that agree on each event (docs/reliability.md#events). The one
 * that answers a move of a sandbox's clock publishes as well as the one that leads.
 */
describe('two relays on a bus of three servers', () => {
  let nats: Nats;
  let connections: BusConnection[];
  let streams: JetStreamManager['streams'];
  let store: Awaited<ReturnType<typeof testStore>>;
  let outbox: Outbox;
  let relays: Relay[];

  const add = () =>
    inTx(store.store, Deadline.in(10_000), (tx) =>
      outbox.add(
        tx,
        [
          {
            name: 'clock.set',
            payload: { aggregate: 'w1', version: 1, workspace: 'w1', offset_ms: 0, at: new Date().toISOString() },
          },
        ],
        new Date(),
      ),
    );

  beforeAll(async () => {
    const home = mkdtempSync(join(process.env['CDS_TEST_HOME'] ?? tmpdir(), 'relays-'));
    nats = await startNats({ home, binary: process.env['CDS_TEST_NATS_BIN'] ?? '', members: 3 });
    const { username: user, password } = new URL(nats.rootUrl.split(',')[0] ?? '');
    const bus = { url: nats.url, user, password: decodeURIComponent(password) };
    connections = [await BusConnection.open('gateway', bus, log), await BusConnection.open('gateway', bus, log)];
    store = await testStore('relays');
    outbox = new Outbox(store.store);
    await store.store.migrate();
    relays = connections.map((connection) => new Relay('gateway', connection, store.store, outbox, log));
    const [connection] = connections as [BusConnection, BusConnection];
    const manager = await jetstreamManager(connection.nats, { checkAPI: false });
    // The servers elect a leader first.
    for (const end = performance.now() + LEADER_MS; ; await delay(100)) {
      const account = await manager.getAccountInfo().catch(() => null);
      if (account !== null || performance.now() > end) break;
    }
    streams = manager.streams;
  }, 90_000);
  afterAll(async () => {
    await Promise.all(connections?.map((connection) => connection.close()) ?? []);
    await store?.drop();
    await nats?.stop();
  });

  it('answer that the bus is unavailable while it has no stream, and keep the events', async () => {
    await add();
    await expect(relays[0]?.flush()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await outbox.rows.countDocuments({ state: 'new' })).toBe(1);
  });

  it('publish an event that the servers have not agreed on yet, once', async () => {
    await streams.add({ name: STREAM, subjects: ['evt.gateway.>'], num_replicas: 3 });
    await Promise.all(relays.map((relay) => relay.flush()));
    expect(await outbox.rows.countDocuments({ state: 'new' })).toBe(0);
    const again = relays.flatMap((relay) =>
      Array.from({ length: AT_ONCE }, () => relay.send('evt.gateway.clock.set', {}, 'one-event')),
    );
    await Promise.all(again);
    expect((await streams.info(STREAM)).state.messages).toBe(2);
  });
});
