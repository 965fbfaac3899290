// @night: races of two processes; each race has a test of its statement beside it.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Creators, type OperationName, operationMap, type PlanApproved, type Quote } from '@cds/contracts';
import { seedFrom } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seedBrand } from '../../tools/lib/stack.js';
import { Random } from '../faults/random.js';
import { Databases } from '../support/audits/audit.js';
import { wrongAtRest } from '../support/audits/audits.js';
import { type CallResult, errorOf } from '../support/endpoints.js';
import { GatewayBus } from '../support/gateway-bus.js';
import {
  aBrand,
  anIdempotencyKey,
  ask,
  keptStack,
  type SeededWorkspace,
  type Stack,
  secretOf,
} from '../support/stack.js';

/**
 * Many concurrent calls on one plan, with two processes of gateway, planning and billing; each hammer runs in rounds,
 * each round in its own sandbox (docs/reliability.md#layers). `CDS_HAMMER_ROUNDS` sets the rounds, `CDS_HAMMER_SEED`
 * repeats the head starts.
 */
const ROUNDS = Number(process.env['CDS_HAMMER_ROUNDS'] ?? 10);
const SEED = seedFrom('CDS_HAMMER_SEED');
const RETRIES = 20;
const DAY_MS = 86_400_000;

/** The seeded keys that write; each has its own minute window. */
type Key = 'full' | 'writer' | 'muted';

const counted = (results: readonly CallResult[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const result of results) {
    const error = errorOf(result);
    const name = `${result.status} ${String(error?.details?.['reason'] ?? error?.code ?? 'done')}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};
const succeeded = (results: readonly CallResult[]): CallResult[] => results.filter((one) => one.status < 300);
const only = (counts: Record<string, number>, allowed: readonly string[]): string[] =>
  Object.keys(counts).filter((name) => !allowed.includes(name));

describe(`hammers on plans, ${ROUNDS} rounds each, seed ${SEED}`, () => {
  let stack: Stack;
  let gatewayBus: GatewayBus;
  let databases: Databases;
  let units: string[];
  let today: string;
  const random = new Random(SEED);
  /** How the rounds of each race ended: both orders must have happened. */
  const orders: Record<string, number> = {};
  const ended = (how: string): void => {
    orders[how] = (orders[how] ?? 0) + 1;
  };

  beforeAll(async () => {
    stack = await keptStack('pairs');
    gatewayBus = await GatewayBus.open(stack);
    databases = await Databases.open(stack.mongodbUri, stack.prefix);
    today = new Date(Date.now()).toISOString().slice(0, 10);
    const key = secretOf((await aBrand(stack)).sandbox, 'full');
    const page = await ask(stack, key, 'creators_search', { sort: 'price', dir: 'asc', price_min: 1, limit: 50 });
    units = (page.body as Creators).creators.flatMap((one) =>
      one.offerings
        .filter((unit) => unit.buyable)
        .slice(0, 1)
        .map((unit) => unit.unit_id),
    );
  }, 120_000);

  afterAll(async () => {
    await databases?.close();
    await gatewayBus?.close();
  });

  const dayIn = (days: number): string => new Date(Date.parse(today) + days * DAY_MS).toISOString().slice(0, 10);
  const unitAt = (at: number): string => units[at % units.length] ?? '';

  const aSandbox = async () => {
    const seeded = await seedBrand(stack, { name: `brand-${randomUUID().slice(0, 8)}` });
    const sandbox = seeded.find((one) => one.kind === 'sandbox') as SeededWorkspace;
    let asked = 0;
    /** Asks as an agent does: a 503 is retried after its Retry-After, under the same Idempotency-Key. */
    const call = async (key: Key, operation: OperationName, input: Record<string, unknown>): Promise<CallResult> => {
      const headers: Record<string, string> =
        operationMap[operation].effect === 'write' ? { 'idempotency-key': anIdempotencyKey() } : {};
      for (let tries = 0; ; tries += 1) {
        asked += 1;
        const gateway = { ...stack, appUrl: stack.appUrls[asked % stack.appUrls.length] ?? stack.appUrl };
        const answer = await ask(gateway, secretOf(sandbox, key), operation, input as never, headers);
        const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN);
        if (answer.status !== 503 || Number.isNaN(retryAfter) || tries === RETRIES)
          return { status: answer.status, value: answer.body, replayed: false };
        await delay(retryAfter * 1_000);
      }
    };
    return {
      id: sandbox.id,
      call,
      value: async <T>(key: Key, operation: OperationName, input: Record<string, unknown>): Promise<T> => {
        const result = await call(key, operation, input);
        if (result.status >= 300) throw new Error(`${operation} answered ${JSON.stringify(result.value)}`);
        return result.value as T;
      },
      quote: async (planId: string): Promise<Quote> =>
        (await call('full', 'plan_quote', { id: planId })).value as Quote,
      person: (operation: 'campaign_archive' | 'campaign_unarchive', campaignId: string) =>
        gatewayBus.write({ workspace: sandbox.id, now: new Date(Date.now()), as: 'person' }, operation, {
          id: campaignId,
        }),
      price: (unitId: string, change: { price_cents: number } | { off_sale: true }) =>
        gatewayBus.write({ workspace: sandbox.id, now: new Date(Date.now()), as: 'key' }, 'sandbox_unit_set', {
          unit_id: unitId,
          ...change,
        }),
    };
  };
  type Sandbox = Awaited<ReturnType<typeof aSandbox>>;

  /** A plan in a new campaign with lines on these units. */
  const planOf = async (sandbox: Sandbox, wanted: readonly string[]): Promise<Quote> => {
    let quote: Quote | undefined;
    for (const unit_id of wanted) {
      const id = quote?.plan_id ?? 'current';
      ({ plan: quote } = await sandbox.value<{ plan: Quote }>('full', 'plan_add_creator', { id, unit_id }));
    }
    if (quote === undefined) throw new Error('a plan has lines');
    return quote;
  };

  /** How long the last approve took. Head starts are drawn up to it, so that either side can be first. */
  let approvalMs = 100;
  const approve = async (sandbox: Sandbox, { plan_id, terms_fingerprint }: Quote): Promise<CallResult> => {
    const begun = performance.now();
    const result = await sandbox.call('full', 'approve_plan', { id: plan_id, terms_fingerprint });
    if (result.status === 200) approvalMs = performance.now() - begun;
    return result;
  };

  /** Runs both, one of them after a random head start of up to `spanMs` for the other. */
  const racing = async <A, B>(spanMs: number, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> => {
    const head = random.between(-spanMs, spanMs);
    return Promise.all([delay(Math.max(0, -head)).then(one), delay(Math.max(0, head)).then(other)]);
  };

  const inRounds = async (rounds: number, body: (sandbox: Sandbox, round: number) => Promise<void>): Promise<void> => {
    let next = aSandbox();
    for (let round = 0; round < rounds; round += 1) {
      const sandbox = await next;
      next = round + 1 < rounds ? aSandbox() : next;
      await body(sandbox, round);
    }
  };

  it('edits racing an approve end one way: signed as quoted, or terms_changed (I15, I16, I28)', async () => {
    await inRounds(ROUNDS, async (sandbox, round) => {
      const quote = await planOf(sandbox, [unitAt(round), unitAt(round + 1), unitAt(round + 2)]);
      const edits = () =>
        Promise.all([
          sandbox.call('writer', 'plan_move_dates', { id: quote.plan_id, start: dayIn(5), end: dayIn(33) }),
          sandbox.call('muted', 'plan_remove_creator', { id: quote.plan_id, line_id: quote.lines[0]?.id }),
        ]);
      const [approval, edited] = await racing(approvalMs, () => approve(sandbox, quote), edits);

      const after = await sandbox.quote(quote.plan_id);
      const done = succeeded(edited).length;
      const counts = counted(edited);
      expect({ counts, others: only(counts, ['200 done', '409 plan_signed']) }).toEqual({ counts, others: [] });
      expect(after.version).toBe(quote.version + done);
      if (approval.status === 200) {
        ended('edits: signed first');
        expect(done).toBe(0);
        expect(after).toMatchObject({ status: 'approved', terms_fingerprint: quote.terms_fingerprint });
        expect(after.order?.total_cents).toBe(quote.total_cents);
      } else {
        ended('edits: edited first');
        expect(done).toBe(2);
        expect(errorOf(approval)).toMatchObject({ code: 'conflict', details: { reason: 'terms_changed' } });
        expect(after).toMatchObject({ status: 'awaiting_approval', order: null });
        expect(after.mandate?.spent_this_month_cents).toBe(0);
      }
    });
  }, 600_000);

  it('an archive racing edits keeps what was answered before it and refuses everything later (I34, I57)', async () => {
    await inRounds(ROUNDS, async (sandbox, round) => {
      const quote = await planOf(sandbox, [unitAt(round), unitAt(round + 1)]);
      const name = `Round ${round}`;
      const edits = () =>
        Promise.all([
          sandbox.call('writer', 'plan_move_dates', { id: quote.plan_id, start: dayIn(5), end: dayIn(33) }),
          sandbox.call('muted', 'plan_add_creator', { id: quote.plan_id, unit_id: unitAt(round + 2) }),
          sandbox.call('full', 'rename_campaign', { id: quote.campaign_id, name }),
        ]);
      const [archived, edited] = await racing(
        approvalMs,
        () => sandbox.person('campaign_archive', quote.campaign_id),
        edits,
      );
      expect(archived.status).toBe(200);
      const counts = counted(edited);
      expect({ counts, others: only(counts, ['200 done', '201 done', '409 archived']) }).toEqual({
        counts,
        others: [],
      });
      const late = await sandbox.call('full', 'plan_remove_creator', {
        id: quote.plan_id,
        line_id: quote.lines[0]?.id,
      });
      expect(errorOf(late)?.details?.['reason']).toBe('archived');

      const [moved, added, renamed] = edited.map((one) => one.status < 300);
      ended(`archive: ${succeeded(edited).length} of 3 edits first`);
      const after = await sandbox.quote(quote.plan_id);
      expect({
        version: after.version,
        start: after.launch_window_start,
        lines: after.lines.length,
      }).toEqual({
        version: quote.version + (moved ? 1 : 0) + (added ? 1 : 0),
        start: moved ? dayIn(5) : quote.launch_window_start,
        lines: added ? 3 : 2,
      });
      const campaign = await databases
        .of('planning')
        .collection<{ _id: string; name: string; archived_at: Date | null }>('campaigns')
        .findOne({ _id: quote.campaign_id });
      expect(campaign?.archived_at).not.toBeNull();
      expect(campaign?.name === name).toBe(renamed);
    });
  }, 600_000);

  it('a price, a sale or an archive racing an approve: signed at valid prices, or refused and unspent (I14, I17, I57)', async () => {
    await inRounds(ROUNDS, async (sandbox, round) => {
      const quote = await planOf(sandbox, [unitAt(round), unitAt(round + 1)]);
      const [line] = quote.lines;
      const kind = (['price', 'sale', 'archive'] as const)[round % 3] ?? 'price';
      const cheaper = (line?.price_cents ?? 0) - 100;
      const moves = (): Promise<CallResult> => {
        if (kind === 'archive') return sandbox.person('campaign_archive', quote.campaign_id);
        return sandbox.price(line?.unit_id ?? '', kind === 'price' ? { price_cents: cheaper } : { off_sale: true });
      };
      const [approval, moved] = await racing(approvalMs, () => approve(sandbox, quote), moves);

      expect(moved.status).toBe(200);
      const after = await sandbox.quote(quote.plan_id);
      if (approval.status === 200) {
        ended(`${kind}: signed first`);
        expect((approval.value as PlanApproved).order.total_cents).toBe(quote.total_cents);
        expect(after).toMatchObject({ status: 'approved', total_cents: quote.total_cents, version: quote.version });
        expect(after.mandate?.spent_this_month_cents).toBe(quote.total_cents);
        const verdict = await databases
          .of('planning')
          .collection<{
            kind: string;
            plan_id: string;
            evidence: { lines: { line_id: string; current_price_cents: number; on_sale: boolean }[] };
          }>('sign_verdicts')
          .findOne({ plan_id: quote.plan_id, kind: 'signed' });
        const seen = verdict?.evidence.lines.find((one) => one.line_id === line?.id);
        expect(seen).toMatchObject({ current_price_cents: line?.price_cents, on_sale: true });
        return;
      }
      ended(`${kind}: moved first`);
      const reason = { price: 'terms_changed', sale: 'lines_blocked', archive: 'archived' }[kind];
      expect(errorOf(approval)).toMatchObject({ code: 'conflict', details: { reason } });
      expect(after).toMatchObject({ status: 'awaiting_approval', order: null });
      expect(after.version).toBe(quote.version + (kind === 'price' ? 1 : 0));
      expect(after.mandate?.spent_this_month_cents).toBe(0);
      if (kind === 'price') {
        expect(after.lines[0]?.price_cents).toBe(cheaper);
        expect(JSON.stringify(approval)).not.toContain(after.terms_fingerprint);
      }
    });
  }, 600_000);

  it('saw both orders of each race, and left nothing wrong in any database', async () => {
    process.stderr.write(`hammers: seed ${SEED}, ${JSON.stringify(orders)}\n`);
    const met = (race: RegExp): number =>
      Object.entries(orders).reduce((sum, [how, times]) => sum + (race.test(how) ? times : 0), 0);
    const races = [
      /^edits: signed/,
      /^edits: edited/,
      /^(price|sale|archive): signed/,
      /^(price|sale|archive): moved/,
      /0 of 3 edits/,
    ];
    const never = ROUNDS < 30 ? [] : races.filter((race) => met(race) === 0);
    expect({ never, orders }).toEqual({ never: [], orders });
    expect(await wrongAtRest(databases)).toEqual([]);
  }, 90_000);
});
