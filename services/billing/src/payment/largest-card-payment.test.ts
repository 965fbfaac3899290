import type { PayPage, PlanApproved, QuoteFacts } from '@cds/contracts';
import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import type { Signed } from '../test/builders.js';
import { anApproval, answerOf, codeOf } from '../test/builders.js';
import { LARGEST_PLAN } from '../test/live-orders.js';
import { testLiveOrders } from '../test/suite.js';

/** The most that Stripe takes in US dollars; a plan may cost a cent more. */
const MOST = 99_999_999;
const MORE = LARGEST_PLAN;
/** The least that it takes. */
const LEAST = 50;
const NO_INVOICES = { switches: { invoice_rail: false } };

/** docs/domain/orders.md#payment-options */
describe('the largest card payment', () => {
  const { billing, stripe, signed, page, onPage, order, ops, deliver, pressed } = testLiveOrders('largest_card');

  const approved = async (
    total: number,
    over: Parameters<typeof anApproval>[1] = {},
    rail?: 'checkout' | 'invoice',
  ) => {
    const plan = billing.planning.plan(total);
    const ctx = await anApproval(billing, {
      sandbox: false,
      mandate: aMandate({ max_plan_cents: MORE, monthly_cap_cents: MORE }),
      ...over,
    });
    const asked = { id: plan.id, terms_fingerprint: plan.terms_fingerprint, ...(rail !== undefined && { rail }) };
    return { ctx, outcome: billing.run('approve_plan', ctx, asked) };
  };
  /** An order above the end that was signed by card before the end was known. */
  const signedByCard = async (): Promise<Signed> => {
    const one = await signed('invoice', MORE);
    await billing.store.db
      .collection<{ _id: string }>('orders')
      .updateOne({ _id: one.id }, { $set: { rail: 'checkout' } });
    return one;
  };

  it('is what Stripe takes, to the cent', async () => {
    const one = await signed('checkout', MOST);
    expect(await page(one)).toMatchObject({ options: [{ rail: 'checkout' }, { rail: 'invoice' }] });
    expect(await page(one)).not.toHaveProperty('cards_end_at_cents');
    await deliver(stripe.pay(await pressed(one)));
    expect((await order(one.id)).payment_state).toBe('paid');
  });

  it('is named to whoever quotes', async () => {
    const facts = async (sandbox: boolean) =>
      answerOf<QuoteFacts>(
        await billing.run('quote_facts', await anApproval(billing, { sandbox }), { order_id: null }),
      );
    expect(await facts(false)).toMatchObject({ cards_end_at_cents: MOST });
    expect(await facts(true)).not.toHaveProperty('cards_end_at_cents');
  });

  it('makes a larger plan an order by invoice, and refuses the card for it', async () => {
    const { outcome } = await approved(MORE);
    expect(answerOf<PlanApproved>(await outcome)).toMatchObject({
      payment: { rail: 'invoice' },
      plan: { payment_options: [{ rail: 'invoice' }], agent_payment: 'team_invoice' },
    });
    const refused = await (await approved(MORE, {}, 'checkout')).outcome;
    expect(refused).toMatchObject({
      error: {
        code: 'unprocessable',
        details: {
          problems: [
            {
              field: 'rail',
              message: 'is not offered for this total. Card payments end at $999,999.99; offered: invoice',
            },
          ],
        },
      },
    });
  });

  it('leaves no rail without invoices: the approve says whom to ask', async () => {
    const { outcome } = await approved(MORE, NO_INVOICES);
    await expect(outcome).rejects.toMatchObject({
      code: 'unavailable',
      message:
        'Card payments end at $999,999.99, and no other way to pay is offered: ask our team at billing@example.com.',
    });
  });

  it('is not offered on the pay page above it, and a forged form is refused, not failed', async () => {
    const one = await signed('invoice', MORE);
    expect(await page(one)).toMatchObject({ options: [{ rail: 'invoice' }], cards_end_at_cents: MOST });
    await expect(onPage(one, 'pay_rail', { rail: 'checkout' })).rejects.toMatchObject({
      code: 'unprocessable',
      message: 'Card payments end at $999,999.99; pay by bank transfer.',
    });
    expect(await codeOf(onPage(one, 'pay_checkout'))).toBe('conflict');
  });

  it('has a least one below: the page of a smaller order says where cards begin, and takes the transfer', async () => {
    const one = await signed('invoice', LEAST - 1);
    expect(await page(one)).toMatchObject({ options: [{ rail: 'invoice' }], cards_begin_at_cents: LEAST });
    expect(await page(one, { invoice_rail: false })).toMatchObject({ options: [], cards_begin_at_cents: LEAST });
    expect(await page(one)).not.toHaveProperty('cards_end_at_cents');
    await expect(onPage(one, 'pay_rail', { rail: 'checkout' })).rejects.toMatchObject({
      code: 'unprocessable',
      message: 'Card payments begin at $0.50; pay by bank transfer.',
    });
    expect(await page(await signed('checkout', LEAST))).not.toHaveProperty('cards_begin_at_cents');
  });

  it('of an order that was signed by card is refused before Stripe is asked, and the transfer is taken', async () => {
    const one = await signedByCard();
    await expect(onPage(one, 'pay_checkout')).rejects.toMatchObject({
      code: 'conflict',
      message: 'Card payments end at $999,999.99. Open the payment page again for another way to pay.',
    });
    expect(stripe.sessionsOf(one.id)).toEqual([]);
    expect((await page(one)).session).toBeNull();
    expect(answerOf<PayPage>(await onPage(one, 'pay_rail', { rail: 'invoice' }))).toMatchObject({ rail: 'invoice' });
    const paid = { bank_reference: 'T-1', amount_cents: MORE };
    expect(await ops('ops_order_invoice_paid', one.id, paid)).toMatchObject({ ok: true });
  });
});
