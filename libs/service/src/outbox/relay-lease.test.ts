import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { BusConnection } from '../bus/connection.js';
import { Deadline } from '../deadline/deadline.js';
import { Outbox, Relay } from '../index.js';
import type { Collection } from '../store/collection.js';
import { TestNats } from '../testing/nats.js';
import { testStore } from '../testing/store.js';

type Lease = { _id: string; owner: string; until: Date; fence: number };

const log = pino({ level: 'silent' });

/** The lease of a service's relay ends only by its owner or by its expiry (docs/reliability.md#events). */
describe('the lease of a relay', () => {
  let nats: TestNats;
  let connection: BusConnection;
  let test: Awaited<ReturnType<typeof testStore>>;
  let leases: Collection<Lease>;
  const relays: Relay[] = [];

  const aRelay = async (): Promise<Relay> => {
    const relay = new Relay('gateway', connection, test.store, new Outbox(test.store), log);
    relays.push(relay);
    relay.start();
    return relay;
  };
  const rowIs = async (good: (row: Lease | null) => boolean): Promise<Lease | null> => {
    const deadline = Deadline.in(10_000);
    for (;;) {
      const row = await leases.findOne({ _id: 'relay' });
      if (good(row)) return row;
      if (deadline.remainingMs() === 0) throw new Error(`the lease is ${JSON.stringify(row)}`);
    }
  };
  /** Another replica holds the lease for a minute. */
  const takeOver = () =>
    leases.updateOne({ _id: 'relay' }, [{ $set: { owner: 'another', until: { $add: ['$$NOW', 60_000] } } }], {
      upsert: true,
    });

  beforeAll(async () => {
    nats = await TestNats.start();
    connection = await BusConnection.open('gateway', { url: nats.url, user: '', password: '' }, log);
    test = await testStore('relay_lease');
    leases = test.store.db.collection<Lease>('leases');
    new Outbox(test.store);
    await test.store.migrate();
  });
  beforeEach(() => leases.deleteMany({}));
  afterEach(async () => {
    for (const relay of relays.splice(0)) await relay.stop();
  });
  afterAll(async () => {
    await connection.close();
    await test.drop();
    await nats.stop();
  });

  it('is released when its owner stops, and keeps its fence', async () => {
    const relay = await aRelay();
    const { fence } = (await rowIs((row) => row !== null)) ?? { fence: 0 };
    await relay.stop();
    expect(await leases.findOne({ _id: 'relay' })).toEqual({ _id: 'relay', owner: '', until: new Date(0), fence });
  });

  it('stays with the new owner when the previous one stops', async () => {
    const relay = await aRelay();
    await rowIs((row) => row !== null);
    await takeOver();
    await relay.stop();
    expect(await leases.findOne({ _id: 'relay' })).toMatchObject({ owner: 'another' });
  });

  it('stays with its owner when another relay stops', async () => {
    await takeOver();
    const relay = await aRelay();
    await relay.stop();
    expect(await leases.findOne({ _id: 'relay' })).toMatchObject({ owner: 'another' });
  });

  it('is not renewed by a relay that has lost it', async () => {
    await aRelay();
    const { fence } = (await rowIs((row) => row !== null)) ?? { fence: 0 };
    await takeOver();
    const { until } = (await leases.findOne({ _id: 'relay' })) ?? { until: null };
    const next = await aRelay();
    await next.stop();
    expect(await leases.findOne({ _id: 'relay' })).toEqual({ _id: 'relay', owner: 'another', until, fence });
  });

  it('passes to the other relay when its owner stops', async () => {
    const first = await aRelay();
    const held = await rowIs((row) => row !== null);
    await aRelay();
    await first.stop();
    const next = await rowIs((row) => row !== null && row.owner !== '' && row.owner !== held?.owner);
    expect(next?.fence).toBe((held?.fence ?? 0) + 1);
  });
});
