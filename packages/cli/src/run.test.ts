import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConnectionError } from '@cds/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { configFolder } from './config.js';
import { failureOf } from './failures.js';
import { run } from './run.js';
import { aWorld, KEY, URL_OF_SERVICE } from './test/fake-world.js';
import { Interrupted } from './world.js';

const PLAN = '7f6f0d52-6f2b-4a9e-9a53-1f0b6cf6a001';
const LINE = '7f6f0d52-6f2b-4a9e-9a53-1f0b6cf6a002';

const quote = (over: Record<string, unknown> = {}) => ({
  plan_id: PLAN,
  campaign_id: PLAN,
  launch_window_start: '2027-03-10',
  launch_window_end: '2027-03-31',
  terms_fingerprint: 'f4L_WQ1s',
  total_cents: 509_550,
  totals: { creators: 1, budget_cents: 600_000, remaining_cents: 90_450, views_low: 1_000, views_high: 6_000 },
  lines: [
    {
      id: LINE,
      scheduled_date: '2027-03-12',
      creator: { name: 'Eve\u001b[2J\u202e Adams' },
      deliverable: 'Quote post',
      price_cents: 509_550,
      expected_views_low: 1_000,
      expected_views_high: 6_000,
      stage_id: 'planned',
    },
  ],
  blocked_lines: [],
  policy: { allowed: true, refusal: null },
  order: null,
  ...over,
});
const READ = `GET /api/v1/plans/${PLAN}/quote`;
const SIGN = `POST /api/v1/plans/${PLAN}/approve`;
const SIGNED = {
  order_id: LINE,
  approved_at: '2026-11-24T12:00:00.000Z',
  order: { total_cents: 509_550 },
  payment: { url: `${URL_OF_SERVICE}/pay/x`, expires_at: '2026-12-08T12:00:00.000Z' },
};

describe('login', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cds-login-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const known = { 'GET /api/keys/usage?limit=1': { body: { requests: [], next: null } } };

  it('with --key opens Developers, asks without showing, checks the key and saves it for its owner alone', async () => {
    const { world, said, opened, asked, sent } = aWorld({
      folder,
      key: null,
      replies: known,
      answers: [KEY],
      terminal: { in: true },
    });
    expect(await run(['login', '--key'], world)).toBe(0);
    expect(opened).toEqual([`${URL_OF_SERVICE}/developers`]);
    expect(asked).toEqual([{ question: 'Key: ', hidden: true }]);
    expect(sent).toMatchObject([{ key: `Bearer ${KEY}` }]);
    const path = join(folder, 'login.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ url: URL_OF_SERVICE, key: KEY });
    expect(said.out + said.err).not.toContain(KEY);
  });

  it('is used for its own address and for no other', async () => {
    const here = aWorld({ folder, key: null, replies: { [READ]: { body: quote() } } });
    expect(await run(['plan', 'quote', PLAN], here.world)).toBe(0);
    expect(here.sent).toMatchObject([{ key: `Bearer ${KEY}` }]);
    const elsewhere = aWorld({ folder, key: null });
    expect(await run(['plan', 'quote', PLAN, '--url', 'https://other.example'], elsewhere.world)).toBe(3);
    expect(elsewhere.sent).toEqual([]);
  });

  it('is not saved when the service does not know the key', async () => {
    const other = await mkdtemp(join(tmpdir(), 'cds-login-'));
    const unknown = { status: 401, body: { error: { code: 'unauthorized', message: 'Unknown.' } } };
    const { world, said } = aWorld({
      folder: other,
      replies: { 'GET /api/keys/usage?limit=1': unknown },
      input: `${KEY}\n`,
    });
    expect(await run(['login', '--key-stdin'], world)).toBe(3);
    expect(said.err).toContain('does not know this key');
    await expect(stat(join(other, 'login.json'))).rejects.toThrow('ENOENT');
    await rm(other, { recursive: true });
  });

  it('ends with logout', async () => {
    const { world, said } = aWorld({ folder, key: null });
    expect(await run(['logout'], world)).toBe(0);
    expect(await run(['orders'], world)).toBe(3);
    expect(said.err).toContain('cds login');
  });

  it.each([
    ['linux', {}, '/home/eve/.config/cds'],
    ['linux', { XDG_CONFIG_HOME: '/own' }, '/own/cds'],
    ['darwin', {}, '/home/eve/Library/Application Support/cds'],
  ])('is kept on %s with %j in %s', (platform, environment, expected) => {
    expect(configFolder(environment, platform, '/home/eve')).toBe(expected);
  });
});

describe('approve', () => {
  const replies = { [READ]: { body: quote() }, [SIGN]: { body: SIGNED } };

  it('shows the quote and its fingerprint, and signs what was shown after a yes', async () => {
    const { world, said, sent } = aWorld({ replies, answers: ['y'], terminal: { in: true } });
    expect(await run(['approve', PLAN], world)).toBe(0);
    expect(said.err).toMatch(/Quote post[\s\S]*\$5,095\.50 for 1 creator[\s\S]*f4L_WQ1s/);
    expect(sent[1]).toMatchObject({
      request: SIGN,
      body: { terms_fingerprint: 'f4L_WQ1s', expected_total_cents: 509_550 },
      idempotencyKey: expect.stringMatching(/^.{8,}$/),
    });
    expect(said.out).toContain('/pay/x');
  });

  it.each([
    ['a no', ['approve', PLAN], { answers: ['n'], terminal: { in: true } }, 5],
    ['no answer', ['approve', PLAN], { answers: [''], terminal: { in: true } }, 5],
    ['nobody to ask', ['approve', PLAN], {}, 2],
    ['--yes without a fingerprint', ['approve', PLAN, '--yes'], {}, 2],
    ['--yes alone at a terminal', ['approve', PLAN, '--yes'], { answers: ['y'], terminal: { in: true } }, 2],
  ])('signs nothing after %s', async (_case, args, options, exit) => {
    const { world, sent } = aWorld({ replies, ...options });
    expect(await run(args, world)).toBe(exit);
    expect(sent.map(({ request }) => request)).not.toContain(SIGN);
  });

  it('does not ask where the key may not sign', async () => {
    const policy = { allowed: false, refusal: { code: 'mandate_refused', reason: 'over_monthly_cap' } };
    const { world, said, asked } = aWorld({ replies: { [READ]: { body: quote({ policy }) } }, terminal: { in: true } });
    expect(await run(['approve', PLAN], world)).toBe(1);
    expect(asked).toEqual([]);
    expect(said.err).toContain('over_monthly_cap');
  });

  it('sends another fingerprint without the total that was just read', async () => {
    const { world, sent } = aWorld({ replies });
    await run(['approve', PLAN, '--yes', '--fingerprint', 'older'], world);
    expect(sent[1]?.body).toEqual({ terms_fingerprint: 'older' });
  });
});

describe('output', () => {
  it('is the answer itself with --json, before or after the command', async () => {
    for (const args of [
      ['--json', 'plan', 'quote', PLAN],
      ['plan', 'quote', PLAN, '--json'],
    ]) {
      const { world, said } = aWorld({ replies: { [READ]: { body: quote() } } });
      expect(await run(args, world)).toBe(0);
      expect(JSON.parse(said.out)).toEqual(quote());
    }
  });

  it('has nothing that a terminal acts on: names are written by others', async () => {
    const { world, said } = aWorld({ replies: { [READ]: { body: quote() } } });
    await run(['plan', 'quote', PLAN], world);
    expect(said.out).toContain('Eve [2J Adams');
    for (const character of ['\u001b', '\u202e']) expect(said.out).not.toContain(character);
  });

  it('has colours on a terminal only, and not with NO_COLOR', async () => {
    const coloured = async (terminal: boolean, noColor: boolean) => {
      const { world, said } = aWorld({ replies: { [READ]: { body: quote() } }, terminal: { out: terminal }, noColor });
      await run(['plan', 'quote', PLAN], world);
      return said.out.includes('\u001b[1m');
    };
    expect([await coloured(true, false), await coloured(true, true), await coloured(false, false)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('an error', () => {
  const refused = (status: number, error: Record<string, unknown>) =>
    aWorld({ replies: { [READ]: { status, body: { error } } } });

  it('says what happened, what to do next, and the request id', async () => {
    const { world, said } = refused(409, {
      code: 'conflict',
      message: 'The terms changed.',
      details: { reason: 'terms_changed', version: 3 },
    });
    expect(await run(['plan', 'quote', PLAN], world)).toBe(1);
    expect(said).toEqual({
      out: '',
      err: `error  The terms changed.
next   The plan has changed. Read it again: cds plan quote PLAN
       code: conflict
       reason: terms_changed
       version: 3
       request_id: req-7
`,
    });
  });

  it('is one object with --json', async () => {
    const { world, said } = refused(403, { code: 'forbidden', message: 'No.', details: { scope: 'campaigns:read' } });
    expect(await run(['plan', 'quote', PLAN, '--json'], world)).toBe(3);
    expect(JSON.parse(said.err)).toEqual({
      error: expect.objectContaining({
        message: 'No.',
        code: 'forbidden',
        scope: 'campaigns:read',
        request_id: 'req-7',
      }),
    });
  });

  it.each([
    ['an unknown command', ['sing'], 2],
    ['a missing argument', ['creator'], 2],
    ['a number that is none', ['creators', '--limit', 'many'], 2],
    ['a date that is none', ['plan', 'dates', PLAN, '--from', 'today', '--to', '2027-03-31'], 2],
    ['help', ['--help'], 0],
    ['the version', ['--version'], 0],
    ['something that is not found', ['order', PLAN], 1],
    ['an id that is no UUID', ['plan', 'add', PLAN, 'unit'], 2],
  ])('%s ends with its exit code', async (_case, args, exit) => {
    const problems = [{ field: 'unit_id', message: 'must be a UUID' }];
    const error = { code: 'unprocessable', message: 'Wrong.', details: { problems } };
    const { world } = aWorld({ replies: { [`POST /api/v1/plans/${PLAN}/lines`]: { status: 422, body: { error } } } });
    expect(await run(args, world)).toBe(exit);
  });

  it('lists the unit of the format that was asked for', async () => {
    const unit = (format: string, price_cents: number) => ({
      format,
      price_cents,
      buyable: true,
      unit_id: `unit-${format}`,
    });
    const creators = [
      { id: 'c', name: 'Ada', offerings: [unit('quote', 100), unit('thread', 900), unit('post', 500)] },
    ];
    for (const [args, query, found] of [
      [['--format', 'thread'], '?format=thread', 'unit-thread'],
      [[], '', 'unit-quote'],
    ] as const) {
      const page = { creators, total: 1, offset: 0 };
      const { world, said } = aWorld({ replies: { [`GET /api/v1/creators${query}`]: { body: page } } });
      expect(await run(['creators', ...args], world)).toBe(0);
      expect(said.out).toContain(found);
    }
  });

  it('of Ctrl+C is no error of the service', async () => {
    const { world, said, interrupt } = aWorld();
    interrupt.abort(new Interrupted());
    expect(await run(['orders'], world)).toBe(130);
    expect(said.err).toContain('Interrupted');
  });

  it('of Ctrl+C while a plan is signed names the Idempotency-Key to repeat', async () => {
    const { world, said, sent, interrupt } = aWorld({ replies: { [READ]: { body: quote() } } });
    const fetch: typeof world.fetch = async (address, init) => {
      const answer = await world.fetch(address, init);
      if (init?.method !== 'POST') return answer;
      interrupt.abort(new Interrupted());
      throw interrupt.signal.reason;
    };
    expect(await run(['approve', PLAN, '--yes', '--fingerprint', 'f4L_WQ1s'], { ...world, fetch })).toBe(130);
    const { idempotencyKey } = sent.find(({ request }) => request === SIGN) ?? {};
    expect(idempotencyKey).toBeTruthy();
    expect(said.err).toContain(
      `Whether it took effect is unknown. Run it again with --idempotency-key ${idempotencyKey}`,
    );
  });

  it('of Ctrl+C after the answer of a write names no key', async () => {
    const replies = { [READ]: { body: quote() }, [SIGN]: { body: SIGNED } };
    const { world, said, interrupt } = aWorld({ replies });
    const out = (text: string): void => {
      world.out(text);
      interrupt.abort(new Interrupted());
      throw interrupt.signal.reason;
    };
    expect(await run(['approve', PLAN, '--yes', '--fingerprint', 'f4L_WQ1s', '--json'], { ...world, out })).toBe(130);
    expect(said.err).not.toContain('--idempotency-key');
  });

  it('of a write without an answer names the Idempotency-Key to repeat', () => {
    const facts = { operation: 'approve_plan', attempts: 6, idempotencyKey: 'my-key-0001' };
    expect(failureOf(new ConnectionError('cds.example does not answer.', facts))).toMatchObject({
      exit: 4,
      next: expect.stringMatching(/unknown\. Run it again with --idempotency-key my-key-0001$/),
    });
  });
});

describe('plan', () => {
  const started = { 'POST /api/v1/campaigns': { body: { id: PLAN, plan: quote(), no_plan: null } } };
  const window = ['--budget', '6000', '--from', '2027-03-10', '--to', '2027-03-31'];

  it('starts from what a product page says, and reads the page without the key', async () => {
    const page = `<html><head><title>Orbit &mdash; home</title><meta property="og:title" content="Orbit &amp; co">
      <meta name="description" content="An AI pair for founders"></head></html>`;
    const { world, sent } = aWorld({ replies: { ...started, 'orbit.example/': { body: page } } });
    expect(await run(['plan', 'start', 'https://orbit.example', ...window], world)).toBe(0);
    expect(sent[0]?.key).toBeNull();
    expect(sent[1]?.body).toEqual({
      goal: 'launch',
      product: 'Orbit & co: An AI pair for founders',
      moment: 'Orbit & co goes live on 2027-03-10',
      window_start: '2027-03-10',
      window_end: '2027-03-31',
      budget_usd: 6_000,
    });
  });

  it.each([
    ['neither page nor product', []],
    ['a page that is not there', ['https://gone.example']],
    ['a page that is no address', ['orbit']],
  ])('starts nothing from %s', async (_case, page) => {
    const { world, sent } = aWorld({ replies: started });
    expect(await run(['plan', 'start', ...page, ...window], world)).toBe(2);
    expect(sent.map(({ request }) => request)).not.toContain('POST /api/v1/campaigns');
  });

  it('names a line by its number in the quote', async () => {
    const remove = `DELETE /api/v1/plans/${PLAN}/lines/${LINE}`;
    const { world, sent } = aWorld({ replies: { [READ]: { body: quote() }, [remove]: { body: { plan: quote() } } } });
    expect(await run(['plan', 'remove', PLAN, '1'], world)).toBe(0);
    expect(sent.at(-1)?.request).toBe(remove);
    expect(await run(['plan', 'remove', PLAN, '2'], world)).toBe(1);
  });
});

describe('events', () => {
  const event = {
    id: 'e1',
    at: '2026-11-24T12:00:00.000Z',
    kind: 'plan.signed',
    aggregate: { type: 'plan', id: PLAN },
    version: 2,
    data: {},
  };
  const replies = {
    'GET /api/v1/events?cursor=c0&kind=plan.signed': { body: { events: [event], next: 'c1' } },
    'GET /api/v1/events?cursor=c1&kind=plan.signed': { body: { events: [], next: 'c1' } },
  };

  it('are one object on each line with --json, and say where to go on', async () => {
    const { world, said } = aWorld({ replies });
    expect(await run(['events', '--cursor', 'c0', '--kind', 'plan.signed', '--json'], world)).toBe(0);
    expect(
      said.out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ).toEqual([event]);
    expect(said.err).toBe('To go on from here: --cursor c1\n');
  });
});
