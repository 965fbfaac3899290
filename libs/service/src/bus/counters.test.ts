import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { StreamInfo } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { TestNats } from '../testing/nats.js';
import { until } from '../testing/until.js';
import { BusConnection } from './connection.js';
import { Counters } from './counters.js';
import { RequestMux } from './mux.js';
import { apiOf, declareWindows } from './topology.js';

const SUBJECT = 'win.a-key.1';
const silent = pino({ level: 'silent' });

/** docs/reliability.md#authentication */
describe('counters on a stream', () => {
  let nats: TestNats;
  let root: NatsConnection;
  let connection: BusConnection;
  let counters: Counters;

  beforeAll(async () => {
    nats = await TestNats.start();
  });
  afterAll(() => nats.stop());
  beforeEach(async () => {
    root = await connect({ servers: nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    await declare();
    connection = await BusConnection.open('gateway', { url: nats.url, user: '', password: '' }, silent);
    counters = new Counters(connection, new RequestMux(connection));
  });
  afterEach(async () => {
    await connection.close();
    await lose();
    await root.close();
  });

  /** As `bus-admin`, which knows the stream that it found before. */
  const declare = async (former?: string) => {
    const known = former === undefined ? [] : [{ config: { name: former } } as StreamInfo];
    return (await declareWindows(await apiOf(root), 1, known)).info.config.name;
  };
  const lose = async () => {
    const { streams } = await apiOf(root);
    for await (const name of streams.names()) await streams.delete(name);
  };
  const add = (by = 1) => counters.add(SUBJECT, by, 1_000);
  /** Adds until the stream answers again. */
  const next = async () => {
    let counted: Awaited<ReturnType<typeof add>> | undefined;
    await until(async () => {
      counted = await add().catch(() => undefined);
      return counted !== undefined;
    }, 10_000);
    return counted;
  };

  it('answer each increment with the exact total, in one era', async () => {
    const counted = await Promise.all(Array.from({ length: 200 }, () => add()));
    expect(counted.map(({ total }) => total).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 200 }, (_none, index) => index + 1),
    );
    expect(await add(1_000)).toMatchObject({ total: 1_200 });
    expect(new Set(counted.map(({ era }) => era)).size).toBe(1);
  });

  it('keep their totals when the server is killed and started, in another era', async () => {
    const { era } = await add(7);
    // What is written without waiting for the disk is written within moments.
    await until(async () => (await (await apiOf(root)).streams.info(await declare())).state.messages > 0, 5_000);
    await nats.kill();
    await nats.start();
    const counted = await next();
    expect(counted?.total).toBeGreaterThanOrEqual(1);
    expect(counted?.era).toBeGreaterThan(era);
  });

  it('begin again in another era when the stream is lost, and raise a 503 until the next is there', async () => {
    const name = await declare();
    const { era } = await add();
    await lose();
    await expect(add()).rejects.toMatchObject({ code: 'unavailable', details: { retry_after: 1 } });
    expect(await declare(name)).not.toBe(name);
    const counted = await add();
    expect(counted.total).toBe(1);
    expect(counted.era).toBeGreaterThan(era);
  });

  it('begin another era when the sequence of the stream went backwards', async () => {
    const { streams } = await apiOf(root);
    const { config } = await streams.info(await declare());
    const { era } = await add();
    await streams.delete(config.name);
    await streams.add(config);
    expect(await add()).toEqual({ total: 1, era: era + 1 });
  });

  it('begin another era when it is not known whether an increment was counted', async () => {
    const { era } = await add();
    nats.freeze();
    await expect(counters.add(SUBJECT, 1, 50)).rejects.toMatchObject({ code: 'unavailable' });
    nats.thaw();
    const counted = await next();
    expect(counted?.total).toBeGreaterThanOrEqual(2);
    expect(counted?.era).toBeGreaterThan(era);
  });

  it('are declared once', async () => {
    expect(await declare()).toBe(await declare());
  });
});
