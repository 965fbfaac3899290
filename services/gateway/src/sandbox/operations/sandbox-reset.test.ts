import { SandboxReset, unavailable } from '@cds/contracts';
import { RowRunner, sweepTime } from '@cds/service';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Brand, type EdgeApp, makeBrand, startEdgeApp } from '../../test/edge-app.js';
import { ask, errorOf, freshKey, type HttpAnswer } from '../../test/http.js';
import { STEPS } from '../reset-sandbox.js';
import { unfinishedResets } from '../unfinished-resets.js';

const SERVICES = ['planning', 'billing', 'proposals', 'metrics', 'catalog'] as const;

describe('the reset of a sandbox (docs/domain/sandbox.md#reset, docs/reliability.md#sandbox-resets)', () => {
  let edge: EdgeApp;
  let brand: Brand;
  beforeAll(async () => {
    edge = await startEdgeApp('gateway_reset');
  });
  afterAll(() => edge.stop());
  beforeEach(async () => {
    brand = await makeBrand(edge);
    for (const service of SERVICES) edge.answer(`${service}_sandbox_reset`, () => ({ removed: 0, running: 0 }));
  });

  const post = (path: string, body: unknown, idempotency = freshKey(), key = brand.sandbox['full'] ?? '') =>
    ask(edge.url, `/api/sandbox${path}`, { method: 'POST', body, key, headers: { 'idempotency-key': idempotency } });
  const reset = (body: object = {}, idempotency = freshKey()): Promise<HttpAnswer> => post('/reset', body, idempotency);
  const done = (answer: HttpAnswer): SandboxReset => {
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return SandboxReset.parse(answer.json);
  };
  const isOpen = async (): Promise<boolean> => (await post('/clock/advance', { seconds: 1 })).status === 200;
  const removals = (from: number) =>
    edge.sent.slice(from).flatMap(({ name, input }) => (name.endsWith('_sandbox_reset') ? [{ name, input }] : []));
  const sweep = async (): Promise<void> => {
    const { store, log } = edge.shell;
    const now = await store.now();
    await store.db.collection('resets').updateMany({ done: false }, { $set: { until: new Date(0) } });
    await unfinishedResets(edge.deps.reset, new RowRunner(store, log)).run(sweepTime(now, new Map()), null);
  };

  test('every service removes, then everything settles, then every service ends; numbers rise, the seed stays', async () => {
    const before = edge.sent.length;
    expect(done(await reset({ seed: 7 }))).toMatchObject({ number: 1, seed: 7 });
    const calls = removals(before);
    const of = (ends: boolean) => calls.filter(({ input }) => input['ends'] === ends);
    // Once in its step and once after everything settled.
    expect(of(false).map(({ name }) => name)).toEqual(
      [...SERVICES, ...SERVICES].map((service) => `${service}_sandbox_reset`),
    );
    expect(of(true).map(({ name }) => name)).toEqual(SERVICES.map((service) => `${service}_sandbox_reset`));
    expect(calls[0]?.input).toMatchObject({ workspace: brand.workspaces.sandbox, number: 1, seed: 7 });
    expect(done(await reset())).toMatchObject({ number: 2, seed: 7 });
    expect(done(await reset({ seed: 0 }))).toMatchObject({ number: 3, seed: 0 });
  });

  test('removes again until nothing came', async () => {
    let left = 3;
    edge.answer('metrics_sandbox_reset', () => ({ removed: left > 0 ? left-- : 0, running: 0 }));
    const before = edge.sent.length;
    done(await reset());
    expect(removals(before).filter(({ name }) => name === 'billing_sandbox_reset')).toHaveLength(5);
  });

  test('waits for writes that are running in a service', async () => {
    let running = 3;
    edge.answer('planning_sandbox_reset', () => ({ removed: 0, running: running > 0 ? running-- : 0 }));
    done(await reset());
    expect(running).toBe(0);
  });

  test('ends the faults of the sandbox, for every key', async () => {
    expect((await post('/faults', { operation: 'campaigns_list', status: 503, times: 100 })).status).toBe(200);
    const list = () => ask(edge.url, '/api/v1/campaigns', { key: brand.sandbox['reader'] ?? '' });
    expect((await list()).status).toBe(503);
    done(await reset());
    expect((await list()).status).toBe(200);
  });

  test('while it runs, writes of the sandbox are 503 and reads are answered; other workspaces are not affected', async () => {
    const other = await makeBrand(edge);
    let go = (): void => undefined;
    const going = new Promise<void>((resolve) => {
      go = resolve;
    });
    let begun = (): void => undefined;
    const running = new Promise<void>((resolve) => {
      begun = resolve;
    });
    edge.answer('billing_sandbox_reset', async () => {
      begun();
      await going;
      return { removed: 0, running: 0 };
    });
    const first = reset();
    await running;

    const refused = await post('/clock/advance', { seconds: 1 });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(errorOf(refused).code).toBe('unavailable');
    expect((await ask(edge.url, '/api/v1/campaigns', { key: brand.sandbox['full'] ?? '' })).status).toBe(200);
    expect((await post('/clock/advance', { seconds: 1 }, freshKey(), other.sandbox['full'])).status).toBe(200);
    const second = await reset();
    expect([second.status, errorOf(second).code]).toEqual([503, 'unavailable']);
    go();
    done(await first);
    expect(await isOpen()).toBe(true);
  });

  describe.each(STEPS.map((step) => [step] as const))('stopped after the step %s', (step) => {
    test('the sweep continues, and the same key gets the one outcome', async () => {
      const key = freshKey();
      edge.shell.failpoints.arm(`reset.${step}=error`);
      expect((await reset({ seed: 9 }, key)).status).toBe(500);
      expect(await isOpen()).toBe(step === 'open');

      await sweep();
      expect(await isOpen()).toBe(true);
      const before = edge.sent.length;
      expect(done(await reset({ seed: 9 }, key))).toMatchObject({ number: 1, seed: 9 });
      expect(removals(before)).toEqual([]);
    });

    test('the same key continues', async () => {
      const key = freshKey();
      edge.shell.failpoints.arm(`reset.${step}=error`);
      expect((await reset({}, key)).status).toBe(500);
      expect(done(await reset({}, key))).toMatchObject({ number: 1, seed: 1 });
      expect(await isOpen()).toBe(true);
    });
  });

  test('a service that does not answer is 503, and the sandbox stays closed until the reset is done', async () => {
    edge.answer('metrics_sandbox_reset', () => {
      throw unavailable('metrics');
    });
    const key = freshKey();
    expect((await reset({}, key)).status).toBe(503);
    expect(await isOpen()).toBe(false);
    edge.answer('metrics_sandbox_reset', () => ({ removed: 0, running: 0 }));
    done(await reset({}, key));
    expect(await isOpen()).toBe(true);
  });

  test('two runners at once open the sandbox once, and end it at one instant', async () => {
    const key = freshKey();
    edge.shell.failpoints.arm('reset.settle=error');
    expect((await reset({}, key)).status).toBe(500);
    const before = edge.sent.length;
    const [, answer] = await Promise.all([sweep(), reset({}, key)]);
    done(answer);
    const ends = removals(before).filter(({ input }) => input['ends'] === true);
    expect(new Set(ends.map(({ input }) => input['at'])).size).toBe(1);
    const { db } = edge.shell.store;
    expect(await db.collection<{ _id: string }>('workspaces').findOne({ _id: brand.workspaces.sandbox })).toMatchObject(
      { sandbox_state: { version: 2, resetting: false } },
    );
  });

  test('a live workspace is 403, an invalid seed 422', async () => {
    const live = await post('/reset', {}, freshKey(), brand.live['full']);
    expect([live.status, errorOf(live).code]).toEqual([403, 'forbidden']);
    const wrong = await reset({ seed: -1 });
    expect([wrong.status, errorOf(wrong).fields]).toEqual([422, ['seed']]);
  });
});
