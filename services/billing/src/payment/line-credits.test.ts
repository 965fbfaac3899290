import { randomUUID } from 'node:crypto';
import type { EventPayload, LineCredit } from '@cds/contracts';
import { Deadline, inTx } from '@cds/service';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Credits } from '../store/credits.js';
import { Ledger } from '../store/ledger.js';
import { Orders } from '../store/orders.js';
import { Refunds } from '../store/refunds.js';
import { auditBilling } from '../test/audit-billing.js';
import type { Signed } from '../test/builders.js';
import { TOTAL } from '../test/live-orders.js';
import { testLiveOrders } from '../test/suite.js';
import { LineCredits } from './line-credits.js';

const NOW = '2026-12-21T00:00:00.000Z';

/** docs/domain/orders.md#credits: what proposals says that a line owes becomes one credit for each cause. */
describe('the credits that lines owe', () => {
  const orders = testLiveOrders('line_credits');
  const { billing, stripe } = orders;
  let credits: LineCredits;
  beforeAll(() => {
    const { store, shell } = billing;
    credits = new LineCredits({
      orders: new Orders(store),
      ledger: new Ledger(store),
      credits: new Credits(store),
      refunds: new Refunds(store),
      outbox: shell.outbox,
      audit: shell.audit,
    });
  });

  const lineOf = async (one: Signed) => (await orders.order(one.id)).lines[0]?.line_id ?? '';
  const changed = async (one: Signed, over: Partial<EventPayload<'line.changed'>>) => {
    const event = {
      aggregate: await lineOf(one),
      line_id: await lineOf(one),
      order_id: one.id,
      workspace: one.ws,
      cancelled: false,
      proposal: { state: 'unfilled', replaced_creator_id: null, updated_at: NOW },
      ...over,
    } as EventPayload<'line.changed'>;
    const at = await billing.store.now();
    await inTx(billing.store, Deadline.in(5_000), (tx) => credits.follow(tx, event, at));
  };
  const owed = (cause: LineCredit['cause'], amount_cents: number): LineCredit => ({ cause, amount_cents, at: NOW });

  it('are made once, however often they are reported', async () => {
    const one = await orders.paid();
    for (let round = 0; round < 3; round += 1) await changed(one, { credits: [owed('cheaper', 1_000)] });
    const order = await orders.order(one.id);
    expect(order.credits).toMatchObject([{ cause: 'cheaper', amount_cents: 1_000, state: 'due' }]);
    expect([order.payment_state, order.unused_cents]).toEqual(['paid', 1_000]);
    await orders.isWhole(one.id);
  });

  it.each([
    [3_000, [1_000]],
    [4_000, []],
  ])('leave of a last line what a refund of %s left of it, and the others theirs', async (cents, left) => {
    const one = await orders.paid([6_000, 4_000]);
    await orders.refund(one.id, cents);
    await orders.settled();
    const [, last] = (await orders.order(one.id)).lines;
    const line_id = last?.line_id ?? '';
    const over = { aggregate: line_id, line_id, cancelled: true, cancel_cause: 'cancelled' as const };
    await changed(one, { ...over, credits: [owed('cancelled', 4_000)] });
    const { credits: made, lines } = await orders.order(one.id);
    expect(made.map(({ amount_cents }) => amount_cents)).toEqual(left);
    expect(lines.map(({ committed_cents }) => committed_cents)).toEqual([6_000, 0]);
    expect((await orders.reported(one.id)).at(-1)).toMatchObject({ ended_lines: [line_id] });
    await orders.isWhole(one.id);
  });

  it('end the order once every line is cancelled, and are paid out like any other', async () => {
    const one = await orders.paid();
    const lines = (await orders.order(one.id)).lines;
    for (const { line_id, price_cents } of lines)
      await changed(one, {
        aggregate: line_id,
        line_id,
        cancelled: true,
        cancel_cause: 'unfilled',
        credits: [owed('unfilled', price_cents)],
        // The search had found nobody for days.
        proposal: { state: 'unfilled', replaced_creator_id: null, updated_at: '2026-12-05T06:00:00.000Z' },
      });
    const order = await orders.order(one.id);
    expect([order.payment_state, order.unused_cents]).toEqual(['cancelled', TOTAL]);
    expect([order.cancelled_at, order.ledger.at(-1)?.at]).toEqual([NOW, NOW]);
    await orders.isWhole(one.id);
    for (const { id } of order.credits) await orders.ops('ops_credit_refund', id);
    await orders.settled();
    expect((await orders.order(one.id)).payment_state).toBe('refunded');
  });

  describe('while a repayment is at its rail', () => {
    /** Asks for a repayment that its rail does not answer yet. */
    const asks = async (one: Signed, cents: number, lineOfIt: 'of its line' | null = null) => {
      stripe.answers('away', 'POST /v1/refunds');
      await orders.refund(one.id, cents, lineOfIt === null ? {} : { line_id: await lineOf(one) });
      await billing.parts.close();
      stripe.answers('well');
    };
    /** An order with an open repayment. */
    const repaying = async (cents: number, lineOfIt: 'of its line' | null = null) => {
      const one = await orders.paid();
      await asks(one, cents, lineOfIt);
      return one;
    };
    const answered = async (mood: 'well' | 'refuses refunds') => {
      stripe.answers(mood);
      await orders.settled();
      stripe.answers('well');
    };
    const ends = (one: Signed) =>
      changed(one, { cancelled: true, cancel_cause: 'unfilled', credits: [owed('unfilled', TOTAL)] });
    const dueOf = async (one: Signed) =>
      (await orders.order(one.id)).credits
        .filter(({ state }) => state === 'due')
        .map(({ cause, amount_cents }) => [cause, amount_cents])
        .sort();

    it('leave room for it, and are due in full once it is refused', async () => {
      const one = await repaying(4_000);
      await ends(one);
      expect(await dueOf(one)).toEqual([['unfilled', TOTAL - 4_000]]);
      await answered('refuses refunds');
      expect(await dueOf(one)).toEqual([
        ['unfilled', 4_000],
        ['unfilled', TOTAL - 4_000],
      ]);
      await orders.isWhole(one.id);
      await ends(one);
      expect((await orders.order(one.id)).unused_cents).toBe(TOTAL);
    });

    it('that had no room until it was refused are made once, whatever the line owes later', async () => {
      const one = await repaying(TOTAL);
      const cheaper = owed('cheaper', 1_000);
      await changed(one, { credits: [cheaper] });
      expect(await dueOf(one)).toEqual([]);
      await answered('refuses refunds');
      expect(await dueOf(one)).toEqual([['cheaper', 1_000]]);
      for (let round = 0; round < 2; round += 1) await changed(one, { credits: [cheaper, owed('dispute', 500)] });
      expect(await dueOf(one)).toEqual([
        ['cheaper', 1_000],
        ['dispute', 500],
      ]);
      await orders.isWhole(one.id);
    });

    it('are due in full once it is refused, also where an earlier one for the line was refused', async () => {
      const one = await repaying(TOTAL, 'of its line');
      await answered('refuses refunds');
      await asks(one, TOTAL);
      await ends(one);
      expect(await dueOf(one)).toEqual([]);
      await answered('refuses refunds');
      expect(await dueOf(one)).toEqual([['unfilled', TOTAL]]);
      await orders.isWhole(one.id);
    });
  });

  it('of an order that billing does not have are nobody’s', async () => {
    const one = await orders.paid();
    await changed(one, { order_id: randomUUID(), credits: [owed('unfilled', 1)] });
    await changed(one, { line_id: randomUUID(), credits: [owed('unfilled', 1)] });
    expect((await orders.order(one.id)).credits).toEqual([]);
  });

  it('leave every ledger, credit and repayment as it should be', async () => {
    expect(await auditBilling(billing.store)).toEqual([]);
  });
});
