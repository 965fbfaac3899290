import { createSecretKey, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type OperationDeclaration, operationByName, type ServiceName, subjectOf } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from '@nats-io/transport-node';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { pino } from 'pino';
import { operationsModule } from '../process/controller.js';
import { aCtx } from '../testing/context.js';
import { TestNats } from '../testing/nats.js';
import { BusClient, type ClientOf } from './client.js';
import { BusConnection } from './connection.js';
import type { Ctx } from './context.js';
import { decodeReply, decodeRequest, encodeError, encodeOk, type PairKeys } from './envelope.js';
import { RequestMux } from './mux.js';
import { BusServer } from './server.js';

/**
 * The table of docs/reliability.md#requests-between-services, row by row, against a real nats-server that is stopped,
 * restarted and paused.
 */
const log = pino({ level: 'silent' });
const key = createSecretKey(randomBytes(32));
const to: PairKeys = new Map([['planning', key]]);
const from: PairKeys = new Map([['billing', key]]);
const IDS = { id: '7d1f9a52-0c1b-4f0e-8a77-6a1f3f0b2c11' };

type Answering = (input: Record<string, unknown>, name: string) => Promise<unknown>;
type Replica = { stop: () => Promise<void>; connection: BusConnection; handled: string[] };

describe('request and reply over the bus', () => {
  let nats: TestNats;
  let caller: BusConnection;
  let calls: ClientOf<'billing'>;
  let replicas: Replica[] = [];

  const open = (service: ServiceName) => BusConnection.open(service, { url: nats.url, user: '', password: '' }, log);

  /** A responder for planning's operations, under Nest, with a handler of the test's own. */
  const respond = async (answer: Answering, raw?: Uint8Array): Promise<Replica> => {
    const connection = await open('planning');
    const handled: string[] = [];
    const bound = new Map(
      ['campaign_known', 'plan_terms', 'plan_sign_close'].map((name) => {
        const operation = operationByName(name) as OperationDeclaration;
        return [name, { operation, run: async () => undefined }];
      }),
    );
    const module = operationsModule(bound, async (one, data) => {
      handled.push(one.operation.name);
      if (raw !== undefined) return raw;
      try {
        const { input } = decodeRequest(subjectOf(one.operation), data, 'planning', from);
        return encodeOk(await answer(input, one.operation.name), 200, false);
      } catch (error) {
        if (error instanceof AppError) return encodeError(error.body());
        return encodeError({ code: 'internal', message: 'a bug' });
      }
    });
    const server = new BusServer(connection, () => encodeError({ code: 'unavailable', message: 'busy' }));
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(module, { strategy: server, logger: false });
    await app.listen();
    const replica: Replica = {
      connection,
      handled,
      stop: async () => {
        await server.close();
        await connection.close();
      },
    };
    replicas.push(replica);
    return replica;
  };

  const known = (ctx: Ctx = aCtx({ limitMs: 2_000 })) => calls.campaign_known(ctx, IDS);
  const close = (ctx: Ctx) => calls.plan_sign_close(ctx, { signing_id: IDS.id, workspace: IDS.id });
  const code = async (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'answered',
      (error: unknown) => (error instanceof AppError ? error.code : `bug: ${String(error)}`),
    );

  beforeAll(async () => {
    nats = await TestNats.start();
    caller = await open('billing');
    calls = new BusClient(new RequestMux(caller), 'billing', to).typed<'billing'>();
  });

  afterEach(async () => {
    nats.thaw();
    await Promise.all(replicas.map((replica) => replica.stop()));
    replicas = [];
  });

  afterAll(async () => {
    await caller.close();
    await nats.stop();
  });

  it('returns a value, and an error as data with its code and details', async () => {
    await respond(async (input) => {
      if (input['id'] === IDS.id) return { campaign_id: IDS.id };
      throw new AppError('conflict', 'No.', { reason: 'archived' });
    });
    expect(await known()).toEqual({ campaign_id: IDS.id });
    await expect(calls.campaign_known(aCtx(), { id: 'other' })).rejects.toMatchObject({
      code: 'conflict',
      details: { reason: 'archived' },
    });
  });

  it('ends a call at its deadline if the responder died with the request', async () => {
    const lost = new Promise<never>(() => undefined);
    const replica = await respond(() => lost);
    const call = code(close(aCtx({ limitMs: 600 })));
    await delay(100);
    await replica.connection.nats.close();
    // A call without a time-out waits for ever: it fails here rather than by the time limit of the test.
    const waiting = delay(1_500, 'still waiting', { ref: false });
    expect(await Promise.race([call, waiting])).toBe('unavailable');
    replicas = [];
  });

  it('retries an operation without a responder until one listens, even a write', async () => {
    const call = close(aCtx({ limitMs: 5_000 }));
    await delay(200);
    await respond(async () => ({ kind: 'closed' }));
    expect(await call).toMatchObject({ kind: 'closed' });
  });

  it('is unavailable after three seconds without a responder', async () => {
    const started = performance.now();
    expect(await code(close(aCtx({ limitMs: 10_000 })))).toBe('unavailable');
    expect(performance.now() - started).toBeGreaterThan(2_500);
    expect(performance.now() - started).toBeLessThan(4_500);
  });

  it('retries a read without a reply once, a write never', async () => {
    let asked = 0;
    await respond(async () => {
      asked += 1;
      return asked === 1 ? new Promise(() => undefined) : { campaign_id: IDS.id };
    });
    expect(await known(aCtx({ limitMs: 800 }))).toEqual({ campaign_id: IDS.id });

    asked = 0;
    expect(await code(close(aCtx({ limitMs: 400 })))).toBe('unavailable');
    expect(asked).toBe(1);
    await Promise.all(replicas.map((replica) => replica.connection.nats.close()));
    replicas = [];
  });

  it('sends a read once more if the replica ran out of time, not if it is busy', async () => {
    let asked = 0;
    await respond(async () => {
      asked += 1;
      if (asked > 1) return { campaign_id: IDS.id };
      await delay(985);
      throw new AppError('unavailable', 'The request took too long.');
    });
    expect(await known(aCtx({ limitMs: 2_000 }))).toEqual({ campaign_id: IDS.id });
    await replicas.pop()?.stop();

    asked = 0;
    await respond(async () => {
      asked += 1;
      throw new AppError('unavailable', 'busy');
    });
    expect(await code(known(aCtx({ limitMs: 2_000 })))).toBe('unavailable');
    expect(asked).toBe(1);
  });

  it('gives each request to one replica of the queue group', async () => {
    const two = [
      await respond(async () => ({ campaign_id: IDS.id })),
      await respond(async () => ({ campaign_id: IDS.id })),
    ];
    await Promise.all(Array.from({ length: 60 }, () => known()));
    const shares = two.map((replica) => replica.handled.length);
    expect((shares[0] ?? 0) + (shares[1] ?? 0)).toBe(60);
    expect(Math.min(...shares)).toBeGreaterThan(0);
  });

  it('fails at once while nats-server is down, and recovers without a restart', async () => {
    proves('errors.503-unavailable');
    await respond(async () => ({ campaign_id: IDS.id }));
    await nats.kill();
    while (caller.up) await delay(5);

    let answer: string | undefined;
    void code(known()).then((one) => {
      answer = one;
    });
    // One turn of the event loop: it waits for no timer and no socket.
    await new Promise(setImmediate);
    expect(answer).toBe('unavailable');

    await nats.start();
    while (!caller.up) await delay(10);
    expect(await known(aCtx({ limitMs: 5_000 }))).toEqual({ campaign_id: IDS.id });
  });

  it('fails pending calls at once when the connection is lost, with an unknown outcome', async () => {
    await respond(() => new Promise(() => undefined));
    const call = code(close(aCtx({ limitMs: 10_000 })));
    await delay(50);
    const started = performance.now();
    await nats.kill();
    expect(await call).toBe('unavailable');
    expect(performance.now() - started).toBeLessThan(1_000);
    await nats.start();
    while (!caller.up) await delay(10);
    await Promise.all(replicas.map((replica) => replica.connection.nats.close()));
    replicas = [];
  });

  it('keeps the deadline while nats-server is frozen, and works after it thaws', async () => {
    await respond(async () => ({ campaign_id: IDS.id }));
    nats.freeze();
    const started = performance.now();
    expect(await code(known(aCtx({ limitMs: 700 })))).toBe('unavailable');
    expect(performance.now() - started).toBeLessThan(1_500);
    nats.thaw();
    expect(await known(aCtx({ limitMs: 5_000 }))).toEqual({ campaign_id: IDS.id });
  });

  it('replies to every request that it received before it stops', async () => {
    const replica = await respond(async () => {
      await delay(150);
      return { campaign_id: IDS.id };
    });
    const asked = Array.from({ length: 20 }, () => known());
    await delay(50);
    await replica.stop();
    replicas = [];
    expect(await Promise.all(asked.map(code))).toEqual(Array.from({ length: 20 }, () => 'answered'));
    await expect(code(close(aCtx({ limitMs: 300 })))).resolves.toBe('unavailable');
  });

  it('treats an empty reply as a fault of the responder, not as a missing one', async () => {
    await respond(async () => undefined, new Uint8Array(0));
    expect(await code(known())).toBe('internal');
  });

  it('accepts an answer only from the callee, though every callee sees its reply subject', async () => {
    const stranger = await connect({ servers: nats.url });
    stranger.subscribe('cds.planning.campaign_known', {
      callback: (_error, { reply = '' }) => {
        stranger.publish(reply.replace('.planning.', '.catalog.'), encodeOk({ campaign_id: 'forged' }, 200, false));
        stranger.publish(reply, encodeOk({ campaign_id: IDS.id }, 200, false));
      },
    });
    await stranger.flush();
    const answered = await known().finally(() => stranger.close());
    expect(answered).toEqual({ campaign_id: IDS.id });
  });

  it('refuses a message without a signed context', async () => {
    await respond(async () => ({ campaign_id: IDS.id }));
    const other = await connect({ servers: nats.url });
    const reply = await other.request('cds.planning.campaign_known', '{"id":"x"}', { timeout: 1_000 });
    await other.close();
    expect(decodeReply(reply.data)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  });

  it('refuses a context signed with another key', async () => {
    const otherKey: PairKeys = new Map([['planning', createSecretKey(randomBytes(32))]]);
    const strangers = new BusClient(new RequestMux(caller), 'billing', otherKey).typed<'billing'>();
    await respond(async () => ({ campaign_id: IDS.id }));
    expect(await code(strangers.campaign_known(aCtx(), IDS))).toBe('forbidden');
  });
});
