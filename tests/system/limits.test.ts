// @night: each limit has tests beside it; this one holds what is left of it against its refusal.
import { type DeclaredLimit, LIMITS, type LimitPool, LimitPools } from '@cds/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { signPlan } from '../support/main-job.js';
import { aCampaign } from '../support/matrix-arguments.js';
import {
  type Answer,
  aBrand,
  ask,
  type SeededWorkspace,
  type SharedStack,
  secretOf,
  sharedStack,
} from '../support/stack.js';

type Refusal = { reason: string; scope?: string; limit: number; resets_at: string };

const refusalOf = (answer: Answer): Refusal => {
  expect(answer.status).toBe(429);
  return (answer.body as { error: { details: Refusal } }).error.details;
};

/** What is left of every limit, compared with the refusals by the same limits (docs/domain/access.md#limits). */
describe('GET /limits', () => {
  let stack: SharedStack;
  let live: SeededWorkspace;
  let sandbox: SeededWorkspace;
  beforeAll(async () => {
    stack = await sharedStack();
    ({ live, sandbox } = await aBrand(stack));
  });

  const poolsOf = async (key: string): Promise<LimitPool[]> => {
    const answer = await ask(stack, key, 'limits_get', {});
    expect(answer.status).toBe(200);
    return LimitPools.parse(answer.body).limits;
  };
  const poolOf = async (key: string, name: LimitPool['name'], scope: LimitPool['scope'], creator?: string) => {
    const found = (await poolsOf(key)).find(
      (pool) => pool.name === name && pool.scope === scope && pool.creator_id === creator,
    );
    if (found === undefined) throw new Error(`GET /limits has no ${name} of ${scope}`);
    return found;
  };
  const numbersOf = ({ limit, per_creator }: DeclaredLimit) => ({ limit, per_creator });
  const said = ({ limit, left, resets_at }: LimitPool) => ({ limit, left, resets_at });

  it('has the declared numbers, and answers any valid key', async () => {
    const pools = await poolsOf(secretOf(live, 'bare'));
    for (const { name, scope, limit, unit, refills, per_creator, creator_id } of pools) {
      const declared: DeclaredLimit = LIMITS[name];
      const numbers = creator_id === undefined ? numbersOf(declared) : { limit: declared.per_creator };
      if (declared.limit !== null) expect({ name, limit, per_creator }).toEqual({ name, ...numbers });
      expect({ name, unit }).toEqual({ name, unit: declared.unit });
      expect(declared.scopes).toContain(scope);
      expect([declared.refills, 'at_once']).toContain(refills);
    }
  });

  it('costs one request of the minute and nothing else', async () => {
    const key = secretOf(live, 'muted');
    const first = await poolsOf(key);
    const again = await ask(stack, key, 'limits_get', {});
    const { limits } = LimitPools.parse(again.body);
    expect(limits[0]?.left).toBe(Number(again.headers.get('ratelimit-remaining')));
    const others = (pools: LimitPool[]) => pools.filter(({ name }) => !['request_rate', 'per_minute'].includes(name));
    expect(others(limits)).toEqual(others(first));
  });

  it('says what the refusal of reads of a minute says', async () => {
    const key = secretOf(live, 'reader');
    for (;;) {
      const before = await poolOf(key, 'per_minute', 'key');
      const answers: Answer[] = [];
      for (let reads = 0; reads <= before.left; reads += 1)
        answers.push(await ask(stack, key, 'creators_search', { limit: 1, q: 'zzzz-nobody' }));
      const used = await poolOf(key, 'per_minute', 'key');
      if (used.resets_at !== before.resets_at) continue; // The minute ended meanwhile.
      expect(answers.slice(0, -1).map(({ status }) => status)).toEqual(answers.slice(0, -1).map(() => 200));
      const refusal = refusalOf(answers.at(-1) as Answer);
      expect(refusal).toMatchObject({ reason: 'per_minute', scope: 'key' });
      expect(said(used)).toEqual({ limit: refusal.limit, left: 0, resets_at: refusal.resets_at });
      return;
    }
  });

  it('says what the refusal of a campaign start says, and counts what was signed', async () => {
    const key = secretOf(sandbox, 'full');
    const cap = await poolOf(key, 'over_monthly_cap', 'key');
    const job = await signPlan(stack, key);
    const { order } = job.approval.body as { order: { total_cents: number } };
    const spent = await poolOf(key, 'over_monthly_cap', 'key');
    expect([spent.limit, cap.left - spent.left]).toEqual([cap.limit, order.total_cents]);

    const { now } = (await ask(stack, key, 'sandbox_clock', {})).body as { now: string };
    const start = () => ask(stack, key, 'create_campaign', aCampaign(now.slice(0, 10)) as never);
    for (const left of [1, 0]) {
      expect((await start()).status).toBe(201);
      expect((await poolOf(key, 'daily_campaign_limit', 'brand')).left).toBe(left);
    }
    const refusal = refusalOf(await start());
    expect(refusal.reason).toBe('daily_campaign_limit');
    const pool = await poolOf(key, 'daily_campaign_limit', 'brand');
    expect(said(pool)).toEqual({ limit: refusal.limit, left: 0, resets_at: refusal.resets_at });
  });

  it('says what the refusal of a price request says', async () => {
    const key = secretOf((await aBrand(stack)).sandbox, 'writer');
    const byPrice = { sort: 'price', followers_min: 0, limit: 1 } as const;
    const { total } = (await ask(stack, key, 'creators_search', byPrice)).body as { total: number };
    const last = await ask(stack, key, 'creators_search', { ...byPrice, limit: 22, offset: total - 22 });
    const unpriced = (last.body as { creators: { id: string; ask_price: boolean }[] }).creators
      .filter((creator) => creator.ask_price)
      .map((creator) => creator.id);
    const [first = ''] = unpriced;
    const answers: Answer[] = [];
    for (const id of unpriced) answers.push(await ask(stack, key, 'creator_ask_price', { id }));
    expect(answers[0]?.status).toBe(200);
    const { per_creator } = LIMITS.daily_limit;
    const ofFirst = said(await poolOf(key, 'daily_limit', 'workspace', first));
    expect(ofFirst).toMatchObject({ limit: per_creator, left: per_creator - 1 });
    const pool = await poolOf(key, 'daily_limit', 'workspace');
    const asked = answers.filter(({ status }) => status === 200).length;
    expect(pool.left).toBe(20 - asked);
    const refused = answers.find(({ status }) => status === 429);
    if (refused === undefined) throw new Error(`the network has only ${unpriced.length} creators without a price`);
    const refusal = refusalOf(refused);
    expect(said(pool)).toEqual({ limit: refusal.limit, left: 0, resets_at: refusal.resets_at });
  });
});
