// @night: plays a campaign to its end twice; each step has tests beside it.
import type { BrandOrder, CampaignStatus, Quote } from '@cds/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { aBrand, ask, keptStack, retried, type SharedStack, secretOf, sharedStack } from '../support/stack.js';

const DAY_S = 86_400;
/** After it every post of a window of three weeks has its last reading, and every line its end. */
const DAYS = 45;
/** How many of them are jumps of one day: creators answer, are replaced, post, and remove posts. */
const SINGLE_DAYS = 15;

const dayAfter = (instant: string, days: number): string =>
  new Date(Date.parse(instant) + days * DAY_S * 1_000).toISOString().slice(0, 10);

/** A signed and paid campaign of a sandbox, with how to write there and read what became of it. */
const paidCampaign = async (stack: SharedStack, key: string) => {
  const write = async (operation: Parameters<typeof ask>[2], input: object): Promise<unknown> => {
    const answer = await retried((id) => ask(stack, key, operation, input as never, { 'idempotency-key': id }));
    expect({ operation, status: answer.status < 300, body: answer.status < 300 || answer.body }).toEqual({
      operation,
      status: true,
      body: true,
    });
    return answer.body;
  };
  const { now } = (await ask(stack, key, 'sandbox_clock', {})).body as { now: string };
  const started = (await write('create_campaign', {
    goal: 'launch',
    product: 'Orbit, an AI pair for founders',
    moment: 'Orbit goes live on the first day of the window',
    window_start: dayAfter(now, 3),
    window_end: dayAfter(now, 24),
    budget_usd: 15_000,
  })) as { id: string; plan: Quote };
  const { plan } = started;
  const signed = (await write('approve_plan', {
    id: plan.plan_id,
    terms_fingerprint: plan.terms_fingerprint,
  })) as { order_id: string };
  await write('sandbox_order_payment', { id: signed.order_id, outcome: 'paid' });
  const read = async () => ({
    status: (await ask(stack, key, 'campaign_status', { id: started.id })).body as CampaignStatus,
    order: (await ask(stack, key, 'order_get', { id: signed.order_id })).body as BrandOrder,
  });
  return { write, read, now, plan, campaignId: started.id, orderId: signed.order_id };
};

/**
 * Fulfilment on real engines (docs/domain/orders.md#proposals, docs/domain/orders.md#remedies), with two processes of
 * each service: two sandboxes play the same campaign, one in a single jump, one day by day. Whichever process handles
 * what is due, an advanced clock answers once it is done (ADR 0009).
 */
describe('a paid campaign of a sandbox, left to itself', () => {
  let stack: SharedStack;

  beforeAll(async () => {
    stack = await keptStack('pairs');
  }, 180_000);

  const campaign = async (key?: string) => paidCampaign(stack, key ?? secretOf((await aBrand(stack)).sandbox, 'full'));

  /** What became of each line, without what differs between two brands. */
  const storyOf = ({ status, order }: { status: CampaignStatus; order: BrandOrder }) =>
    (status.plan?.lines ?? []).map((line) => ({
      slot: line.slot,
      date: line.scheduled_date,
      stage: line.stage_id,
      proposal: { ...line.proposal, updated_at: undefined },
      next: line.next?.text,
      credits: order.credits
        .filter(({ line_id }) => line_id === line.id)
        .map(({ cause, amount_cents }) => ({ cause, amount_cents })),
    }));

  it('ends with each line proved or cancelled and each cent explained, the same in one jump as day by day', async () => {
    const [atOnce, byDays] = [await campaign(), await campaign()];
    await atOnce.write('sandbox_clock_advance', { seconds: DAYS * DAY_S });
    for (let day = 0; day < SINGLE_DAYS; day += 1) {
      await byDays.write('sandbox_clock_advance', { seconds: DAY_S });
      // Not each day: a key has 60 requests a minute.
      if (day % 4 === 0) {
        const seen = await byDays.read();
        expect(await byDays.read()).toEqual(seen);
      }
    }
    await byDays.write('sandbox_clock_advance', { seconds: (DAYS - SINGLE_DAYS) * DAY_S });

    const [one, other] = [await atOnce.read(), await byDays.read()];
    expect(storyOf(other)).toEqual(storyOf(one));

    const { status, order } = one;
    const lines = status.plan?.lines ?? [];
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter(({ stage_id }) => stage_id !== 'proof_attached' && stage_id !== 'cancelled')).toEqual([]);
    expect(lines.some(({ proposal }) => proposal?.replaced_handle != null)).toBe(true);
    const credited = (id: string): number =>
      order.credits.reduce((sum, one) => (one.line_id === id ? sum + one.amount_cents : sum), 0);
    for (const line of lines.filter(({ stage_id }) => stage_id === 'cancelled'))
      expect([line.id, credited(line.id)]).toEqual([line.id, line.price_cents]);
    const owed = order.credits.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
    expect(order.received_cents).toBe(order.committed_cents + owed);
    expect(order.unused_cents).toBe(owed);
    expect(order.received_cents).toBe(lines.reduce((sum, { price_cents }) => sum + price_cents, 0));
  }, 300_000);

  it('starts over after a reset: the same seed plays the same, another seed another', async () => {
    // A reset leaves gaps in the feed, and suites that use the other system after this one audit its feed.
    stack = await sharedStack();
    const { sandbox } = await aBrand(stack);
    const key = secretOf(sandbox, 'full');
    const days = (from: string, day: string): number =>
      Math.round((Date.parse(day) - Date.parse(from.slice(0, 10))) / (DAY_S * 1_000));
    const play = async () => {
      const played = await campaign(key);
      await played.write('sandbox_clock_advance', { seconds: 6 * DAY_S });
      const { status } = await played.read();
      const story = (status.plan?.lines ?? []).map((line) => [
        line.slot,
        days(played.now, line.scheduled_date),
        line.stage_id,
        line.proposal?.state,
      ]);
      return { ...played, story };
    };
    const first = await play();
    expect(first.story.length).toBeGreaterThan(10);

    expect(await first.write('sandbox_reset', {})).toMatchObject({ number: 1, seed: 1 });
    for (const [operation, id] of [
      ['campaign_status', first.campaignId],
      ['order_get', first.orderId],
    ] as const)
      expect([operation, (await ask(stack, key, operation, { id })).status]).toEqual([operation, 404]);
    expect((await ask(stack, key, 'campaigns_list', {})).body).toMatchObject({ campaigns: [] });

    const second = await play();
    expect(second.plan.mandate?.spent_this_month_cents).toBe(0);
    expect(second.story).toEqual(first.story);
    await second.write('sandbox_reset', { seed: 2 });
    const third = await play();
    expect(third.story).not.toEqual(first.story);
  }, 300_000);
});
