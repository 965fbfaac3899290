import { setTimeout as delay } from 'node:timers/promises';
import type {
  CampaignStatus,
  CampaignSummary,
  FeedPage,
  Key,
  OperationName,
  OpsPriceAsk,
  Quote,
  Scope,
} from '@cds/contracts';
import { expect } from '@jest/globals';
import type { MongoClient } from 'mongodb';
import { ownerSession } from '../../tools/lib/owner-session.js';
import type { Random } from '../faults/random.js';
import { type Act, campaignAct, DAY_S, type Input, moneyAct, postAct, whole } from './feed-acts.js';
import { expectSame, expectSameLimits } from './feed-compare.js';
import { FeedFold } from './feed-fold.js';
import { listOf } from './feed-stages.js';
import { aCampaign } from './matrix-arguments.js';
import { type Answer, aBrand, ask, retried, type SeededWorkspace, type SharedStack } from './stack.js';

/** After so many requests the minutes of the keys begin again. */
const WINDOW = 20;
const MANDATE_DAYS = 300;
/** The seeded keys whose mandates change: the first one keeps signing. */
const MANDATED = ['full', 'writer', 'muted', 'bare'] as const;
const CHILD_SCOPES: Scope[] = ['campaigns:read', 'campaigns:write', 'plans:approve'];
/** How long the feed may take to show what happened. */
const SHOWN_MS = 15_000;
/** Price requests for one creator, and in all, which are one more than a day allows. */
const ASKS = { creator: 4, all: 21 } as const;

type Known = { id: string; secret: string };

/** What a history draws from the network: units that are on sale, and creators who have none. */
export type Network = { units: readonly string[]; unpriced: readonly string[] };

/** A random history of a sandbox, of which everything is compared with what its feed says. */
export class FeedHistory {
  private readonly fold = new FeedFold();
  private cursor: string | undefined;
  /** The children that the key that signs has made, and that live. */
  private readonly children = new Map<string, Known>();
  /** The keys that were refused by a limit, and by which. */
  private readonly refused = new Map<string, { key_id: string; reason: string; creator_id: string | null }>();
  readonly done: string[] = [];
  private sent = 0;

  private constructor(
    private readonly stack: SharedStack,
    private readonly mongo: MongoClient,
    private readonly sandbox: SeededWorkspace,
    private readonly owner: Record<string, string>,
    private readonly random: Random,
    private readonly network: Network,
  ) {}

  static async begin(stack: SharedStack, mongo: MongoClient, random: Random, network: Network) {
    const { live, sandbox } = await aBrand(stack);
    const owner = { origin: stack.appUrl, cookie: await ownerSession(stack, live.name) };
    await ask(stack, null, 'session_workspace_set', { workspace: sandbox.id }, owner);
    const history = new FeedHistory(stack, mongo, sandbox, owner, random, network);
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
    const { error } = (answer.body ?? {}) as { error?: { code: string; details: Record<string, string> } };
    if (error?.code === 'rate_limited') {
      const { reason = '', creator_id = null } = error.details;
      this.refused.set(`${id} ${reason} ${creator_id}`, { key_id: id, reason, creator_id });
    }
    return answer;
  }

  /** A request of the operator's team. */
  private team(name: OperationName, input: Input): Promise<Answer> {
    return this.send(this.stack.opsToken, name, input);
  }

  /** A request of the brand's owner. */
  private person(name: OperationName, input: Input): Promise<Answer> {
    return this.send(null, name, input);
  }

  /** Does what was drawn; nothing where there is nothing to do it with. */
  private async act(act: Act | null): Promise<void> {
    if (act === null) return;
    const { status } =
      act.by === 'key' ? await this.call(act.name, act.input) : await this[act.by](act.name, act.input);
    this.done.push(`${act.name} ${JSON.stringify(act.input)} ${status}`);
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
    await this.call('sandbox_clock_advance', { seconds: 8 * DAY_S });
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
    if (draw < 0.16) await this.keyStep();
    else if (draw < 0.19) await this.readTooMuch();
    else if (draw < 0.23) await this.askTooMuch();
    else if (draw < 0.43) await this.act(moneyAct(this.fold, this.random));
    else if (draw < 0.62) await this.act(postAct(this.fold, this.random));
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
      max_plan_cents: whole(this.random, 200_000, 2_500_000),
      monthly_cap_cents: whole(this.random, 500_000, 6_000_000),
      channels: this.random.next() < 0.8 ? ['x_creators', 'reddit'] : ['x_creators'],
      may_approve,
      expires_at: new Date(
        Date.parse(now) + whole(this.random, MANDATE_DAYS - 100, MANDATE_DAYS) * DAY_S * 1_000,
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

  /** Asks for a price until the limit of one creator refuses it, and for others until that of all does. */
  private async askTooMuch(): Promise<void> {
    const [first = '', ...others] = this.network.unpriced;
    const creators = [...Array.from({ length: ASKS.creator }, () => first), ...others].slice(0, ASKS.all);
    const statuses: number[] = [];
    for (const id of creators) {
      statuses.push((await this.call('creator_ask_price', { id })).status);
      if (id === first) await this.closeAsks();
    }
    this.done.push(`price requests ${statuses}`);
  }

  /** The team answers no price for what was asked, so that it can be asked again. */
  private async closeAsks(): Promise<void> {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await this.team('ops_price_asks_list', { status: 'requested', ...(cursor && { cursor }) });
      const { price_asks: asks, next } = body as { price_asks: OpsPriceAsk[]; next: string | null };
      for (const { id, workspace } of asks)
        if (workspace === this.sandbox.id) await this.team('ops_price_ask_close', { id, reason: 'a test' });
      cursor = next;
    }
  }

  private async campaignStep(): Promise<void> {
    const { campaigns } = await this.read<{ campaigns: CampaignSummary[] }>('campaigns_list');
    const campaign = campaigns.length === 0 ? null : this.random.pick(campaigns);
    const status = campaign && (await this.read<CampaignStatus>('campaign_status', { id: campaign.id }));
    const { now } = await this.read<{ now: string }>('sandbox_clock');
    const act = campaignAct(now.slice(0, 10), status, this.network.units, this.random);
    if (act.name !== 'approve_plan') return this.act(act);
    const signer = this.random.pick([this.key('full'), ...this.children.values()]);
    return this.sign(await this.read<Quote>('plan_quote', { id: act.input['id'] }), signer, 0.8);
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
        const reached = this.fold
          .all('limit')
          .map(({ key_id, reason, creator_id }) => ({ key_id, reason, creator_id }));
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
        limit: whole(this.random, 1, 50),
        ...(this.cursor === undefined ? {} : { cursor: this.cursor }),
      });
      for (const event of page.events) this.fold.take(event);
      this.cursor = page.next;
      if (page.events.length === 0) return;
    }
  }

  /** Empties the sandbox; the feed continues from any cursor. */
  async reset(): Promise<void> {
    await this.call('sandbox_reset', {});
    this.done.push('reset');
    await this.compare();
    expect(this.fold.all('plan')).toEqual([]);
  }

  /** How much of what the feed is about a history had. */
  get size(): Record<string, number> {
    const count = (type: 'order' | 'post' | 'mandate' | 'limit') => this.fold.all(type).length;
    const inAll = (type: 'order' | 'post', field: string) =>
      this.fold.all(type).reduce((sum, one) => sum + listOf(one[field]).length, 0);
    return {
      orders: count('order'),
      refunds: inAll('order', 'refunds'),
      credits: inAll('order', 'credits'),
      posts: this.fold.proof().length,
      claims: inAll('post', 'claims'),
      mandates: count('mandate'),
      limits: count('limit'),
    };
  }
}
