// @night: payments under faults are drawn by the simulation by day.
import { randomUUID } from 'node:crypto';
import { StripeFake } from '@cds/billing/testing';
import type { BrandOrder, OpsOrder, PlanApproved, Quote } from '@cds/contracts';
import { seedFrom } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aCampaign } from '../support/matrix-arguments.js';
import { aBrand, ask, eventually, type Stack, secretOf, startWholeStack } from '../support/stack.js';
import { MOODS, runCardFaults } from './card.js';

/** `npm test` has each mood of Stripe once, `npm run test:faults` more often. */
const seed = seedFrom('CDS_FAULT_SEED');
const rounds = Number(process.env['CDS_FAULT_STRIPE'] ?? 1);

/**
 * Live orders on the card rail, through every process (docs/domain/orders.md#rails, docs/domain/orders.md#refunds,
 * docs/reliability.md#faults).
 */
describe(`live orders by card, seed ${seed}`, () => {
  let stripe: StripeFake;
  let stack: Stack;
  let key: string;

  beforeAll(async () => {
    stripe = await StripeFake.start();
    stack = await startWholeStack({
      creators: 250,
      env: {
        CDS_STRIPE_SECRET_KEY: 'rk_test_system',
        CDS_STRIPE_WEBHOOK_SECRETS: stripe.webhookSecret,
        CDS_STRIPE_API_URL: stripe.url,
      },
    });
    stripe.deliverTo(`${stack.appUrl}/api/rails/stripe/events`);
    key = secretOf((await aBrand(stack)).live, 'full');
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
    await stripe?.stop();
  }, 60_000);

  const signed = async (): Promise<PlanApproved> => {
    const today = new Date().toISOString().slice(0, 10);
    const made = await ask(stack, key, 'create_campaign', aCampaign(today));
    const { plan } = made.body as { plan: { plan_id: string } };
    const quote = (await ask(stack, key, 'plan_quote', { id: plan.plan_id })).body as Quote;
    const approved = await ask(stack, key, 'approve_plan', {
      id: plan.plan_id,
      terms_fingerprint: quote.terms_fingerprint,
    });
    expect(approved.status).toBe(200);
    return approved.body as PlanApproved;
  };
  const formToken = async (url: string): Promise<string> =>
    /name="form_token" value="([^"]+)"/.exec(await (await fetch(url)).text())?.[1] ?? '';
  const pressPay = async ({ payment }: PlanApproved): Promise<string> => {
    const answer = await fetch(`${payment.url}/checkout`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: new URL(payment.url).origin },
      body: new URLSearchParams({ form_token: await formToken(payment.url) }),
    });
    expect(answer.status).toBe(303);
    return answer.headers.get('location') ?? '';
  };
  const order = async (id: string, isSo: (order: BrandOrder) => boolean): Promise<BrandOrder> =>
    (await eventually(() => ask(stack, key, 'order_get', { id }), isSo)).body as BrandOrder;
  const killBilling = async (): Promise<void> => {
    await stack.kill('billing');
    await stack.restartService('billing');
  };

  it('are paid, and repaid in parts, though billing dies at each step', async () => {
    const approved = await signed();
    const id = approved.order_id;
    const total = approved.order.total_cents;
    expect(approved.payment.rail).toBe('checkout');

    const cardPage = await pressPay(approved);
    expect(await pressPay(approved)).toBe(cardPage);
    await killBilling();
    expect((await fetch(cardPage, { method: 'POST', redirect: 'manual' })).status).toBe(303);
    await order(id, ({ payment_state: state }) => state === 'paid');

    const idempotencyKey = `refund-${randomUUID()}`;
    const refund = () =>
      ask(
        stack,
        stack.opsToken,
        'ops_order_refund',
        { id, amount_cents: 1_000, reason: 'a test' },
        { 'idempotency-key': idempotencyKey },
      );
    const [first, second] = [await refund(), await refund()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    await killBilling();
    const repaid = await order(id, ({ refunds }) => refunds.length > 0);
    expect(repaid).toMatchObject({
      payment_state: 'partially_refunded',
      received_cents: total,
      refunds: [{ amount_cents: 1_000 }],
      committed_cents: total - 1_000,
      unused_cents: 0,
      stray_cents: 0,
    });
    const payment = stripe.sessionOf(id)?.payment_intent ?? '';
    expect(stripe.refundsOf(payment).map(({ amount }) => amount)).toEqual([1_000]);

    const ledger = (await ask(stack, stack.opsToken, 'ops_order_get', { id })).body as OpsOrder;
    expect(ledger.ledger.map(({ kind, amount_cents: cents }) => [kind, cents])).toEqual([
      ['signed', 0],
      ['charge', total],
      ['refund', -1_000],
    ]);
  }, 120_000);

  it(
    'are paid once and repaid once while Stripe fails in every way and processes die (I19, I21)',
    async () => {
      const report = await runCardFaults(stack, stripe, { seed, rounds, long: rounds > 1, payers: 3 });
      process.stderr.write(`card under faults: ${JSON.stringify(report)}\n`);
      expect(report.violations).toEqual([]);
      expect(report.moods).toEqual(Object.fromEntries(MOODS.map((mood) => [mood, rounds])));
      expect(report.callsInMoods).toBeGreaterThan(0);
      expect(report.orders).toBeGreaterThan(2);
      expect(report.refunds).toBeGreaterThan(0);
    },
    300_000 + rounds * MOODS.length * 40_000,
  );
});
