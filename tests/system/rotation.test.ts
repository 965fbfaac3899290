// @night: replaces every key under load.
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Quote } from '@cds/contracts';
import { SERVICES } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { startPlan } from '../support/main-job.js';
import {
  type Answer,
  aBrand,
  anIdempotencyKey,
  ask,
  inTime,
  type SharedStack,
  type Stack,
  secretOf,
  startWholeStack,
} from '../support/stack.js';

type Ring = Record<string, string>;
type ContextKeys = { to: Ring; from: Record<string, string | string[]> };
/** How far the rotation of all secrets is, as docs/operating.md#secrets-and-their-rotation names its steps. */
type Step = 'before' | 'known' | 'used' | 'done';

/** Each step signs its own plans, so that a slow one leaves enough to the next. */
const STEPS = 3;
const PLANS_OF_A_STEP = 6;
const ENOUGH = 5;

const aKey = (name: string): string => createHash('sha256').update(name).digest('base64');

/**
 * Two processes of each service, restarted one after the other with new secrets, as a rolling update does, while agents
 * read and approve and operators make tokens. No request fails.
 */
describe('while every secret is replaced', () => {
  let stack: Stack;
  let step: Step = 'before';
  const first = new Map<string, Record<string, string>>();
  /** The gateways that requests go to: a balancer forgets one before it stops. */
  const gateways = new Set([0, 1]);
  const running = [0, 0];
  const failed: string[] = [];
  const answered = { reads: 0, approvals: 0, tokens: 0, receipts: 0 };

  /** A ring of keys at this step: known before it is used, and kept for what it sealed. */
  const ringOf = (variable: string, service: string): string => {
    const ring = JSON.parse(first.get(service)?.[variable] ?? '{}') as Ring;
    const name = { before: null, known: '2-next', used: '2', done: '2' }[step];
    return JSON.stringify(name === null ? ring : { ...ring, [name]: aKey(variable) });
  };
  /** The keys of each pair at this step: callees know both, then callers use the new one, then the old one is gone. */
  const contextKeysOf = (service: string): string => {
    const { to, from } = JSON.parse(first.get(service)?.['CDS_CTX_KEYS'] ?? '') as ContextKeys;
    const old = (caller: string) => String(from[caller]);
    const pair = (caller: string, callee: string) => aKey(`${caller}>${callee}`);
    const isUsed = step === 'used' || step === 'done';
    return JSON.stringify({
      to: Object.fromEntries(Object.keys(to).map((callee) => [callee, isUsed ? pair(service, callee) : to[callee]])),
      from: Object.fromEntries(
        Object.keys(from).map((caller) => [
          caller,
          step === 'done' ? pair(caller, service) : [old(caller), pair(caller, service)],
        ]),
      ),
    });
  };
  const RINGS: Record<string, readonly string[]> = {
    gateway: ['CDS_KEY_PEPPERS', 'CDS_SEAL_KEYS'],
    billing: ['CDS_PAY_TOKEN_KEYS', 'CDS_RECEIPT_KEYS'],
    proposals: ['CDS_CREATOR_LINK_KEYS'],
  };
  const envOf = (service: string): Record<string, string> =>
    step === 'before' || !first.has(service)
      ? {}
      : {
          CDS_CTX_KEYS: contextKeysOf(service),
          ...Object.fromEntries((RINGS[service] ?? []).map((variable) => [variable, ringOf(variable, service)])),
        };

  /** A gateway in service: any, or one other than the one named. */
  const at = async (work: (through: SharedStack, index: number) => Promise<void>, notAt = -1): Promise<void> => {
    const open = [...gateways];
    const index =
      open.find((one) => one !== notAt && Math.random() < 0.5) ?? open.find((one) => one !== notAt) ?? open[0] ?? 0;
    running[index] = (running[index] ?? 0) + 1;
    try {
      await work({ ...stack, appUrl: stack.appUrls[index] ?? '' }, index);
    } catch (error) {
      failed.push(`gateway ${index}: ${String(error)}`);
    } finally {
      running[index] = (running[index] ?? 0) - 1;
    }
  };
  /** Notes an answer that no rotation may cause. */
  const good = (what: string, { status, body }: Answer): boolean => {
    if (status < 300) return true;
    // A minute's window may be used up on a machine that is this fast.
    if (status !== 429) failed.push(`${what} answered ${status}: ${JSON.stringify(body)}`);
    return false;
  };

  type Plan = { key: string; id: string; terms_fingerprint: string };
  /** What is still to be signed, a list per step. */
  const plans: Plan[][] = Array.from({ length: STEPS }, () => []);
  let unsigned: Plan[] = [];
  const keys: string[] = [];
  const links: { key: string; plan: string; url: string }[] = [];

  const read = (round: number): Promise<void> =>
    at(async (through) => {
      const key = keys[round % keys.length] ?? '';
      if (good('inventory', await inTime(() => ask(through, key, 'inventory', {})))) answered.reads += 1;
    });

  const approve = async (): Promise<void> => {
    const plan = unsigned.pop();
    if (plan === undefined) return;
    const { key, ...sent } = plan;
    const idempotencyKey = { 'idempotency-key': anIdempotencyKey() };
    let approved: { receipt_id?: string; payment: { url: string }; order_id: string } | undefined;
    await at(async (through) => {
      const answer = await inTime(() => ask(through, key, 'approve_plan', sent, idempotencyKey));
      if (good('approve_plan', answer)) approved = answer.body as typeof approved;
    });
    const signed = approved;
    if (signed === undefined) return;
    answered.approvals += 1;
    links.push({ key, plan: plan.id, url: signed.payment.url });
    await at(async (through) => {
      const replay = await inTime(() => ask(through, key, 'approve_plan', sent, idempotencyKey));
      if (good('the replay of approve_plan', replay)) expect(replay.body).toEqual(signed);
    });
    for (const { key: own, plan: id, url } of links.slice(-2))
      await at(async (through) => {
        const quote = await inTime(() => ask(through, own, 'plan_quote', { id }));
        if (good('plan_quote', quote)) expect((quote.body as Quote).order?.payment?.url).toBe(url);
      });
    await at(async (through) => {
      const order = await inTime(() => ask(through, key, 'order_get', { id: signed.order_id }));
      if (!good('order_get', order)) return;
      const { receipt_id: id } = order.body as { receipt_id: string };
      const receipt = await inTime(() => ask(through, key, 'receipt_get', { id }));
      if (!good('receipt_get', receipt)) return;
      const { jws } = receipt.body as { jws: string };
      const { kid } = JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString()) as { kid: string };
      const published = await fetch(`${through.appUrl}/.well-known/cds-keys.json`);
      const { keys: shown } = (await published.json()) as { keys: { kid: string }[] };
      if (!shown.some((one) => one.kid === kid)) failed.push(`the key of a receipt is not published: ${kid}`);
      answered.receipts += 1;
    });
  };

  /** Makes an operator token at one gateway, and uses it and repeats its making at another. */
  const makeToken = async (): Promise<void> => {
    const headers = { 'idempotency-key': anIdempotencyKey() };
    const asked = { name: `t-${randomUUID().slice(0, 8)}`, role: 'viewer', reason: 'a test' } as const;
    let made: { at: number; body: { secret: string } } | undefined;
    await at(async (through, index) => {
      const answer = await inTime(() => ask(through, stack.opsToken, 'ops_token_make', asked, headers));
      if (good('ops_token_make', answer)) made = { at: index, body: answer.body as { secret: string } };
    });
    const token = made;
    if (token === undefined) return;
    await at(async (through) => {
      if (!good('a new token at another gateway', await inTime(() => ask(through, token.body.secret, 'ops_jobs', {}))))
        return;
      const again = await inTime(() => ask(through, stack.opsToken, 'ops_token_make', asked, headers));
      if (good('the replay of ops_token_make', again)) expect(again.body).toEqual(token.body);
      answered.tokens += 1;
    }, token.at);
  };

  /** Restarts the replicas of an index, each once nothing of ours runs in it any more. */
  const restart = async (index: number): Promise<void> => {
    gateways.delete(index);
    while ((running[index] ?? 0) > 0) await delay(10);
    await Promise.all(SERVICES.map((service) => stack.restartService(service, index)));
    gateways.add(index);
  };

  /** Rolls a step out under load, until each kind of request was answered often enough during it. */
  const rollOut = async (next: Step): Promise<typeof answered> => {
    step = next;
    unsigned = plans.pop() ?? [];
    const before = { ...answered };
    let over = false;
    const keepOn = async (work: (round: number) => Promise<void>, pauseMs: number): Promise<void> => {
      for (let round = 0; !over; round += 1) {
        await work(round);
        await delay(pauseMs);
      }
    };
    const load = [keepOn(read, 50), keepOn(read, 70), keepOn(makeToken, 300), keepOn(approve, 1_000)];
    try {
      for (const index of [0, 1]) await restart(index);
      const done = () =>
        answered.reads - before.reads >= ENOUGH &&
        answered.tokens > before.tokens &&
        answered.approvals > before.approvals &&
        answered.receipts > before.receipts;
      while (!done() && failed.length === 0) await delay(50);
    } finally {
      over = true;
      await Promise.all(load);
    }
    return {
      reads: answered.reads - before.reads,
      approvals: answered.approvals - before.approvals,
      tokens: answered.tokens - before.tokens,
      receipts: answered.receipts - before.receipts,
    };
  };

  beforeAll(async () => {
    stack = await startWholeStack({
      creators: 300,
      replicas: Object.fromEntries(SERVICES.map((service) => [service, 2])),
      envOf,
    });
    for (const service of SERVICES) first.set(service, stack.environmentOf(service));
    for (let brand = 0; brand < PLANS_OF_A_STEP; brand += 1) {
      const { sandbox } = await aBrand(stack);
      const key = secretOf(sandbox, 'full');
      keys.push(secretOf(sandbox, 'reader'));
      for (const ofStep of plans) {
        const { plan } = await startPlan(stack, key);
        ofStep.push({ key, id: plan.plan_id, terms_fingerprint: plan.terms_fingerprint });
      }
    }
  }, 300_000);
  afterAll(() => stack?.stop());

  it.each<[Step, string]>([
    ['known', 'the new keys become known everywhere and are not used yet'],
    ['used', 'the new keys are used, and the old ones still open what they made'],
    ['done', 'the old context keys are gone'],
  ])(
    'no request fails: %s, %s',
    async (next) => {
      const during = await rollOut(next);
      expect(failed).toEqual([]);
      expect(during.reads).toBeGreaterThanOrEqual(ENOUGH);
      expect(during.tokens).toBeGreaterThanOrEqual(1);
      expect(during.approvals).toBeGreaterThanOrEqual(1);
      expect(during.receipts).toBeGreaterThanOrEqual(1);
    },
    240_000,
  );

  it('has made with old keys, then with new ones', async () => {
    const mongo = await MongoClient.connect(stack.mongodbUri);
    const versionsIn = async (
      service: string,
      collection: string,
      field: string,
      form: RegExp,
    ): Promise<Set<string>> => {
      const rows = await mongo.db(`${stack.prefix}cds_${service}`).collection(collection).find().toArray();
      return new Set(rows.flatMap((row) => form.exec(String(row[field] ?? ''))?.[1] ?? []));
    };
    expect(await versionsIn('billing', 'orders', 'pay_token', /^~(\d+)\./)).toEqual(new Set(['1', '2']));
    expect(await versionsIn('gateway', 'operator_tokens', 'secret_hmac', /^(\d+):/)).toEqual(new Set(['1', '2']));
    const receipts = mongo.db(`${stack.prefix}cds_billing`).collection('receipts');
    // The header of a receipt names its key.
    expect(await receipts.distinct('parts.header')).toHaveLength(2);
    await mongo.close();
  });

  it('would have failed without the first step: a key that only one replica knows is refused by the other', async () => {
    step = 'done';
    const naive = { ...(JSON.parse(ringOf('CDS_KEY_PEPPERS', 'gateway')) as Ring), 3: aKey('naive') };
    first.set('gateway', { ...first.get('gateway'), CDS_KEY_PEPPERS: JSON.stringify(naive) });
    await stack.restartService('gateway', 0);
    const through = (index: number): SharedStack => ({ ...stack, appUrl: stack.appUrls[index] ?? '' });
    const made = await ask(through(0), stack.opsToken, 'ops_token_make', {
      name: 'n',
      role: 'viewer',
      reason: 'a test',
    });
    const { secret } = made.body as { secret: string };
    expect((await ask(through(0), secret, 'ops_jobs', {})).status).toBe(200);
    expect((await ask(through(1), secret, 'ops_jobs', {})).status).toBe(401);
  }, 60_000);
});
