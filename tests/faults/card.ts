import { setTimeout as delay } from 'node:timers/promises';
import type { StripeFake } from '@cds/billing/testing';
import type { OpsOrder } from '@cds/contracts';
import { Databases } from '../support/audits/audit.js';
import { wrongAtRest } from '../support/audits/audits.js';
import { refilling } from '../support/refilling.js';
import type { Stack } from '../support/stack.js';
import { Caller } from './caller.js';
import { History } from './history.js';
import { type PaidOrder, Payer } from './payer.js';
import { Random } from './random.js';
import { until } from './system.js';

/** What Stripe may do for a while: how it answers, or when its events come. */
export const MOODS = ['slow', 'away', 'busy', 'loses answers', 'breaks before', 'breaks after', 'late events'] as const;
export type CardMood = (typeof MOODS)[number];
const KILLED = ['billing', 'gateway', 'nats'] as const;

export type CardFaultPlan = {
  seed: number;
  /** How often each mood comes, and whether one in ten lasts long. */
  rounds: number;
  long: boolean;
  payers: number;
};

export type CardFaultReport = {
  seed: number;
  moods: Record<string, number>;
  kills: Record<string, number>;
  callsInMoods: number;
  orders: number;
  refunds: number;
  writes: number;
  retries: number;
  violations: string[];
};

const MOOD_MS = [500, 4_000] as const;
/** The share of moods that outlast every call to Stripe and the request that made it. */
const LONG = 0.1;
const LONG_MS = 30_000;
/** The share of moods in which a process dies. */
const WITH_A_KILL = 0.6;

/**
 * Payers pay live orders by card and the team repays parts, while Stripe fails in every way and processes die. Then our
 * books say of each order what Stripe's say, each refund was made once, and every audit passes
 * (docs/reliability.md#faults).
 */
export const runCardFaults = async (
  stack: Stack,
  stripe: StripeFake,
  plan: CardFaultPlan,
): Promise<CardFaultReport> => {
  const random = new Random(plan.seed);
  const history = new History();
  const problems: string[] = [];
  const workspaces: string[] = [];
  const stopRefilling = await refilling(stack, workspaces, { everybody: true });
  const payers = Array.from(
    { length: plan.payers },
    (_none, index) =>
      new Payer(stack, stripe, `payer${index}`, random.fork(), history, (workspace) => workspaces.push(workspace)),
  );
  const faults = new CardFaults(stack, stripe, random.fork(), plan.long ? LONG : 0);
  let working = true;
  const jobs = payers.map(async (payer, index) => {
    while (working)
      await payer.job().catch((error: unknown) => {
        problems.push(`payer ${index}: ${String(error)}`);
      });
  });
  try {
    await until('an order is signed', async () => payers.some(({ orders }) => orders.length > 0));
    for (const mood of random.shuffled(MOODS.flatMap((one) => Array<CardMood>(plan.rounds).fill(one))))
      await faults.inflict(mood);
    working = false;
    await Promise.all(jobs);
    // A call that Stripe broke keeps its answer under its key for a day.
    stripe.forgetKeys();
    const orders = payers.flatMap((payer) => payer.orders);
    const wrong = await wrongAgainstStripe(stack, stripe, orders, new Caller(stack, 'checker', random.fork(), history));
    const databases = await Databases.open(stack.mongodbUri, stack.prefix);
    const audited = await wrongAtRest(databases).finally(() => databases.close());
    return {
      seed: plan.seed,
      moods: faults.moods,
      kills: faults.kills,
      callsInMoods: faults.callsInMoods,
      orders: orders.length,
      refunds: orders.reduce((sum, { refunded }) => sum + refunded.length, 0),
      writes: history.writes.length,
      retries: history.writes.reduce((sum, { unknown }) => sum + unknown, 0),
      violations: [...problems, ...history.faults(), ...wrong, ...audited],
    };
  } finally {
    working = false;
    stripe.answers('well');
    await stopRefilling();
  }
};

class CardFaults {
  readonly moods: Record<string, number> = {};
  readonly kills: Record<string, number> = {};
  callsInMoods = 0;

  constructor(
    private readonly stack: Stack,
    private readonly stripe: StripeFake,
    private readonly random: Random,
    private readonly long: number,
  ) {}

  async inflict(mood: CardMood): Promise<void> {
    const { random, stripe } = this;
    const forMs = random.next() < this.long ? LONG_MS : random.between(...MOOD_MS);
    const killed = random.next() < WITH_A_KILL ? random.pick(KILLED) : null;
    const before = random.between(0, forMs);
    const callsBefore = stripe.calls.length;
    const end = this.begin(mood);
    await delay(before);
    if (killed !== null) await this.kill(killed);
    await delay(forMs - before);
    this.callsInMoods += stripe.calls.length - callsBefore;
    end();
    this.moods[mood] = (this.moods[mood] ?? 0) + 1;
    await delay(random.between(0, 1_000));
  }

  private begin(mood: CardMood): () => void {
    if (mood === 'late events') {
      const release = this.stripe.holdEvents();
      return () => release((events) => this.random.shuffled([...events, ...events]));
    }
    this.stripe.answers(mood);
    return () => this.stripe.answers('well');
  }

  private async kill(target: (typeof KILLED)[number]): Promise<void> {
    const { stack } = this;
    if (target === 'nats') {
      await stack.nats.kill();
      await stack.nats.restart();
    } else {
      await stack.kill(target);
      await stack.restartService(target);
    }
    this.kills[target] = (this.kills[target] ?? 0) + 1;
  }
}

const wrongAgainstStripe = async (
  stack: Stack,
  stripe: StripeFake,
  orders: readonly PaidOrder[],
  caller: Caller,
): Promise<string[]> => {
  const wrong: string[] = [];
  for (const { id, total_cents, refunded } of orders) {
    const read = () => caller.read<OpsOrder>(stack.opsToken, 'ops_order_get', { id });
    await until(`the refunds of order ${id} are made`, async () => (await read()).pending_refunds.length === 0).catch(
      (error: unknown) => wrong.push(String(error)),
    );
    const order = await read();
    const paid = stripe.sessionsOf(id).filter(({ payment_status: status }) => status === 'paid');
    if (paid.length !== 1) wrong.push(`Stripe has ${paid.length} payments of order ${id}`);
    if (order.received_cents !== total_cents || order.stray_cents !== 0)
      wrong.push(`order ${id} of ${total_cents} received ${order.received_cents} and ${order.stray_cents} stray`);
    const ours = order.refunds.map(({ amount_cents }) => amount_cents);
    const atStripe = paid.flatMap(({ payment_intent: payment }) =>
      stripe.refundsOf(payment ?? '').map(({ amount }) => amount),
    );
    const [asked, booked, made] = [refunded, ours, atStripe].map((cents) =>
      cents.toSorted((one, other) => one - other).join(' '),
    );
    if (asked !== booked || booked !== made)
      wrong.push(`order ${id} was to be repaid [${asked}], its books say [${booked}] and Stripe's [${made}]`);
  }
  return wrong;
};
