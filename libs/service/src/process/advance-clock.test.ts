import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { BusConnection } from '../bus/connection.js';
import { Clocks } from '../clock/clocks.js';
import { Deadline } from '../deadline/deadline.js';
import { consumerOf } from '../inbox/consumer.js';
import { Inbox } from '../inbox/inbox.js';
import { Outbox } from '../outbox/outbox.js';
import { Relay } from '../outbox/relay.js';
import { TestNats } from '../testing/nats.js';
import { testStore } from '../testing/store.js';
import { clockAdvancer } from './advance-clock.js';

const log = pino({ level: 'silent' });
/** Shorter than what the advance would wait for events, so that a test of a late event ends soon. */
const WAIT_MS = 600;

/** What an advance of a sandbox clock in one replica knows of the others (ADR 0009). */
describe('an advance of a sandbox clock', () => {
  let nats: TestNats;
  let root: NatsConnection;
  let test: Awaited<ReturnType<typeof testStore>>;
  const running: { inbox: Inbox; connection: BusConnection }[] = [];
  let handling: (() => void) | undefined;
  let release: () => void = () => undefined;

  beforeAll(async () => {
    nats = await TestNats.start();
    await nats.declare();
    root = await connect({ servers: nats.url });
    test = await testStore('advance_clock');
  });
  afterAll(async () => {
    release();
    for (const { inbox, connection } of running) {
      await inbox.stop();
      await connection.close();
    }
    await root.close();
    await test.drop();
    await nats.stop();
  });

  /** A replica of billing that keeps an event until it is released. */
  const aReplica = async () => {
    const connection = await BusConnection.open('billing', { url: nats.url, user: '', password: '' }, log);
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const consumers = [
      consumerOf({
        event: 'mandate.changed',
        project: async () => {
          handling?.();
          await released;
        },
      }),
      consumerOf({ event: 'clock.set', project: async () => undefined }),
    ];
    const inbox = new Inbox('billing', connection, test.store, consumers, log);
    running.push({ inbox, connection });
    const outbox = new Outbox(test.store);
    const relay = new Relay('billing', connection, test.store, outbox, log);
    const shell = { clocks: new Clocks(test.store), outbox, log } as unknown as Parameters<typeof clockAdvancer>[0];
    return { inbox, advance: () => clockAdvancer(shell, relay, { inbox })(randomUUID(), 1_000, Deadline.in(WAIT_MS)) };
  };

  it('is behind while another replica applies an event, and no longer afterwards', async () => {
    const [idle, busy] = [await aReplica(), await aReplica()];
    await test.store.migrate();
    const applying = new Promise<void>((resolve) => {
      handling = resolve;
    });
    // Only one replica runs, so it is the one that gets the event.
    busy.inbox.start();
    const id = randomUUID();
    const payload = { aggregate: id, version: 1, workspace: id, key_id: id };
    await jetstream(root).publish('evt.gateway.mandate.changed', JSON.stringify(payload));
    await applying;

    for (const replica of [idle, busy]) expect(await replica.advance()).toMatchObject({ handled: 0, behind: true });
    release();
    expect(await idle.advance()).toMatchObject({ handled: 0, behind: false });
  });
});
