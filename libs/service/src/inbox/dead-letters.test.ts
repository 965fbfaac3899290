// @isolated: counters are made once per process.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { unavailable } from '@cds/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { mongo } from 'mongoose';
import { pino } from 'pino';
import { BusConnection } from '../bus/connection.js';
import { LostRace } from '../store/lost-race.js';
import { startTelemetry, type Telemetry } from '../telemetry/telemetry.js';
import { TestNats } from '../testing/nats.js';
import { testStore } from '../testing/store.js';
import { until } from '../testing/until.js';
import { consumerOf } from './consumer.js';
import type { DeadLetter } from './dead-letters.js';
import { Inbox } from './inbox.js';

type Logged = { alarm?: string; subject?: string; level: number };

/** Which events are set aside, and which never are (docs/reliability.md#events, docs/domain/operators.md#operators). */
describe('dead letters', () => {
  let nats: TestNats;
  let root: NatsConnection;
  let test: Awaited<ReturnType<typeof testStore>>;
  let inboxes: { inbox: Inbox; connection: BusConnection }[] = [];
  let telemetry: Telemetry;
  let metrics: Server;
  let calls: string[] = [];
  let failWith: ((id: string) => unknown) | null = null;
  let logged: Logged[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(JSON.parse(line) as Logged) });

  /** A replica of billing whose consumer of mandates behaves as the test says; two failures are retried at once. */
  const replica = async (): Promise<Inbox> => {
    const connection = await BusConnection.open('billing', { url: nats.url, user: '', password: '' }, log);
    const consumers = [
      consumerOf({
        event: 'mandate.changed',
        apply: async (_tx, { aggregate }) => {
          calls.push(aggregate);
          const error = failWith?.(aggregate);
          if (error !== undefined && error !== null) throw error;
        },
      }),
      consumerOf({ event: 'clock.set', project: async () => undefined }),
    ];
    const inbox = new Inbox('billing', connection, test.store, consumers, log, [10, 10]);
    inboxes.push({ inbox, connection });
    return inbox;
  };
  const publish = async (subject: string, payload: object | string): Promise<void> => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    await jetstream(root).publish(subject, text, { msgID: randomUUID() });
  };
  const aMandate = (id: string) => ({ aggregate: id, version: 1, workspace: id, key_id: id });
  const letters = () => test.store.db.collection<DeadLetter>('dead_letters');
  const callsOf = (id: string) => calls.filter((one) => one === id).length;

  const counted = async (): Promise<number> => {
    const { port } = metrics.address() as { port: number };
    const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    return Number(/^cds_dead_letters\S* (\d+)/m.exec(text)?.[1] ?? 0);
  };

  beforeAll(async () => {
    telemetry = await startTelemetry('billing', { endpoint: '', sample: 0, auto: false });
    metrics = createServer(telemetry.metrics).listen(0, '127.0.0.1');
    await once(metrics, 'listening');
    nats = await TestNats.start();
    await nats.declare();
    root = await connect({ servers: nats.url });
    test = await testStore('dead_letters');
    await replica();
    await test.store.migrate();
  });
  beforeEach(() => {
    calls = [];
    logged = [];
    failWith = null;
  });
  afterEach(async () => {
    for (const { inbox, connection } of inboxes) {
      await inbox.stop();
      await connection.close();
    }
    inboxes = [];
  });
  afterAll(async () => {
    await root.close();
    await test.drop();
    await nats.stop();
    metrics.close();
    await telemetry.stop();
  });

  it('receive an event whose handler keeps failing, raise an alarm, and delay no other event', async () => {
    const [bad, good] = [randomUUID(), randomUUID()];
    failWith = (id) => (id === bad ? new Error('no such thing') : null);
    (await replica()).start();
    await publish('evt.gateway.mandate.changed', aMandate(bad));
    await until(() => callsOf(bad) > 0);
    await publish('evt.gateway.mandate.changed', aMandate(good));
    const letter = await until(() => letters().findOne({ text: { $regex: bad } }));
    expect(letter).toMatchObject({
      producer: 'gateway',
      subject: 'evt.gateway.mandate.changed',
      reason: 'failed',
      error: 'Error: no such thing',
      attempts: 3,
      state: 'parked',
    });
    expect(callsOf(bad)).toBe(3);
    await until(() => callsOf(good) === 1);
    const alarms = () => logged.filter((line) => line.alarm === 'dead_letter');
    await until(() => alarms().length > 0);
    expect(alarms()).toMatchObject([{ level: 50, subject: 'evt.gateway.mandate.changed' }]);
  });

  it('are counted once each on /metrics', async () => {
    const before = await counted();
    const bad: string[] = [randomUUID(), randomUUID()];
    failWith = (id) => (bad.includes(id) ? new Error('no such thing') : null);
    for (const inbox of [await replica(), await replica()]) inbox.start();
    for (const id of bad) await publish('evt.gateway.mandate.changed', aMandate(id));
    await until(() => logged.filter((line) => line.alarm === 'dead_letter').length === 2);
    expect((await counted()) - before).toBe(2);
  });

  it('receive an event after its last try, counted across replicas', async () => {
    const bad = randomUUID();
    failWith = (id) => (id === bad ? new Error('no such thing') : null);
    for (const inbox of [await replica(), await replica()]) inbox.start();
    await publish('evt.gateway.mandate.changed', aMandate(bad));
    expect(await until(() => letters().findOne({ text: { $regex: bad } }))).toMatchObject({ attempts: 3 });
    expect(callsOf(bad)).toBe(3);
  });

  it('never receive an event because of what passes, however often it is redelivered', async () => {
    const passing = new Map<string, () => unknown>([
      [randomUUID(), () => new mongo.MongoServerSelectionError('no primary', {} as never)],
      [randomUUID(), () => unavailable('down')],
      [randomUUID(), () => Object.assign(new Error('over'), { name: 'TimeoutError' })],
      [randomUUID(), () => new Error('wrapped', { cause: unavailable('down') })],
      [randomUUID(), () => new LostRace('mandate')],
    ]);
    failWith = (id) => (callsOf(id) <= 4 ? passing.get(id)?.() : null);
    (await replica()).start();
    for (const id of passing.keys()) await publish('evt.gateway.mandate.changed', aMandate(id));
    for (const id of passing.keys()) {
      await until(() => callsOf(id) === 5);
      expect(await letters().findOne({ text: { $regex: id } })).toBeNull();
    }
  }, 30_000);

  it('receive an event after its handler failed three times, however often an outage returned it', async () => {
    const id = randomUUID();
    failWith = (one) => {
      if (one !== id) return null;
      return callsOf(id) <= 4 ? unavailable('down') : new Error('no such thing');
    };
    (await replica()).start();
    await publish('evt.gateway.mandate.changed', aMandate(id));
    expect(await until(() => letters().findOne({ text: { $regex: id } }), 20_000)).toMatchObject({ attempts: 3 });
    expect(callsOf(id)).toBe(7);
  }, 30_000);

  it('keep an event of an unknown kind and a malformed payload', async () => {
    const id = randomUUID();
    (await replica()).start();
    await publish('evt.gateway.mandate.split', { ...aMandate(id), half: 2 });
    await publish('evt.gateway.mandate.changed', { ...aMandate(id), key_id: 'no uuid' });
    await publish('evt.gateway.clock.set', `{"${id}`);
    expect(await until(() => letters().findOne({ subject: 'evt.gateway.mandate.split' }))).toMatchObject({
      reason: 'unknown',
      state: 'parked',
      text: JSON.stringify({ ...aMandate(id), half: 2 }),
    });
    expect(
      await until(() => letters().findOne({ subject: 'evt.gateway.mandate.changed', reason: 'malformed' })),
    ).toMatchObject({ error: expect.stringContaining('key_id') });
    expect(await until(() => letters().findOne({ subject: 'evt.gateway.clock.set' }))).toMatchObject({
      reason: 'malformed',
      text: `{"${id}`,
    });
    expect(calls).toEqual([]);
  });

  it('are applied automatically once a version that can read them starts', async () => {
    const [id, failed] = [randomUUID(), randomUUID()];
    const newer = await replica();
    const of = { producer: 'gateway', subject: 'evt.gateway.mandate.changed', error: 'of an older version' } as const;
    const at = new Date();
    // Left by a version that did not know mandates.
    await newer.letters.park(
      { ...of, fact: id, text: JSON.stringify(aMandate(id)), reason: 'unknown', attempts: 0 },
      at,
    );
    await newer.letters.park(
      { ...of, fact: failed, text: JSON.stringify(aMandate(failed)), reason: 'failed', attempts: 3 },
      at,
    );
    newer.start();
    expect(await until(() => letters().findOne({ fact: id, state: 'applied' }))).toMatchObject({ reason: 'unknown' });
    expect(callsOf(id)).toBe(1);
    expect(await letters().findOne({ fact: failed })).toMatchObject({ state: 'parked' });
  });

  it('are applied by a retry, and stay parked with the new error if it fails', async () => {
    const id = randomUUID();
    failWith = () => new Error('first');
    const inbox = await replica();
    inbox.start();
    await publish('evt.gateway.mandate.changed', aMandate(id));
    const letter = await until(() => letters().findOne({ text: { $regex: id } }));
    failWith = () => new Error('second');
    expect(await inbox.retries.retry(letter._id)).toMatchObject({
      state: 'parked',
      error: 'Error: second',
      attempts: 4,
    });
    failWith = null;
    expect(await inbox.retries.retry(letter._id)).toMatchObject({ state: 'applied', applied_at: expect.any(Date) });
    const before = callsOf(id);
    expect(await inbox.retries.retry(letter._id)).toMatchObject({ state: 'applied' });
    expect(callsOf(id)).toBe(before);
    expect(await inbox.retries.retry(randomUUID())).toBeNull();
  });

  it('are closed for good, unless a retry applies them; one that was applied stays so', async () => {
    const id = randomUUID();
    failWith = () => new Error('first');
    const inbox = await replica();
    inbox.start();
    await publish('evt.gateway.mandate.changed', aMandate(id));
    const { _id: letter } = await until(() => letters().findOne({ text: { $regex: id } }));
    const waiting = await inbox.letters.countOf('parked');
    await inbox.letters.close(letter, new Date());
    expect(await inbox.letters.byId(letter)).toMatchObject({ state: 'closed', closed_at: expect.any(Date) });
    expect(await inbox.letters.countOf('parked')).toBe(waiting - 1);
    expect(await inbox.retries.retry(letter)).toMatchObject({ state: 'closed', error: 'Error: first' });
    failWith = null;
    expect(await inbox.retries.retry(letter)).toMatchObject({ state: 'applied', closed_at: null });
    await inbox.letters.close(letter, new Date());
    expect(await inbox.letters.byId(letter)).toMatchObject({ state: 'applied' });
  });

  it('keep the same error text when a retry finds the payload still malformed', async () => {
    const id = randomUUID();
    const inbox = await replica();
    inbox.start();
    await publish('evt.gateway.mandate.changed', { ...aMandate(id), key_id: 'not a uuid' });
    const letter = await until(() => letters().findOne({ text: { $regex: id } }));
    expect(await inbox.retries.retry(letter._id)).toMatchObject({ state: 'parked', error: letter.error, attempts: 1 });
  });

  it.each([
    ['another service is unavailable', () => unavailable('down')],
    ['another process changed the document first', () => new LostRace('mandate')],
  ])('make a retry unavailable, and count no attempt, while %s', async (_why, error) => {
    const id = randomUUID();
    const inbox = await replica();
    const text = JSON.stringify(aMandate(id));
    const of = { producer: 'gateway', subject: 'evt.gateway.mandate.changed', error: 'x', reason: 'failed' } as const;
    await inbox.letters.park({ ...of, fact: id, text, attempts: 3 }, new Date());
    failWith = error;
    const letter = await until(() => letters().findOne({ fact: id }));
    await expect(inbox.retries.retry(letter._id)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await letters().findOne({ fact: id })).toMatchObject({ attempts: 3, state: 'parked' });
  });
});
