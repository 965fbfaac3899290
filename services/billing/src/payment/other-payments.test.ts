import { describe, expect, it } from '@jest/globals';
import { auditBilling } from '../test/audit-billing.js';
import { codeOf } from '../test/builders.js';
import { TOTAL } from '../test/live-orders.js';
import { testLiveOrders } from '../test/suite.js';

/** Payments that are not what an order costs, or not of this service (docs/domain/orders.md#payment-states). */
describe('a payment by card', () => {
  const { billing, stripe, order, ops, deliver, payable, paid, pressed, refund, settled, isWhole } =
    testLiveOrders('other_payments');

  const tasksOf = async (id: string) =>
    (await billing.outbox())
      .map((row) => row['payload'] as { kind?: string; about?: { order_id?: string }; note?: string })
      .filter(({ kind, about }) => kind === 'stray_charge' && about?.order_id === id)
      .map(({ note }) => note);
  const lastDayOf = async (id: string) => {
    await billing.store.db
      .collection<{ _id: string }>('orders')
      .updateOne({ _id: id }, { $set: { pay_expires_at: new Date(0) } });
    await billing.sweep('unpaid orders');
  };
  const payment = (id: string) => stripe.sessionOf(id)?.payment_intent ?? '';

  describe('of another amount', () => {
    it('is money to return, with a task, and its order can be paid still', async () => {
      const one = await payable();
      await deliver(stripe.payOther(one.session, { cents: TOTAL - 1 }));
      expect(await order(one.id)).toMatchObject({ payment_state: 'unpaid', received_cents: 0, stray_cents: TOTAL - 1 });
      expect(await tasksOf(one.id)).toEqual([`${TOTAL - 1} cents by payment ${payment(one.id)}.`]);
      const accept = { rail_ref: payment(one.id) };
      expect(await codeOf(ops('ops_order_accept_payment', one.id, accept))).toBe('conflict bad_state');
      expect(await codeOf(refund(one.id, TOTAL - 1))).toBe('ok');
      await settled();
      expect(await order(one.id)).toMatchObject({ payment_state: 'unpaid', stray_cents: 0 });
      await deliver(stripe.pay(await pressed(one)));
      expect((await order(one.id)).payment_state).toBe('paid');
      await isWhole(one.id);
    });

    it('that covers the order is accepted by the team, and the rest is returned', async () => {
      const one = await payable();
      await deliver(stripe.payOther(one.session, { cents: TOTAL + 300 }));
      expect((await tasksOf(one.id))[0]).toContain(`POST /api/ops/orders/${one.id}/accept-payment`);
      const session = await pressed(one);
      const accept = { rail_ref: stripe.sessionsOf(one.id)[0]?.payment_intent ?? '' };
      const accepts = () => codeOf(ops('ops_order_accept_payment', one.id, accept));
      expect((await Promise.all([accepts(), accepts()])).sort()).toEqual(['conflict bad_state', 'ok']);
      expect(() => stripe.pay(session)).toThrow();
      expect(await order(one.id)).toMatchObject({ payment_state: 'paid', received_cents: TOTAL, stray_cents: 300 });
      expect(await codeOf(refund(one.id, 300))).toBe('ok');
      await settled();
      expect(await order(one.id)).toMatchObject({ payment_state: 'paid', stray_cents: 0 });
      await deliver(stripe.refundByHand(accept.rail_ref, 700));
      expect(await order(one.id)).toMatchObject({ payment_state: 'partially_refunded', stray_cents: 0 });
      await isWhole(one.id);
    });

    it.each([{ cents: 1 }, { cents: TOTAL, currency: 'eur' }])(
      'or currency lets its order end after its last day: %j',
      async (other) => {
        const one = await payable();
        await deliver(stripe.payOther(one.session, other));
        expect(await tasksOf(one.id)).toHaveLength(1);
        await lastDayOf(one.id);
        expect((await order(one.id)).payment_state).toBe('cancelled');
      },
    );

    it('that nobody has reported is found before its order ends', async () => {
      const one = await payable();
      stripe.payOther(one.session, { cents: 1 });
      await lastDayOf(one.id);
      await lastDayOf(one.id);
      expect(await order(one.id)).toMatchObject({ payment_state: 'cancelled', stray_cents: 1 });
      expect(await tasksOf(one.id)).toHaveLength(1);
    });
  });

  describe('reported by Stripe', () => {
    const stored = async () => billing.events();

    it('leaves nothing of its payer here', async () => {
      const one = await payable();
      const event = stripe.pay(one.session);
      Object.assign(event.data.object, { customer_details: { name: 'Ada Payer', email: 'ada@example.com' } });
      await deliver(event);
      expect((await order(one.id)).payment_state).toBe('paid');
      expect(JSON.stringify(await stored())).not.toContain('Payer');
    });

    it('in an event that changes nothing is not stored', async () => {
      const one = await paid();
      const before = (await stored()).length;
      const [event] = stripe.events;
      await deliver({ ...(event as NonNullable<typeof event>), id: 'evt_customer', type: 'customer.created' });
      expect((await stored()).length).toBe(before);
      await isWhole(one.id);
    });

    it('of another product on the account is ignored at once, without an alarm or a task', async () => {
      const theirs = stripe.payElsewhere(5_000);
      const events = [stripe.refundByHand(theirs, 100), stripe.dispute(theirs, 'needs_response')];
      events.push(stripe.dispute(theirs, 'lost'));
      const tasks = (await billing.outbox()).length;
      await deliver(...events);
      const states = (await stored()).filter(({ event }) => event?.rail_ref === theirs).map(({ state }) => state);
      expect(states).toEqual(['ignored', 'ignored', 'ignored']);
      expect((await billing.outbox()).length).toBe(tasks);
    });

    it('in another currency changes nothing once it is returned or disputed there, without an alarm', async () => {
      const one = await payable();
      await deliver(stripe.payOther(one.session, { cents: TOTAL, currency: 'eur' }));
      const theirs = payment(one.id);
      const tasks = (await billing.outbox()).length;
      await deliver(stripe.refundByHand(theirs, 400), stripe.dispute(theirs, 'needs_response'));
      await deliver(stripe.dispute(theirs, 'lost'));
      await settled();
      const states = (await stored()).filter(({ event }) => event?.rail_ref === theirs).map(({ state }) => state);
      expect(states).not.toContain('quarantined');
      expect((await billing.outbox()).length).toBe(tasks);
      expect(await order(one.id)).toMatchObject({ payment_state: 'unpaid', stray_cents: 0 });
      await isWhole(one.id);
    });

    it('by its dispute before its charge waits for the charge', async () => {
      const one = await payable();
      const charge = stripe.pay(one.session);
      await deliver(stripe.dispute(payment(one.id), 'lost'));
      await deliver(charge);
      await settled();
      expect((await order(one.id)).payment_state).toBe('refunded');
      await isWhole(one.id);
    });
  });

  it('leaves every ledger, credit and repayment as it should be', async () => {
    expect(await auditBilling(billing.store)).toEqual([]);
  });
});
