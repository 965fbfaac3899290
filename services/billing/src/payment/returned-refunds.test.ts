import { randomUUID } from 'node:crypto';
import type { OpsOrder } from '@cds/contracts';
import { randomOf } from '@cds/service/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ledgerSum } from '../domain/order-state.js';
import type { Refund } from '../domain/refund.js';
import { auditBilling } from '../test/audit-billing.js';
import type { Signed } from '../test/builders.js';
import { codeOf } from '../test/builders.js';
import { TOTAL } from '../test/live-orders.js';
import { testLiveOrders } from '../test/suite.js';

/** Money that was returned and came back (docs/domain/orders.md#refunds, docs/domain/orders.md#ledger; I75). */
describe('a repayment that comes back', () => {
  const { billing, stripe, signed, order, ops, deliver, paid, refund, settled, isWhole } =
    testLiveOrders('returned_refunds');
  afterEach(() => {
    stripe.answers('well');
  });

  const refundId = (payment: string, nth = 0) => stripe.refundsOf(payment)[nth]?.id ?? '';
  const comesBack = (payment: string, nth = 0) => stripe.refundFails(refundId(payment, nth));
  const notesOf = async (id: string) =>
    (await billing.outbox())
      .map((row) => row['payload'] as { kind?: string; about?: { order_id?: string }; note?: string })
      .filter(({ kind, about }) => kind === 'refund_failed' && about?.order_id === id)
      .map(({ note }) => note);
  const sum = (cents: readonly number[]) => cents.reduce((total, one) => total + one, 0);
  const dueOf = ({ credits }: OpsOrder) =>
    credits.filter(({ state }) => state === 'due').map(({ amount_cents }) => amount_cents);
  /** An order of which a repayment without a line came back. */
  const returned = async (cents: number, prices = [TOTAL]) => {
    const one = await paid(prices);
    await refund(one.id, cents);
    await settled();
    await deliver(comesBack(one.payment));
    return one;
  };

  it('leaves a live order paid, owes the money again, and opens a task that says what to do', async () => {
    const one = await returned(1_000);
    expect(await order(one.id)).toMatchObject({
      payment_state: 'paid',
      refunds: [],
      credits: [{ amount_cents: 1_000, state: 'due' }],
      committed_cents: TOTAL - 1_000,
      unused_cents: 1_000,
    });
    expect((await billing.ledger(one.id)).at(-1)).toMatchObject({ kind: 'refund_returned', amount_cents: 1_000 });
    expect(await notesOf(one.id)).toEqual([
      expect.stringContaining(`POST /api/ops/orders/${one.id}/refund with amount_cents 1000 and its bank_reference`),
    ]);
    await isWhole(one.id);
  });

  it('is repaid by the transfer that the task asks for: once, and the order goes on', async () => {
    const one = await returned(1_000);
    const calls = stripe.calls.length;
    expect(await codeOf(refund(one.id, 1_001, { bank_reference: 'T-1' }))).toBe('unprocessable');
    expect(await codeOf(refund(one.id, 1_000, { bank_reference: 'T-1' }))).toBe('ok');
    await settled();
    expect(await order(one.id)).toMatchObject({
      payment_state: 'partially_refunded',
      refunds: [{ amount_cents: 1_000 }],
      credits: [{ amount_cents: 1_000, state: 'refunded' }],
      unused_cents: 0,
    });
    expect(stripe.calls.slice(calls)).not.toContain('POST /v1/refunds');
    expect((await billing.ledger(one.id)).at(-1)).toMatchObject({ kind: 'refund', rail: 'transfer' });
    await deliver(stripe.refundByHand(one.payment, 500));
    await settled();
    expect((await order(one.id)).refunds.map(({ amount_cents }) => amount_cents)).toEqual([1_000, 500]);
    await isWhole(one.id);
  });

  it.each([
    ['refund.updated', 'failed'],
    ['refund.updated', 'canceled'],
    ['charge.refund.updated', 'failed'],
  ] as const)('is booked once by %s with status %s, beside refund.failed', async (type, status) => {
    const one = await paid();
    await refund(one.id, 1_000);
    await settled();
    const updated = stripe.refundEnds(refundId(one.payment), type, status);
    const otherwise = structuredClone(updated);
    Object.assign(otherwise.data.object, { status: 'succeeded' });
    await deliver({ ...otherwise, id: `${updated.id}_otherwise` });
    expect((await order(one.id)).payment_state).toBe('partially_refunded');
    await deliver(updated);
    expect((await order(one.id)).payment_state).toBe('paid');
    await deliver({ ...updated, id: `${updated.id}_failed`, type: 'refund.failed' }, updated);
    expect((await billing.ledger(one.id)).map(({ kind }) => kind)).toEqual([
      'signed',
      'charge',
      'refund',
      'refund_returned',
    ]);
    expect(await notesOf(one.id)).toHaveLength(1);
    await isWhole(one.id);
  });

  it('of money that nobody waited for is that money again', async () => {
    const one = await paid();
    const { rail_ref } = (await billing.ledger(one.id)).find(({ kind }) => kind === 'charge') ?? { rail_ref: '' };
    expect(rail_ref).toBe(one.payment);
    const again = stripe.events.find(({ type, data }) => type.endsWith('completed') && isOf(data.object, one.id));
    const payment = stripe.payAgain(one.payment);
    const second = structuredClone(again ?? stripe.events[0]) as NonNullable<typeof again>;
    Object.assign(second.data.object, { payment_intent: payment });
    await deliver({ ...second, id: `${second.id}_second` });
    await refund(one.id, TOTAL);
    await settled();
    expect(await order(one.id)).toMatchObject({ payment_state: 'paid', stray_cents: 0 });
    await deliver(comesBack(payment));
    expect(await order(one.id)).toMatchObject({ payment_state: 'paid', stray_cents: TOTAL, credits: [] });
    expect(await codeOf(refund(one.id, TOTAL, { bank_reference: 'T-1' }))).toBe('ok');
    await settled();
    expect(await order(one.id)).toMatchObject({ payment_state: 'paid', stray_cents: 0 });
    await isWhole(one.id);
  });

  it('of a transfer is what the team reports, and of a card what its rail reports', async () => {
    const one = await returned(1_000);
    await refund(one.id, 1_000, { bank_reference: 'T-1' });
    await settled();
    const [made] = (await order(one.id)).refunds;
    const cameBack = (id?: string) => ops('ops_order_refund_returned', one.id, { refund_id: id });
    expect(await codeOf(cameBack(made?.id))).toBe('ok');
    expect(await codeOf(cameBack(made?.id))).toBe('conflict bad_state');
    expect(await codeOf(cameBack(one.id))).toBe('unprocessable');
    expect(await order(one.id)).toMatchObject({
      payment_state: 'paid',
      unused_cents: 1_000,
      credits: [{ amount_cents: 1_000, state: 'due' }],
    });
    await isWhole(one.id);
    const other = await paid();
    await refund(other.id, 1_000);
    await settled();
    const [byCard] = (await order(other.id)).refunds;
    expect(await codeOf(ops('ops_order_refund_returned', other.id, { refund_id: byCard?.id }))).toBe(
      'conflict bad_state',
    );
  });

  describe('beside a refund made at the rail', () => {
    const twiceOf = async (id: string) =>
      (await billing.outbox())
        .map((row) => row['payload'] as { kind?: string; about?: { order_id?: string }; note?: string })
        .filter(({ kind, about }) => kind === 'returned_twice' && about?.order_id === id)
        .map(({ note }) => note ?? '');
    const transfersOf = async (id: string) =>
      (await billing.ledger(id)).filter(({ rail, kind }) => rail === 'transfer' && kind.endsWith('refund'));
    /** An order of which 1,000 cents went back by transfer, and so many at the rail as well. */
    const returnedTwice = async (cents: number) => {
      const one = await paid([7_000, 3_000]);
      await refund(one.id, 1_000, { bank_reference: 'T-1' });
      await settled();
      await deliver(stripe.refundByHand(one.payment, cents));
      return one;
    };

    it('settles what went back twice, as its task says, and the order owes nothing', async () => {
      const one = await returnedTwice(TOTAL);
      const [transfer] = await transfersOf(one.id);
      expect(await twiceOf(one.id)).toEqual([
        `1000 cents more than was paid by ${one.payment} went back. Ask for the transfer back. Once it has arrived, report it: POST /api/ops/orders/${one.id}/refund-returned with refund_id ${transfer?._id}.`,
      ]);
      expect(await codeOf(ops('ops_order_refund_returned', one.id, { refund_id: transfer?._id }))).toBe('ok');
      const after = await order(one.id);
      expect(after).toMatchObject({ payment_state: 'refunded', unused_cents: 0, cancelled_at: null });
      expect([dueOf(after), await notesOf(one.id)]).toEqual([[], []]);
      expect(ledgerSum(await billing.ledger(one.id))).toBe(0);
      await isWhole(one.id);
      expect(await codeOf(ops('ops_order_refund_returned', one.id, { refund_id: transfer?._id }))).toBe(
        'conflict bad_state',
      );
      await deliver(comesBack(one.payment));
      expect((await order(one.id)).unused_cents).toBe(TOTAL);
      expect(ledgerSum(await billing.ledger(one.id))).toBe(stripe.leftOf(one.payment));
      await isWhole(one.id);
    });

    it.each([
      ['with room for a part of it', 9_000, 1_000],
      ['with room for nothing', TOTAL, 2_000],
    ])('is booked %s, and what is too much is asked for', async (_name, byHand, excess) => {
      const one = await paid([7_000, 3_000]);
      const asked = await openTransfer(one, 2_000);
      await deliver(stripe.refundByHand(one.payment, byHand));
      await settled();
      const entries = await transfersOf(one.id);
      expect(sum(entries.map(({ amount_cents }) => amount_cents))).toBe(-2_000);
      expect(await twiceOf(one.id)).toEqual([expect.stringContaining(`${excess} cents more than was paid`)]);
      expect(await order(one.id)).toMatchObject({ payment_state: 'refunded', unused_cents: 0, pending_refunds: [] });
      await isWhole(one.id);
      await deliver(comesBack(one.payment));
      expect(await order(one.id)).toMatchObject({ payment_state: 'cancelled', unused_cents: 8_000 });
      expect(ledgerSum(await billing.ledger(one.id))).toBe(8_000);
      await isWhole(one.id);
      const [kept] = (await order(one.id)).refunds;
      await ops('ops_order_refund_returned', one.id, { refund_id: kept?.id });
      expect(await order(one.id)).toMatchObject({ refunds: [], unused_cents: TOTAL });
      expect(await billing.store.db.collection('refunds').findOne({ _id: asked as never })).toMatchObject({
        state: 'returned',
      });
      await isWhole(one.id);
    });

    it('asks for no more than is owed once the refund at the rail came back', async () => {
      const one = await returnedTwice(TOTAL);
      await deliver(comesBack(one.payment));
      expect((await order(one.id)).unused_cents).toBe(9_000);
      expect(await notesOf(one.id)).toEqual([expect.stringContaining('9000 cents of payment')]);
    });

    /** A transfer that the team reported, as the process left it that died before it was booked. */
    const openTransfer = async (one: Signed & { payment: string }, cents: number, credit: string | null = null) => {
      const _id = randomUUID();
      const refund: Refund = {
        ...{ _id, ws: one.ws, order_id: one.id, rail: 'stripe', payment: one.payment, stray: false, line_id: null },
        ...{ amount_cents: cents, credit_id: credit, makes_credit: false, cause: 'team', actor: 'op', problem: null },
        ...{ bank_reference: 'T-2', by_transfer: true, state: 'open', at: new Date('2026-11-21T12:00:00Z') },
      };
      await billing.store.db.collection<Refund>('refunds').insertOne(refund);
      return _id;
    };
  });

  it('of an invoice is repaid by another transfer', async () => {
    const one = await signed('invoice');
    await ops('ops_order_invoice_paid', one.id, { bank_reference: 'T-1', amount_cents: TOTAL });
    const line_id = (await order(one.id)).lines[0]?.line_id ?? '';
    await refund(one.id, TOTAL, { line_id, bank_reference: 'T-2' });
    await settled();
    const [made] = (await order(one.id)).refunds;
    await ops('ops_order_refund_returned', one.id, { refund_id: made?.id });
    expect(await order(one.id)).toMatchObject({ payment_state: 'cancelled', unused_cents: TOTAL });
    expect(await codeOf(refund(one.id, TOTAL, { bank_reference: 'T-3' }))).toBe('ok');
    await settled();
    expect(await order(one.id)).toMatchObject({ payment_state: 'refunded', unused_cents: 0 });
    await isWhole(one.id);
  });

  describe('of a dispute', () => {
    it('that was lost and then won leaves a live order what it was', async () => {
      const one = await paid([7_000, 3_000]);
      await deliver(stripe.dispute(one.payment, 'needs_response'));
      await deliver(stripe.dispute(one.payment, 'lost', 3_000));
      expect(await order(one.id)).toMatchObject({ payment_state: 'partially_refunded' });
      const won = stripe.reinstate(one.payment);
      await deliver(won, { ...won, id: `${won.id}_again` });
      expect(await order(one.id)).toMatchObject({ payment_state: 'paid', unused_cents: 0, committed_cents: 10_000 });
      expect((await billing.ledger(one.id)).slice(2).map(({ kind }) => kind)).toEqual([
        'disputed',
        'refund',
        'refund_returned',
        'dispute_won',
      ]);
      await isWhole(one.id);
    });

    it('takes what the rail says, though a repayment that failed is heard of before the loss', async () => {
      const one = await paid([7_000, 3_000]);
      await refund(one.id, 1_000);
      await settled();
      const lost = stripe.dispute(one.payment, 'lost');
      const failed = stripe.refundFails(stripe.refundsOf(one.payment)[0]?.id ?? '');
      await deliver(failed, lost);
      expect(ledgerSum(await billing.ledger(one.id))).toBe(1_000);
      expect(stripe.leftOf(one.payment)).toBe(1_000);
      await isWhole(one.id);
    });

    it('takes what is left where the rail counts in another currency than the payment', async () => {
      const one = await paid([7_000, 3_000]);
      const lost = structuredClone(stripe.dispute(one.payment, 'lost'));
      Object.assign(lost.data.object, { balance_transactions: [{ amount: -8_600, currency: 'eur' }] });
      await deliver(lost);
      expect(ledgerSum(await billing.ledger(one.id))).toBe(0);
    });
  });

  describe('made at the rail itself', () => {
    it.each([
      [10_000, 0],
      [4_000, 6_000],
    ])('pays the credits that are due: of 10000, %s', async (cents, owed) => {
      const one = await paid([7_000, 3_000]);
      await ops('ops_order_cancel', one.id);
      await deliver(stripe.refundByHand(one.payment, cents));
      const after = await order(one.id);
      expect([sum(dueOf(after)), after.unused_cents]).toEqual([owed, owed]);
      await isWhole(one.id);
      for (const { id, state } of after.credits) if (state === 'due') await ops('ops_credit_refund', id);
      await settled();
      expect(sum(stripe.refundsOf(one.payment).map(({ amount }) => amount))).toBe(10_000);
      expect(await order(one.id)).toMatchObject({ payment_state: 'refunded', unused_cents: 0 });
    });

    it('leaves a due credit nothing that its refused repayment could not pay', async () => {
      const one = await paid();
      const cancelled = await ops('ops_order_cancel', one.id);
      expect(cancelled).toMatchObject({ ok: true });
      stripe.answers('away', 'POST /v1/refunds');
      await ops('ops_credit_refund', (await order(one.id)).credits[0]?.id ?? '');
      await billing.parts.close();
      stripe.answers('well');
      await deliver(stripe.refundByHand(one.payment, 4_000));
      await settled();
      await settled();
      const after = await order(one.id);
      expect([sum(dueOf(after)), after.unused_cents]).toEqual([6_000, 6_000]);
      await isWhole(one.id);
    }, 60_000);
  });

  it('leaves the books equal to what Stripe and the bank hold, after any history of an order of many lines', async () => {
    const random = randomOf(32);
    const upTo = (most: number) => 1 + Math.floor(random() * most);
    for (let run = 0; run < 10; run += 1) {
      const one = await paid([5_000, 3_000, 1_500, 500]);
      const { lines } = await order(one.id);
      const late: ReturnType<typeof comesBack>[] = [];
      let bank = 0;
      /** The bank makes each transfer that the team may ask for, and some of them come back. */
      const transfer = async (cents: number) => {
        if ((await codeOf(refund(one.id, cents, { bank_reference: 'T' }))) === 'ok') bank -= cents;
      };
      const transferBack = async () => {
        const made = (await billing.ledger(one.id)).findLast(
          ({ rail, kind }) => rail === 'transfer' && kind === 'refund',
        );
        const asked = await billing.store.db.collection<Refund>('refunds').find({ order_id: one.id }).toArray();
        const of = asked.find(({ payment, _id }) => made?.rail_ref.startsWith(`${payment}#${_id}`));
        if (made === undefined || of === undefined) return;
        if ((await codeOf(ops('ops_order_refund_returned', one.id, { refund_id: made._id }))) === 'ok')
          bank += of.amount_cents;
      };
      const succeeded = () => stripe.refundsOf(one.payment).filter(({ status }) => status === 'succeeded');
      let [disputes, isLost] = [0, false];
      const steps: (() => Promise<unknown> | unknown)[] = [
        () => codeOf(refund(one.id, upTo(3_000))),
        () => codeOf(refund(one.id, upTo(400), { line_id: lines[upTo(4) - 1]?.line_id })),
        () => transfer(upTo(2_000)),
        () => transferBack(),
        () =>
          stripe.leftOf(one.payment) > 0 &&
          late.push(stripe.refundByHand(one.payment, upTo(stripe.leftOf(one.payment)))),
        () => succeeded()[0] !== undefined && late.push(stripe.refundFails(succeeded()[0]?.id ?? '')),
        () => {
          if (!isLost) disputes += 1;
          late.push(
            isLost
              ? stripe.reinstate(one.payment, disputes)
              : stripe.dispute(one.payment, 'lost', upTo(TOTAL), disputes),
          );
          isLost = !isLost;
        },
        () => codeOf(ops('ops_order_cancel', one.id)),
      ];
      for (let step = 0; step < 8; step += 1) {
        await steps[upTo(steps.length) - 1]?.();
        if (random() < 0.5) await settled();
        if (random() < 0.5) await deliver(...late.filter(() => random() < 0.5));
      }
      await settled();
      await deliver(...late.toReversed());
      await settled();
      await settled();
      const entries = await billing.ledger(one.id);
      expect(ledgerSum(entries)).toBe(stripe.leftOf(one.payment) + bank);
      await isWhole(one.id);
    }
  }, 180_000);

  it('leaves every ledger, credit and repayment as it should be', async () => {
    expect(await auditBilling(billing.store)).toEqual([]);
  });
});

const isOf = (object: object, order: string): boolean =>
  (object as { metadata?: { order?: string } }).metadata?.order === order;
