import { setTimeout as delay } from 'node:timers/promises';
import type { CampaignStatus, CampaignSummary, Creators, FeedPage, OperationName, Quote } from '@cds/contracts';
import { seedFrom } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { Random } from '../faults/random.js';
import { expectSame } from '../support/feed-compare.js';
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
const RUNS = Number(process.env['CDS_FEED_RUNS'] ?? 2);
const STEPS = Number(process.env['CDS_FEED_STEPS'] ?? 24);
const DAY_S = 86_400;
/** How long the feed may take to show what happened. */
const SHOWN_MS = 15_000;

class History {
  private readonly fold = new FeedFold();
  private cursor: string | undefined;
  readonly done: string[] = [];

  constructor(
    private readonly stack: SharedStack,
    private readonly mongo: MongoClient,
    private readonly sandbox: SeededWorkspace,
    private readonly random: Random,
    private readonly units: readonly string[],
  ) {}

  /** One request of a history, which sends more than a key's minute allows. */
  private async call(name: OperationName, input: Record<string, unknown>): Promise<Answer> {
    const keys = this.mongo.db(`${this.stack.prefix}cds_gateway`).collection('keys');
    await keys.updateMany({ ws: this.sandbox.id }, { $set: { n: 0 } });
    const key = secretOf(this.sandbox, 'full');
    const answer = await retried((id) => ask(this.stack, key, name, input as never, { 'idempotency-key': id }));
    if (answer.status >= 500) throw new Error(`${name} answered ${answer.status}`);
    return answer;
  }

  private whole(low: number, high: number): number {
    return Math.floor(this.random.between(low, high + 1));
  }

  private async read<T>(name: OperationName, input: Record<string, unknown> = {}): Promise<T> {
    const { status, body } = await this.call(name, input);
    expect([name, status]).toEqual([name, 200]);
    return body as T;
  }

  async step(): Promise<void> {
    const { campaigns } = await this.read<{ campaigns: CampaignSummary[] }>('campaigns_list');
    const campaign = campaigns.length === 0 ? undefined : this.random.pick(campaigns);
    const status = campaign && (await this.read<CampaignStatus>('campaign_status', { id: campaign.id }));
    const { now } = await this.read<{ now: string }>('sandbox_clock');
    const [name, input] = this.drawn(now.slice(0, 10), status);
    const approving = name === 'approve_plan' ? await this.read<Quote>('plan_quote', { id: input['id'] }) : undefined;
    const sent = approving === undefined ? input : { ...input, terms_fingerprint: approving.terms_fingerprint };
    const answer = await this.call(name, sent);
    this.done.push(`${name} ${JSON.stringify(sent)} ${answer.status}`);
    if (name === 'approve_plan' && answer.status === 200 && this.random.next() < 0.8) {
      const { order_id } = answer.body as { order_id: string };
      await this.call('sandbox_order_payment', { id: order_id });
      this.done.push('paid');
    }
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
        await expectSame(this.fold, (name, input) => this.read(name, input));
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

  get posts(): number {
    return this.fold.posts().length;
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
      const { sandbox } = await aBrand(stack);
      const history = new History(stack, mongo, sandbox, new Random(SEED + at), units);
      try {
        for (let step = 0; step < STEPS; step += 1) {
          await history.step();
          await history.compare();
        }
        process.stderr.write(`feed: ${history.posts} posts after ${STEPS} steps\n`);
        await history.reset();
        await history.step();
        await history.compare();
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error);
        throw new Error(`${said}\n\nafter\n  ${history.done.join('\n  ')}`, { cause: error });
      }
    },
    300_000,
  );
});
