import { setTimeout as delay } from 'node:timers/promises';
import type { CampaignStarted, Creators, OperationName, Quote } from '@cds/contracts';
import { aBrand, type SeededWorkspace, type Stack, secretOf } from '../support/stack.js';
import { bodyOf, Caller } from './caller.js';
import type { History, Write } from './history.js';
import type { Random } from './random.js';

const CAMPAIGNS_A_DAY = 3;

/** An agent of one brand that runs the main job in a loop and retries each write until it gets a final answer. */
export class Agent {
  workspace = '';
  keyId = '';
  secret = '';
  private started = Number.POSITIVE_INFINITY;
  private readonly caller: Caller;

  constructor(
    private readonly stack: Stack,
    name: string,
    private readonly random: Random,
    history: History,
    private readonly mayStop: () => boolean,
    /** How many jobs run before the next brand, whose key has its own minute window. */
    private readonly jobsABrand = CAMPAIGNS_A_DAY,
  ) {
    this.caller = new Caller(stack, name, random, history);
  }

  async run(): Promise<void> {
    while (!this.mayStop()) await this.job();
  }

  adopt(sandbox: SeededWorkspace): void {
    this.workspace = sandbox.id;
    this.keyId = sandbox.keys.find((one) => one.name === 'full')?.id ?? '';
    this.secret = secretOf(sandbox, 'full');
    this.started = 0;
  }

  /** Takes one plan from brief to payment; returns the approval, or null when the job ended before it. */
  async job(approving: (plan: Quote) => Promise<void> = async () => undefined): Promise<Write | null> {
    if (this.started >= this.jobsABrand) await this.newBrand();
    const started = await this.write<CampaignStarted>('create_campaign', await this.brief());
    this.started += 1;
    if (started?.plan === undefined || started.plan === null) return null;

    const plan = await this.edit(started.plan);
    await approving(plan);
    const approval = await this.send('approve_plan', { id: plan.plan_id, terms_fingerprint: plan.terms_fingerprint });
    const answer = approval.answers[0];
    if (answer?.status === 200 && this.random.next() < 0.5) {
      await this.write('sandbox_order_payment', {
        id: (answer.body as { order_id: string }).order_id,
        outcome: 'paid',
      });
      if (this.random.next() < 0.3) await this.pass(Math.floor(this.random.between(1, 10)));
    }
    return approval;
  }

  async pass(days: number): Promise<void> {
    const { status, body } = (await this.send('sandbox_clock_advance', { seconds: days * 86_400 })).answers[0] ?? {};
    if (status !== 200) throw new Error(`the clock did not move: ${status} ${JSON.stringify(body)}`);
  }

  send(operation: OperationName, input: Record<string, unknown>): Promise<Write> {
    return this.caller.send(this, operation, input);
  }

  again(write: Write): Promise<Write> {
    return this.caller.again(write);
  }

  async units(): Promise<string[]> {
    const page = await this.read<Creators>('creators_search', {
      sort: 'price',
      dir: 'asc',
      price_min: 1,
      limit: 20,
      offset: Math.floor(this.random.between(0, 20)),
    });
    return page.creators.flatMap((one) => one.offerings.filter((unit) => unit.buyable).map((unit) => unit.unit_id));
  }

  private async write<T>(operation: OperationName, input: Record<string, unknown>): Promise<T | null> {
    return bodyOf<T>(await this.send(operation, input));
  }

  private read<T>(operation: OperationName, input: Record<string, unknown>): Promise<T> {
    return this.caller.read(this.secret, operation, input);
  }

  private async newBrand(): Promise<void> {
    for (;;) {
      try {
        this.adopt((await aBrand(this.stack)).sandbox);
        return;
      } catch {
        await delay(100);
      }
    }
  }

  private async brief(): Promise<Record<string, unknown>> {
    const { now } = await this.read<{ now: string }>('sandbox_clock', {});
    const day = (days: number) => new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10);
    return {
      goal: 'launch',
      product: 'A tool for founders',
      moment: 'It goes live on the first day',
      window_start: day(3),
      window_end: day(20),
      budget_usd: 3_000,
    };
  }

  private async edit(first: Quote): Promise<Quote> {
    let plan = first;
    const units = await this.units();
    for (let edits = Math.floor(this.random.between(0, 3)); edits > 0 && units.length > 0; edits -= 1) {
      const line = this.random.pick(plan.lines);
      const choice = this.random.next();
      const answer =
        choice < 0.4
          ? await this.write<{ plan: Quote }>('plan_add_creator', {
              id: plan.plan_id,
              unit_id: this.random.pick(units),
            })
          : choice < 0.7
            ? await this.write<{ plan: Quote }>('plan_remove_creator', { id: plan.plan_id, line_id: line.id })
            : await this.write<{ plan: Quote }>('plan_swap_creator', {
                id: plan.plan_id,
                line_id: line.id,
                unit_id: this.random.pick(units),
              });
      plan = answer?.plan ?? plan;
    }
    return plan;
  }
}
