import type { EventPayload, OpsOrder, PayPage, Switches } from '@cds/contracts';
import { type Ctx, Deadline } from '@cds/service';
import { aMandate } from '@cds/service/testing';
import { expect } from '@jest/globals';
import { ledgerSum, stateOf, straySum } from '../domain/order-state.js';
import { aCommand, answerOf, aSigned, aSystemCtx, type Billing, type Signed } from './builders.js';
import type { StripeFake } from './stripe-fake.js';

/** The total of every order that names no other, in US cents. */
export const TOTAL = 10_000;
/** The most that a mandate can allow for a plan. */
export const LARGEST_PLAN = 100_000_000;

/** What payers, the team and Stripe do with live orders. */
export const liveOrders = (billing: () => Billing, stripe: () => StripeFake) => {
  const signed = (
    rail: 'checkout' | 'invoice' = 'checkout',
    total = TOTAL,
    prices: readonly number[] = [total],
  ): Promise<Signed> => {
    const mandate = aMandate({ max_plan_cents: LARGEST_PLAN, monthly_cap_cents: LARGEST_PLAN });
    return aSigned(billing(), { sandbox: false, mandate, rail, total, prices });
  };
  const page = async ({ ws, token }: Signed, switches: Partial<Switches> = {}) => {
    const ctx = await aSystemCtx(billing(), ws);
    const switched = { ...ctx, switches: { ...ctx.switches, ...switches } };
    return answerOf<PayPage>(await billing().run('pay_page', switched, { token }));
  };
  const onPage = async (one: Signed, operation: string, input: object = {}, switches: Partial<Switches> = {}) => {
    const ctx = await aSystemCtx(billing(), one.ws);
    return billing().run(
      operation,
      { ...ctx, switches: { ...ctx.switches, ...switches } },
      { token: one.token, form_token: (await page(one)).form_token, ...input },
    );
  };
  const asFinance = async (): Promise<Ctx> => {
    const ctx = await aSystemCtx(billing(), '');
    const operator = { id: 'op', name: 'Fin', role: 'finance' as const };
    return {
      ...ctx,
      deadline: Deadline.in(60_000),
      command: aCommand('op'),
      principal: { ...ctx.principal, audience: 'operator', operator },
    };
  };
  const ops = async (operation: string, id: string, input: object = {}, switches: Partial<Switches> = {}) => {
    const ctx = await asFinance();
    const switched = { ...ctx, switches: { ...ctx.switches, ...switches } };
    return billing().run(operation, switched, { id, reason: 'a test', ...input });
  };
  const order = async (id: string): Promise<OpsOrder> =>
    answerOf<OpsOrder>(await billing().run('ops_order_get', await asFinance(), { id }));
  const deliver = async (...events: Parameters<StripeFake['delivery']>[0][]) => {
    for (const event of events) {
      const { raw, signature } = stripe().delivery(event, await billing().store.now());
      const raw64 = Buffer.from(raw).toString('base64');
      await billing().run('rail_event', await aSystemCtx(billing(), ''), {
        rail: 'stripe',
        raw_base64: raw64,
        signature,
      });
    }
    await billing().parts.close();
  };
  const pressed = async (one: Signed): Promise<string> => {
    await onPage(one, 'pay_checkout');
    return stripe().sessionOf(one.id)?.id ?? '';
  };
  /** Signed, with an open session. */
  const payable = async (): Promise<Signed & { session: string }> => {
    const one = await signed();
    return { ...one, session: await pressed(one) };
  };
  /** Paid by card, with a line for each price. */
  const paid = async (prices: readonly number[] = [TOTAL]): Promise<Signed & { payment: string }> => {
    const total = prices.reduce((sum, price) => sum + price, 0);
    const one = await signed('checkout', total, prices);
    await deliver(stripe().pay(await pressed(one)));
    return { ...one, payment: stripe().sessionOf(one.id)?.payment_intent ?? '' };
  };
  const refund = (id: string, cents: number, more: object = {}) =>
    ops('ops_order_refund', id, { amount_cents: cents, ...more });
  /** Lets the background and the sweeps finish, as a second would. */
  const settled = async () => {
    await billing().parts.close();
    await billing().sweep('refunds');
    await makeDue();
    await billing().sweep('payment events');
    await billing().parts.close();
  };
  const makeDue = () =>
    billing()
      .store.db.collection('payment_events')
      .updateMany({ state: 'parked' }, { $set: { next_at: new Date(0) } });
  const isWhole = async (id: string): Promise<void> => {
    const entries = await billing().ledger(id);
    const now = await order(id);
    expect(now.payment_state).toBe(stateOf(entries));
    const refunded = now.refunds.reduce((sum, one) => sum + one.amount_cents, 0);
    expect(now.received_cents).toBe(refunded + now.committed_cents + now.unused_cents);
    const due = now.credits.reduce((sum, one) => (one.state === 'due' ? sum + one.amount_cents : sum), 0);
    expect(now.unused_cents).toBe(now.pending_refunds.length === 0 ? due : expect.any(Number));
    // More may have gone back of a payment than was paid, which leaves nothing of it to return.
    const strays = Map.groupBy(entries, ({ rail_ref }) => rail_ref.split('#')[0]).values();
    expect(now.stray_cents).toBe([...strays].reduce((sum, of) => sum + Math.max(0, straySum(of)), 0));
    expect(now.received_cents - refunded + straySum(entries)).toBe(ledgerSum(entries));
    await isReported(id);
  };
  /** The events of an order, oldest first. */
  const reported = async (id: string): Promise<EventPayload<'order.changed'>[]> =>
    (await billing().outbox())
      .map((row) => row['payload'] as EventPayload<'order.changed'>)
      .filter(({ aggregate, payment_state }) => aggregate === id && payment_state !== undefined);
  /** Each version of an order has one event, and the newest states the order as it is read. */
  const isReported = async (id: string): Promise<void> => {
    const events = await reported(id);
    expect(events.map(({ version }) => version)).toEqual(events.map((_one, at) => at + 1));
    const { books, ...state } = events.at(-1) ?? {};
    const now = await order(id);
    expect(now).toMatchObject({ ...books });
    const { payment_state, paid_at, refunded_at, cancelled_at } = now;
    expect(state).toMatchObject({ payment_state, paid_at, refunded_at, cancelled_at });
  };
  return {
    ...{ signed, page, onPage, asFinance, ops, order, deliver, pressed, payable, paid, refund, settled },
    ...{ isWhole, isReported, reported },
  };
};
