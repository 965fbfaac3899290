// @night: the built command line, which has tests beside it.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreatorSummary, Quote } from '@cds/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aBrand, type SharedStack, secretOf, sharedStack } from '../support/stack.js';

const CLI = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'dist', 'main.js');
const DAY_S = 86_400;

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

/** The main job of a brand by the built command line; `snippets` does it by the SDK. */
describe('a developer', () => {
  let stack: SharedStack;
  beforeAll(async () => {
    stack = await sharedStack();
  }, 120_000);

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
