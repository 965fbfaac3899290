import { afterEach, describe, expect, it } from '@jest/globals';
import { auditBilling } from '../test/audit-billing.js';
import { codeOf } from '../test/builders.js';
import { TOTAL } from '../test/live-orders.js';
import { testLiveOrders } from '../test/suite.js';

const DAY_MS = 86_400_000;
const REPAY = 'POST /v1/refunds';

/** What an order does when Stripe loses events, breaks, or is asked twice at once (docs/guides/rails.md). */
describe('a live order, when Stripe', () => {
  const { billing, stripe, signed, onPage, order, deliver, pressed, payable, paid, refund, settled, isWhole } =
    testLiveOrders('stripe_faults');
  afterEach(() => {
    stripe.answers('well');
  });

  /** Makes a stored time of a row older. */
  const aged = (collection: string, filter: object, field: string, ms: number) =>
    billing.store.db.collection(collection).updateOne(filter, { $set: { [field]: new Date(Date.now() - ms) } });
  const reconciled = async (id: string) => {
    await aged('orders', { _id: id }, 'session.opened_at', 3_600_000);
    await billing.sweep('rail reconciler');
  };
  const stateOfEvent = async (id: string) => {
    const event = (await billing.events()).find(({ _id }) => _id === `stripe|${id}`);
    return { state: event?.state, reason: event?.reason };
  };

  it('loses the event of a failed payment, waits no longer than until the reconciler asks', async () => {
    const one = await payable();
    await deliver(stripe.pay(one.session, 'delayed'));
    await reconciled(one.id);
    expect((await order(one.id)).payment_state).toBe('processing');
    const lost = stripe.fail(one.session);
    await reconciled(one.id);
    expect((await order(one.id)).payment_state).toBe('unpaid');
    await deliver(lost);
    expect((await billing.ledger(one.id)).map(({ kind }) => kind)).toEqual(['signed', 'pending', 'failed']);
    await deliver(stripe.pay(await pressed(one)));
    expect((await order(one.id)).payment_state).toBe('paid');
  });

  it('loses both events of a failed payment, can be paid again', async () => {
    const one = await payable();
    stripe.pay(one.session, 'delayed');
    stripe.fail(one.session);
    await reconciled(one.id);
    expect(await pressed(one)).not.toBe(one.session);
  });

  it('has an answer of its own error for the opening, gets another session, since nobody can know that one', async () => {
    const one = await signed();
    stripe.answers('breaks after');
    expect(await codeOf(onPage(one, 'pay_checkout'))).toBe('unavailable');
    stripe.answers('well');
    const first = stripe.sessionOf(one.id)?.id;
    const second = await pressed(one);
    expect(second).not.toBe(first);
    expect(stripe.sessionsOf(one.id).map(({ metadata }) => metadata['generation'])).toEqual(['1', '2']);
    await deliver(stripe.pay(second));
    expect((await order(one.id)).payment_state).toBe('paid');
  }, 60_000);

  it('is still opening a session, opens no other one', async () => {
    const one = await signed();
    const release = stripe.hold();
    const before = stripe.calls.length;
    const first = codeOf(onPage(one, 'pay_checkout'));
    while (!stripe.calls.slice(before).includes('POST /v1/checkout/sessions')) await billing.store.now();
    expect(await codeOf(onPage(one, 'pay_checkout'))).toBe('unavailable');
    release();
    expect(await first).toBe('ok');
    expect(stripe.sessionsOf(one.id)).toHaveLength(1);
  }, 60_000);

  it('broke after it had repaid, has repaid once', async () => {
    const one = await paid();
    stripe.answers('breaks after', REPAY);
    await refund(one.id, 1_000);
    await billing.parts.close();
    stripe.answers('well');
    await settled();
    expect(stripe.refundsOf(one.payment)).toHaveLength(1);
    expect((await order(one.id)).refunds.map(({ amount_cents }) => amount_cents)).toEqual([1_000]);
    await isWhole(one.id);
  }, 60_000);

  it('keeps answering a repayment with its own error, is never taken to have refused it', async () => {
    const one = await paid();
    stripe.answers('breaks before', REPAY);
    await refund(one.id, 1_000);
    await settled();
    stripe.answers('well');
    await settled();
    expect(await order(one.id)).toMatchObject({ payment_state: 'paid', pending_refunds: [{ amount_cents: 1_000 }] });
    stripe.forgetKeys();
    await settled();
    expect(stripe.refundsOf(one.payment)).toHaveLength(1);
  }, 60_000);

  it('sends a repayment back before its answer was seen, books nothing for the event that said it was made', async () => {
    const one = await paid();
    stripe.answers('loses answers', REPAY);
    await refund(one.id, 1_000);
    await billing.parts.close();
    stripe.answers('well');
    const made = stripe.events.filter(({ type }) => type === 'charge.refunded').slice(-1);
    await deliver(...made);
    expect(await stateOfEvent(made[0]?.id ?? '')).toMatchObject({ state: 'parked' });
    stripe.refundFails(stripe.refundsOf(one.payment)[0]?.id ?? '');
    await settled();
    await settled();
    expect(await stateOfEvent(made[0]?.id ?? '')).toMatchObject({ state: 'applied' });
    expect(await order(one.id)).toMatchObject({ payment_state: 'paid', refunds: [], pending_refunds: [] });
    await isWhole(one.id);
  }, 60_000);

  it('reports money of the other mode than our key, is not paid by it', async () => {
    const one = await payable();
    const event = { ...stripe.pay(one.session), livemode: true };
    await deliver(event);
    expect(await stateOfEvent(event.id)).toEqual({ state: 'quarantined', reason: 'rail' });
    expect(await order(one.id)).toMatchObject({ payment_state: 'unpaid', received_cents: 0 });
  });

  it('never reports the payment of a refund, puts that aside after a day and no sooner', async () => {
    const one = await payable();
    stripe.pay(one.session);
    const event = stripe.refundByHand(stripe.sessionOf(one.id)?.payment_intent ?? '', TOTAL);
    await deliver(event);
    await aged('payment_events', { _id: `stripe|${event.id}` }, 'received_at', DAY_MS - 600_000);
    await settled();
    expect(await stateOfEvent(event.id)).toEqual({ state: 'parked', reason: null });
    await aged('payment_events', { _id: `stripe|${event.id}` }, 'received_at', DAY_MS + 600_000);
    await settled();
    expect(await stateOfEvent(event.id)).toEqual({ state: 'quarantined', reason: 'unknown_payment' });
    expect((await billing.ledger(one.id)).map(({ kind }) => kind)).toEqual(['signed']);
  });

  it('did all this, has left nothing wrong', async () => {
    expect(await auditBilling(billing.store)).toEqual([]);
  });
});
