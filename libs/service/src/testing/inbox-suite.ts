import type { ServiceName } from '@cds/contracts';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import { pino } from 'pino';
import { BusConnection } from '../bus/connection.js';
import type { Consumer } from '../inbox/consumer.js';
import { Inbox } from '../inbox/inbox.js';
import type { Collection } from '../store/collection.js';
import type { Tx } from '../store/in-tx.js';
import type { Store } from '../store/store.js';
import { eventStream } from './event-stream.js';
import { TestNats } from './nats.js';
import { testStore } from './store.js';

const log = pino({ level: 'silent' });

/** A follower of one producer, on a stream of each test's own, and how often it applied what. */
export class InboxSuite {
  js!: JetStreamClient;
  stream!: ReturnType<typeof eventStream>;
  store!: Store;
  inbox!: Inbox;
  private applied!: Collection<{ _id: string; times: number }>;
  private connection!: BusConnection;

  constructor(
    producer: ServiceName,
    private readonly service: ServiceName,
    private readonly consumer: (suite: InboxSuite) => Consumer,
  ) {
    let end: () => Promise<void>;
    beforeAll(async () => {
      const nats = await TestNats.start();
      this.connection = await BusConnection.open(service, { url: nats.url, user: '', password: '' }, log);
      this.js = jetstream(this.connection.nats, { checkAPI: false });
      this.stream = eventStream(this.js, producer, service);
      const { store, drop } = await testStore('inbox');
      this.store = store;
      this.applied = store.collection({ name: 'applied' });
      this.renew();
      await store.migrate();
      end = async () => {
        await this.connection.close();
        await drop();
        await nats.stop();
      };
    });
    beforeEach(async () => {
      await this.stream.make();
      this.renew();
    });
    afterEach(async () => {
      await this.inbox.stop();
      await this.stream.drop();
    });
    afterAll(() => end());
  }

  /** As the service starts again; `inbox.start` lets it read. */
  renew(): void {
    this.inbox = new Inbox(this.service, this.connection, this.store, [this.consumer(this)], log, [10, 10, 10]);
  }

  async count(tx: Tx, aggregate: string): Promise<void> {
    await this.applied.updateOne({ _id: aggregate }, { $inc: { times: 1 } }, { ...tx.options(), upsert: true });
  }

  async timesOf(events: readonly { payload: { aggregate: string } }[]): Promise<number[]> {
    const rows = await this.applied.find({}).toArray();
    return events.map(({ payload }) => rows.find(({ _id }) => _id === payload.aggregate)?.times ?? 0);
  }
}
