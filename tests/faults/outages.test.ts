// @night: takes minutes; each part that it stops has a test of its absence beside it.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { proves } from '@cds/contracts/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Mongod, startMongod } from '../../tools/lib/stack.js';
import {
  type Answer,
  aBrand,
  anIdempotencyKey,
  ask,
  eventually,
  type Stack,
  secretOf,
  startWholeStack,
} from '../support/stack.js';

/**
 * What callers get while a part is down, and that everything resumes without help once it is back
 * (docs/reliability.md#requests-between-services, docs/reliability.md#mongodb).
 */
describe('outages', () => {
  let mongod: Mongod;
  let stack: Stack;
  let key: string;
  let campaign: Record<string, unknown>;

  const inventory = () => ask(stack, key, 'inventory', {});
  const timed = async (call: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> => {
    const started = performance.now();
    const answer = await call();
    return { answer, ms: performance.now() - started };
  };
  const isUnavailable = (answer: Answer) => {
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(answer.headers.get('x-request-id')).not.toBeNull();
  };

  beforeAll(async () => {
    const home = mkdtempSync(join(process.env['CDS_TEST_HOME'] ?? tmpdir(), 'outages-'));
    mongod = await startMongod({ home, binary: process.env['CDS_TEST_MONGOD_BIN'] ?? '' });
    stack = await startWholeStack({ mongod, creators: 200 });
    key = secretOf((await aBrand(stack)).live, 'full');
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    campaign = {
      goal: 'launch',
      product: 'Orbit',
      moment: 'It goes live',
      window_start: day(3),
      window_end: day(20),
      budget_usd: 2_000,
    };
  }, 120_000);

  afterAll(async () => {
    await stack?.stop();
    await mongod?.stop();
  }, 60_000);

  it('a service that is down is unavailable after the retries, while the others answer', async () => {
    proves('errors.503-unavailable');
    await stack.kill('catalog');
    const { answer, ms } = await timed(inventory);
    isUnavailable(answer);
    expect(ms).toBeGreaterThan(2_000);
    expect(ms).toBeLessThan(5_000);
    expect((await ask(stack, key, 'campaigns_list', {})).status).toBe(200);

    const waiting = inventory();
    await stack.restartService('catalog');
    expect([200, 503]).toContain((await waiting).status);
    expect((await inventory()).status).toBe(200);
  }, 60_000);

  it('answers at once while the bus is gone, and works after its return without a restart', async () => {
    const idempotencyKey = anIdempotencyKey();
    await stack.nats.kill();
    await eventually(inventory, () => false, 300);
    const reads: number[] = [];
    for (let index = 0; index < 20; index += 1) {
      const { answer, ms } = await timed(inventory);
      isUnavailable(answer);
      reads.push(ms);
    }
    expect(reads.sort((a, b) => a - b)[9]).toBeLessThan(50);
    isUnavailable(await ask(stack, key, 'create_campaign', campaign as never, { 'idempotency-key': idempotencyKey }));

    await stack.nats.restart();
    expect((await eventually(inventory, () => true, 15_000)).status).toBe(200);
    const made = await ask(stack, key, 'create_campaign', campaign as never, { 'idempotency-key': idempotencyKey });
    expect(made.status).toBe(201);
    const listed = (await ask(stack, key, 'campaigns_list', {})).body as { campaigns: unknown[] };
    expect(listed.campaigns).toHaveLength(1);
  }, 90_000);

  it('never reports a false success while the database is down, and works after its return without a restart', async () => {
    const idempotencyKey = anIdempotencyKey();
    await mongod.kill();
    // The inventory needs no database while the key and the time are known.
    const { answer, ms } = await timed(() => ask(stack, key, 'campaigns_list', {}));
    isUnavailable(answer);
    expect(ms).toBeLessThan(10_500);
    isUnavailable(await ask(stack, key, 'create_campaign', campaign as never, { 'idempotency-key': idempotencyKey }));

    await mongod.restart();
    expect((await eventually(inventory, () => true, 30_000)).status).toBe(200);
    const again = () => ask(stack, key, 'create_campaign', campaign as never, { 'idempotency-key': idempotencyKey });
    expect((await eventually(again, () => true, 20_000)).status).toBe(201);
    const listed = (await ask(stack, key, 'campaigns_list', {})).body as { campaigns: unknown[] };
    expect(listed.campaigns).toHaveLength(2);
  }, 120_000);

  it('keeps the deadline of a write while its service is frozen, and gives the one outcome afterwards', async () => {
    proves('idempotency.slow-503', 'idempotency.slow-retry-same-key');
    const idempotencyKey = anIdempotencyKey();
    const write = () => ask(stack, key, 'create_campaign', campaign as never, { 'idempotency-key': idempotencyKey });
    stack.services['planning']?.[0]?.pause();
    const { answer, ms } = await timed(write);
    isUnavailable(answer);
    expect(ms).toBeLessThan(25_500);
    stack.services['planning']?.[0]?.resume();
    expect((await eventually(write, () => true, 20_000)).status).toBe(201);
    const listed = (await ask(stack, key, 'campaigns_list', {})).body as { campaigns: unknown[] };
    expect(listed.campaigns).toHaveLength(3);
  }, 90_000);

  it('answers a write whose service died with it, without a retry by the caller (I05)', async () => {
    const another = secretOf((await aBrand(stack)).live, 'full');
    stack.services['planning']?.[0]?.pause();
    const sent = ask(stack, another, 'create_campaign', campaign as never, { 'idempotency-key': anIdempotencyKey() });
    // Until the frozen process has been given the request.
    await delay(2_000);
    await stack.kill('planning');
    await stack.restartService('planning');
    expect((await sent).status).toBe(201);
  }, 90_000);

  it('answers a clock advance whose service died with a call in it, without a retry by the caller', async () => {
    const sandbox = secretOf((await aBrand(stack)).sandbox, 'full');
    stack.services['metrics']?.[0]?.pause();
    const sent = ask(stack, sandbox, 'sandbox_clock_advance', { seconds: 60 } as never, {
      'idempotency-key': anIdempotencyKey(),
    });
    // Until the frozen process has been given the call.
    await delay(2_000);
    await stack.kill('metrics');
    // Until the bus client has made both tries of a read.
    await delay(3_000);
    await stack.restartService('metrics');
    expect(await sent).toMatchObject({ status: 200, body: { offset_seconds: 60 } });
  }, 90_000);
});
