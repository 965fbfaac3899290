import { setTimeout as delay } from 'node:timers/promises';
import type {
  CampaignStatus,
  CampaignSummary,
  Creators,
  FeedPage,
  Key,
  OperationName,
  Quote,
  Scope,
} from '@cds/contracts';
import { seedFrom } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { ownerSession } from '../../tools/lib/owner-session.js';
import { Random } from '../faults/random.js';
import { expectSame, expectSameLimits } from '../support/feed-compare.js';
import { FeedFold } from '../support/feed-fold.js';
import { aCampaign, aDraft } from '../support/matrix-arguments.js';
import {
  type Answer,
  aBrand,
  ask,
  retried,
  type SeededWorkspace,
  type SharedStack,
  secretOf,
  sharedStack,
} from '../support/stack.js';

/**
 * Random histories of sandboxes: after every step, what a reader makes of the feed alone is what the reads answer
 * (docs/domain/access.md#events). `CDS_FEED_SEED` replays a run.
 */
const SEED = seedFrom('CDS_FEED_SEED');
const RUNS = Number(process.env['CDS_FEED_RUNS'] ?? 1);
const STEPS = Number(process.env['CDS_FEED_STEPS'] ?? 20);
/** How long each step of a run may take on a busy machine. */
const STEP_MS = 20_000;
/** After so many requests the minutes of the keys begin again. */
const WINDOW = 20;
const DAY_S = 86_400;
const MANDATE_DAYS = 300;
/** The seeded keys whose mandates change: the first signs, and goes on doing so. */
const MANDATED = ['full', 'writer', 'muted', 'bare'] as const;
const CHILD_SCOPES: Scope[] = ['campaigns:read', 'campaigns:write', 'plans:approve'];
/** How long the feed may take to show what happened. */
const SHOWN_MS = 15_000;

type Known = { id: string; secret: string };
type Input = Record<string, unknown>;

class History {
  private readonly fold = new FeedFold();
  private cursor: string | undefined;
  /** The children that the key that signs has made, and that live. */
  private readonly children = new Map<string, Known>();
  /** The keys that were refused by a limit, and by which. */
  private readonly refused = new Map<string, { key_id: string; reason: string }>();
  readonly done: string[] = [];
  private sent = 0;

  private constructor(
    private readonly stack: SharedStack,
    private readonly mongo: MongoClient,
    private readonly sandbox: SeededWorkspace,
    private readonly owner: Record<string, string>,
    private readonly random: Random,
    private readonly units: readonly string[],
  ) {}

  static async begin(stack: SharedStack, mongo: MongoClient, random: Random, units: readonly string[]) {
    const { live, sandbox } = await aBrand(stack);
    const owner = { origin: stack.appUrl, cookie: await ownerSession(stack, live.name) };
    await ask(stack, null, 'session_workspace_set', { workspace: sandbox.id }, owner);
    const history = new History(stack, mongo, sandbox, owner, random, units);
    await history.person('key_change', { id: history.key('full').id, may_delegate: true });
    return history;
  }

  private key(name: string): Known {
    const known = this.sandbox.keys.find((one) => one.name === name);
    if (known === undefined) throw new Error(`there is no key ${name}`);
    return known;
  }

  /** One request of a history, which sends more than a key's minute allows. */
  private async send(key: string | null, name: OperationName, input: Input): Promise<Answer> {
    if (this.sent % WINDOW === 0) {
      const keys = this.mongo.db(`${this.stack.prefix}cds_gateway`).collection('keys');
      await keys.updateMany({ ws: this.sandbox.id }, { $set: { n: 0 } });
    }
    this.sent += 1;
    const headers = key === null ? this.owner : {};
    const answer = await retried((id) =>
      ask(this.stack, key, name, input as never, { ...headers, 'idempotency-key': id }),
    );
    if (answer.status >= 500) throw new Error(`${name} answered ${answer.status}`);
    return answer;
  }

  private async call(name: OperationName, input: Input, { id, secret } = this.key('full')): Promise<Answer> {
    const answer = await this.send(secret, name, input);
    const { error } = (answer.body ?? {}) as { error?: { code: string; details: { reason: string } } };
    if (error?.code === 'rate_limited') {
      const { reason } = error.details;
      this.refused.set(`${id} ${reason}`, { key_id: id, reason });
    }
    return answer;
  }

  /** A request of the brand's owner. */
  private person(name: OperationName, input: Input): Promise<Answer> {
    return this.send(null, name, input);
  }

  private whole(low: number, high: number): number {
    return Math.floor(this.random.between(low, high + 1));
  }

  private async read<T>(name: OperationName, input: Input = {}, by = this.key('full')): Promise<T> {
    const { status, body } = await this.call(name, input, by);
    expect([name, status]).toEqual([name, 200]);
    return body as T;
  }

  private async personReads<T>(name: OperationName, input: Input = {}): Promise<T> {
    const { status, body } = await this.person(name, input);
    expect([name, status]).toEqual([name, 200]);
    return body as T;
  }

  /**
   * The start of every history: a campaign that a key signs and pays, so that posts and readings come, and one that its
   * child signs.
   */
  async launch(): Promise<void> {
    const { now } = await this.read<{ now: string }>('sandbox_clock');
    const wide = { ...this.drawnMandate(now, true), max_plan_cents: 2_500_000, monthly_cap_cents: 6_000_000 };
    expect((await this.delegate(wide)).status).toBe(201);
    for (const [at, signer] of [this.key('full'), ...this.children.values()].entries()) {
      const { body } = await this.call('create_campaign', aCampaign(now.slice(0, 10)));
      await this.sign((body as { plan: Quote }).plan, signer, at === 0 ? 1 : 0.5);
    }
  }

  /** Signs a plan unless the mandate refuses it, and pays its order in `paid` of all cases. */
  private async sign({ plan_id: id, terms_fingerprint }: Quote, signer: Known, paid: number): Promise<void> {
    const answer = await this.call('approve_plan', { id, terms_fingerprint }, signer);
    this.done.push(`approve_plan ${id} by ${signer.id} ${answer.status}`);
    if (answer.status !== 200 || this.random.next() >= paid) return;
    const { order_id } = answer.body as { order_id: string };
    await this.call('sandbox_order_payment', { id: order_id });
    this.done.push('paid');
  }

  async step(): Promise<void> {
    const draw = this.random.next();
    if (draw < 0.22) await this.keyStep();
    else if (draw < 0.26) await this.readTooMuch();
    else await this.campaignStep();
  }

  /** A person or a key changes what keys may do. */
  private async keyStep(): Promise<void> {
    const { random } = this;
    const { now } = await this.read<{ now: string }>('sandbox_clock');
    const [name, other] = [random.pick(MANDATED), random.pick(MANDATED.slice(1))];
    const mandate = this.drawnMandate(now, name === 'full' || (name !== 'writer' && random.next() < 0.5));
    const scopes = random.next() < 0.5 ? CHILD_SCOPES : CHILD_SCOPES.slice(0, 2);
    const [one, another] = [this.key(name), this.key(other)];
    const ways: Record<string, () => Promise<Answer>> = {
      [`set ${name}`]: () => this.person('key_mandate_set', { id: one.id, ...mandate }),
      [`set ${other}`]: () => this.person('key_mandate_set', { id: another.id, ...mandate, may_approve: false }),
      [`remove ${other}`]: () => this.person('key_mandate_remove', { id: another.id }),
      [`accept for ${name}`]: () => this.acceptTerms(one),
      [`narrow ${other}`]: () => this.person('key_change', { id: another.id, scopes }),
      delegate: () => this.delegate(mandate),
      'delegate more': () => this.delegate(mandate),
      revoke: () => this.revoke(random.pick([...this.children.values(), another])),
    };
    const [way, act] = random.pick(Object.entries(ways));
    const { status } = await act();
    this.done.push(`${way} ${JSON.stringify(mandate)} ${status}`);
  }

  private drawnMandate(now: string, may_approve: boolean): Input {
    return {
      max_plan_cents: this.whole(200_000, 2_500_000),
      monthly_cap_cents: this.whole(500_000, 6_000_000),
      channels: this.random.next() < 0.8 ? ['x_creators', 'reddit'] : ['x_creators'],
      may_approve,
      expires_at: new Date(
        Date.parse(now) + this.whole(MANDATE_DAYS - 100, MANDATE_DAYS) * DAY_S * 1_000,
      ).toISOString(),
    };
  }

  /** Makes a child of the key that signs; its parent refuses what is wider than itself. */
  private async delegate(mandate: Input): Promise<Answer> {
    const half = (field: string) => Math.ceil(Number(mandate[field]) / 2);
    const input = {
      name: 'child',
      scopes: CHILD_SCOPES,
      mandate: {
        ...mandate,
        max_plan_cents: half('max_plan_cents'),
        monthly_cap_cents: half('monthly_cap_cents'),
        channels: ['x_creators'],
        may_approve: true,
      },
      expires_at: new Date(Date.now() + 30 * DAY_S * 1_000).toISOString(),
    };
    const answer = await this.call('key_delegate', input);
    if (answer.status === 201) {
      const { key, secret } = answer.body as { key: Key; secret: string };
      this.children.set(key.id, { id: key.id, secret });
    }
    return answer;
  }

  private async acceptTerms({ id }: Known): Promise<Answer> {
    const { current } = await this.personReads<{ current: { version: string } }>('terms_get');
    return this.person('key_terms_accept', { id, version: current.version });
  }

  private revoke({ id }: Known): Promise<Answer> {
    this.children.delete(id);
    return this.person('key_revoke', { id });
  }

  /** Reads creators until a limit refuses it. */
  private async readTooMuch(): Promise<void> {
    const reader = this.key('reader');
    let reads = 0;
    for (let status = 200; status === 200; reads += 1)
      ({ status } = await this.call('creators_search', { limit: 1, q: 'zzzz-nobody' }, reader));
    this.done.push(`${reads} reads`);
  }

  private async campaignStep(): Promise<void> {
    const { campaigns } = await this.read<{ campaigns: CampaignSummary[] }>('campaigns_list');
    const campaign = campaigns.length === 0 ? undefined : this.random.pick(campaigns);
    const status = campaign && (await this.read<CampaignStatus>('campaign_status', { id: campaign.id }));
    const { now } = await this.read<{ now: string }>('sandbox_clock');
    const [name, input] = this.drawn(now.slice(0, 10), status);
    if (name === 'approve_plan') {
      const signer = this.random.pick([this.key('full'), ...this.children.values()]);
      return this.sign(await this.read<Quote>('plan_quote', { id: input['id'] }), signer, 0.8);
    }
    const answer = await this.call(name, input);
    this.done.push(`${name} ${JSON.stringify(input)} ${answer.status}`);
  }

  private drawn(today: string, status: CampaignStatus | undefined): [OperationName, Record<string, unknown>] {
    const { random } = this;
    const advance: [OperationName, Record<string, unknown>] = [
      'sandbox_clock_advance',
      { seconds: Math.ceil(random.next() * 6 * DAY_S) },
    ];
    if (status === undefined || random.next() < 0.15)
      return ['create_campaign', random.next() < 0.7 ? aCampaign(today) : aDraft(today)];
    const { id, plan } = status;
    const ways: [OperationName, Record<string, unknown>][] = [
      ['rename_campaign', { id, name: `Orbit ${this.whole(1, 99)}` }],
      ['rename_campaign', { id, replacements: random.next() < 0.5 ? 'ask' : 'auto' }],
      ['set_creator_guidelines', { id, pitch: `Try Orbit ${this.whole(1, 99)}.`, dos: ['Show it'] }],
    ];
    if (plan === null)
      return random.pick<[OperationName, Record<string, unknown>]>([...ways, ['delete_campaign', { id }]]);
    if (plan.status === 'approved') return random.next() < 0.8 ? advance : random.pick(ways);
    const line_id = random.pick(plan.lines).id;
    const unit_id = random.pick(this.units);
    const day = (days: number) => new Date(Date.parse(today) + days * DAY_S * 1_000).toISOString().slice(0, 10);
    return random.pick<[OperationName, Record<string, unknown>]>([
      ...ways,
      ['plan_add_creator', { id: plan.id, unit_id }],
      ['plan_swap_creator', { id: plan.id, line_id, unit_id }],
      ['plan_remove_creator', { id: plan.id, line_id }],
      ['plan_move_dates', { id: plan.id, start: day(4 + this.whole(0, 3)), end: day(28) }],
      ['approve_plan', { id: plan.id }],
      ['approve_plan', { id: plan.id }],
    ]);
  }

  /** Reads on in the feed until it shows what the reads answer. */
  async compare(): Promise<void> {
    for (const end = performance.now() + SHOWN_MS; ; await delay(100)) {
      await this.readOn();
      try {
        await expectSame(
          this.fold,
          (name, input) => this.read(name, input),
          (name, input) => this.personReads(name, input),
        );
        const { now } = await this.read<{ now: string }>('sandbox_clock');
        for (const key of [this.key('full'), this.key('reader'), ...this.children.values()])
          await expectSameLimits(this.fold, key.id, now, (name, input) => this.read(name, input, key));
        const reached = this.fold.all('limit').map(({ key_id, reason }) => ({ key_id, reason }));
        expect(reached).toEqual(expect.arrayContaining([...this.refused.values()]));
        return;
      } catch (error) {
        if (performance.now() > end) throw error;
      }
    }
  }

  private async readOn(): Promise<void> {
    for (;;) {
      const page = await this.read<FeedPage>('events_list', {
        limit: this.whole(1, 50),
        ...(this.cursor === undefined ? {} : { cursor: this.cursor }),
      });
      for (const event of page.events) this.fold.take(event);
      this.cursor = page.next;
      if (page.events.length === 0) return;
    }
  }

  /** Empties the sandbox; the feed goes on from any cursor. */
  async reset(): Promise<void> {
    await this.call('sandbox_reset', {});
    this.done.push('reset');
    await this.compare();
    expect(this.fold.all('plan')).toEqual([]);
  }

  /** How much of what the feed is about a history had. */
  get size(): Record<string, number> {
    const count = (type: 'order' | 'mandate' | 'limit') => this.fold.all(type).length;
    const posts = this.fold.posts().length;
    return { orders: count('order'), posts, mandates: count('mandate'), limits: count('limit') };
  }
}

describe(`the feed of random histories, seed ${SEED}`, () => {
  let stack: SharedStack;
  let mongo: MongoClient;
  let units: string[];

  beforeAll(async () => {
    stack = await sharedStack();
    mongo = await new MongoClient(stack.mongodbUri).connect();
    const reader = secretOf((await aBrand(stack)).sandbox, 'full');
    const page = (await ask(stack, reader, 'creators_search', { sort: 'price', dir: 'asc', limit: 50 }))
      .body as Creators;
    units = page.creators.flatMap(({ offerings }) => offerings.flatMap((one) => (one.buyable ? [one.unit_id] : [])));
  }, 180_000);
  afterAll(() => mongo?.close());

  it.each(Array.from({ length: RUNS }, (_none, at) => at))(
    'folded, it is what the reads answer at every step (run %i)',
    async (at) => {
      const history = await History.begin(stack, mongo, new Random(SEED + at), units);
      try {
        await history.launch();
        await history.compare();
        for (let step = 0; step < STEPS; step += 1) {
          await history.step();
          await history.compare();
        }
        process.stderr.write(`feed: ${JSON.stringify(history.size)} after ${STEPS} steps\n`);
        await history.reset();
        await history.step();
        await history.compare();
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error);
        throw new Error(`${said}\n\nafter\n  ${history.done.join('\n  ')}`, { cause: error });
      }
    },
    (STEPS + 10) * STEP_MS,
  );
});
