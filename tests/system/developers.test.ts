// @night: builds and packs the SDK and the command line, which have tests beside them.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, type CreatorSummary, createClient, isErrorOf, type Quote } from '@cds/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aBrand, type SharedStack, secretOf, sharedStack } from '../support/stack.js';

const CLI = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'dist', 'main.js');
const DAY_S = 86_400;
/** A sandbox's clock that moves far on a busy machine takes several attempts. */
const PATIENT = { totalMs: 150_000, attempts: 30 };

const dayAfter = (instant: string, days: number): string =>
  new Date(Date.parse(instant) + days * DAY_S * 1_000).toISOString().slice(0, 10);

/** Units on sale of creators who are not on the plan, cheapest first. */
const unitsBeside = (plan: Quote, creators: readonly CreatorSummary[]): string[] => {
  const onPlan = new Set(plan.lines.map(({ creator_id }) => creator_id));
  return creators
    .filter(({ id }) => !onPlan.has(id))
    .flatMap(({ offerings }) => offerings.filter(({ buyable }) => buyable).slice(0, 1))
    .map(({ unit_id }) => unit_id);
};

const dearest = ({ lines }: Quote): string =>
  [...lines].sort((one, other) => other.price_cents - one.price_cents)[0]?.id ?? '';

/** The main job of a brand as its developers do it (docs/guides/sdk.md), by the SDK and by the built command line. */
describe('a developer', () => {
  let stack: SharedStack;
  beforeAll(async () => {
    stack = await sharedStack();
  }, 120_000);

  describe('with the SDK', () => {
    let key: string;
    let client: Client;
    beforeAll(async () => {
      key = secretOf((await aBrand(stack)).sandbox, 'full');
      client = createClient({ url: stack.appUrl, key, retry: PATIENT });
    }, 60_000);

    it('goes from coverage to results', async () => {
      const { now } = await client.sandboxClock();
      expect((await client.inventory()).segments.length).toBeGreaterThan(0);
      const { creators } = await client.creatorsSearch({ sort: 'price', dir: 'asc', price_min: 1, limit: 10 });

      const brief = {
        goal: 'launch',
        product: 'Orbit, an AI pair for founders',
        moment: 'Orbit goes live on the first day of the window',
        window_start: dayAfter(now, 3),
        window_end: dayAfter(now, 24),
        budget_usd: 6_000,
      } as const;
      const sent = { idempotencyKey: 'orbit-by-the-sdk' };
      const started = await client.call('create_campaign', brief, sent);
      const again = await client.call('create_campaign', brief, sent);
      expect(started).toMatchObject({ status: 201, replayed: false, rate: { limit: 60 }, ...sent });
      expect(again).toMatchObject({ status: 201, replayed: true, value: { id: started.value.id } });
      const { plan } = started.value;
      if (plan === null) throw new Error('no plan was built');

      const edit = { id: plan.plan_id };
      const [first = '', second = ''] = unitsBeside(plan, creators);
      const { line_id } = await client.planSwapCreator({ ...edit, line_id: dearest(plan), unit_id: first });
      await client.planRemoveCreator({ ...edit, line_id });
      await client.planAddCreator({ ...edit, unit_id: second });
      const moved = await client.planMoveDates({ ...edit, start: dayAfter(now, 4), end: dayAfter(now, 25) });
      expect(moved.plan.policy.allowed).toBe(true);

      const stale = await client
        .approvePlan({ ...edit, terms_fingerprint: plan.terms_fingerprint })
        .catch((error: unknown) => error);
      expect(isErrorOf(stale, 'approve_plan') && stale.code === 'conflict' && stale.details.reason).toBe(
        'terms_changed',
      );
      const { terms_fingerprint, total_cents } = moved.plan;
      const signed = await client.approvePlan({ ...edit, terms_fingerprint, expected_total_cents: total_cents });

      const paid = await client.sandboxOrderPayment({ id: signed.order_id });
      expect(paid).toMatchObject({ payment_state: 'paid', total_cents });
      for (const days of [2, 30, 12]) await client.sandboxClockAdvance({ seconds: days * DAY_S });
      const { items } = await client.evidenceList({ campaign_id: started.value.id });
      expect(items.length).toBeGreaterThan(0);
      const results = await client.resultsList({ campaign_id: started.value.id });
      expect(results.items.some(({ latest }) => (latest?.views ?? 0) > 0)).toBe(true);

      const orders: string[] = [];
      for await (const { id } of client.each.ordersList({ limit: 1 })) orders.push(id);
      expect(orders).toEqual([signed.order_id]);
      const versions: number[] = [];
      for await (const { version } of client.each.planHistory(edit)) versions.push(version);
      expect(versions.at(-1)).toBe(1);
    }, 180_000);

    it('gets refusals with their codes and a request id', async () => {
      const id = '00000000-0000-4000-8000-000000000000';
      const refused = await client.planQuote({ id }, { requestId: 'developers-1' }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'not_found', status: 404, requestId: 'developers-1', attempts: 1 });
    });

    it('simulates an outage: a fault that is armed twice costs two attempts', async () => {
      await client.sandboxFaultArm({ operation: 'inventory', status: 503, times: 2 });
      const failed: number[] = [];
      await createClient({ url: stack.appUrl, key, onRetry: ({ attempt }) => failed.push(attempt) }).inventory();
      expect(failed).toEqual([1, 2]);
    }, 60_000);
  });

  describe('with the command line', () => {
    let home: string;
    let key: string;
    beforeAll(async () => {
      home = await mkdtemp(join(tmpdir(), 'cds-cli-'));
      key = secretOf((await aBrand(stack)).sandbox, 'full');
    }, 60_000);
    afterAll(() => rm(home, { recursive: true, force: true }));

    /** Runs the built command with nothing of this process's environment, and `input` on its standard input. */
    const cds = (args: readonly string[], input = ''): Promise<{ code: number; out: string; err: string }> =>
      new Promise((resolve) => {
        const env = { PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: home, CDS_URL: stack.appUrl };
        const child = execFile(process.execPath, [CLI, ...args], { env, maxBuffer: 1 << 24 }, (error, out, err) =>
          resolve({ code: error === null ? 0 : Number(error.code), out, err }),
        );
        child.stdin?.end(input);
      });
    const json = async <T>(...args: readonly string[]): Promise<T> => {
      const { code, out, err } = await cds([...args, '--json']);
      if (code !== 0) throw new Error(`cds ${args.join(' ')} ended with ${code}: ${err}`);
      return JSON.parse(out) as T;
    };

    it('logs in with a key that the service knows, and keeps it to its owner', async () => {
      expect(await cds(['inventory'])).toMatchObject({ code: 3 });
      expect(await cds(['login', '--key-stdin'], `${key.slice(0, -1)}_`)).toMatchObject({ code: 2 });
      const unknown = `${key.slice(0, 30)}${key[30] === 'a' ? 'b' : 'a'}${key.slice(31)}`;
      expect(await cds(['login', '--key-stdin'], unknown)).toMatchObject({ code: 3 });
      const login = await cds(['login', '--key-stdin'], `${key}\n`);
      expect(login).toMatchObject({ code: 0, err: '' });
      expect(login.out).not.toContain(key);
      expect((await stat(join(home, 'cds', 'login.json'))).mode & 0o777).toBe(0o600);
      expect(await json('whoami')).toMatchObject({ url: stack.appUrl, workspace: 'sandbox', from: 'login' });
    }, 60_000);

    it('goes from coverage to results', async () => {
      const { now } = await json<{ now: string }>('sandbox', 'clock');
      expect((await cds(['inventory'])).out).toContain('bookable');
      const cheap = ['creators', '--sort', 'price', '--dir', 'asc', '--price-min', '1', '--limit', '10'];
      const { creators } = await json<{ creators: CreatorSummary[] }>(...cheap);

      const window = ['--from', dayAfter(now, 3), '--to', dayAfter(now, 24)];
      const brief = ['--product', 'Orbit, an AI pair for founders', '--budget', '6000'];
      const { id, plan } = await json<{ id: string; plan: Quote }>('plan', 'start', ...brief, ...window);
      const planId = plan.plan_id;
      const [first = '', second = ''] = unitsBeside(plan, creators);
      const at = plan.lines.findIndex((line) => line.id === dearest(plan)) + 1;
      const swapped = await json<{ line_id: string }>('plan', 'swap', planId, String(at), first);
      await json('plan', 'remove', planId, swapped.line_id);
      await json('plan', 'add', planId, second);
      const moved = ['plan', 'dates', planId, '--from', dayAfter(now, 4), '--to', dayAfter(now, 25)];
      const { terms_fingerprint } = (await json<{ plan: Quote }>(...moved)).plan;
      expect((await cds(['plan', 'quote', planId])).out).toContain(terms_fingerprint);
      expect((await cds(['plan', 'preflight', planId])).out).toContain('Signing would pass');

      expect(await cds(['approve', planId])).toMatchObject({ code: 2 });
      const stale = await cds(['approve', planId, '--yes', '--fingerprint', plan.terms_fingerprint]);
      expect(stale).toMatchObject({ code: 1, err: expect.stringMatching(/cds plan quote[\s\S]+request_id: /) });
      const approve = ['approve', planId, '--yes', '--fingerprint', terms_fingerprint];
      const { order_id } = await json<{ order_id: string }>(...approve);
      expect(await json('sandbox', 'pay', order_id)).toMatchObject({ payment_state: 'paid' });
      for (const time of ['2d', '30d', '12d']) await json('sandbox', 'advance', time);

      expect((await cds(['evidence', id])).out).toContain('https://');
      expect((await cds(['results', id])).out).toMatch(/views\s+[\d,]+/);
      expect((await cds(['campaign', id])).out).toContain('paid');
      expect((await cds(['orders'])).out).toContain(order_id);
      expect((await cds(['order', order_id])).out).toContain('paid');
    }, 180_000);

    it('forgets the key on request', async () => {
      expect(await cds(['logout'])).toMatchObject({ code: 0 });
      expect(await cds(['orders'])).toMatchObject({ code: 3, err: expect.stringContaining('cds login') });
    });
  });
});
