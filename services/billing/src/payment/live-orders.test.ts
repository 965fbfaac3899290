import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { OpsCredit, OpsOrder, PayPage } from '@cds/contracts';
import { randomOf } from '@cds/service/testing';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { auditBilling } from '../test/audit-billing.js';
import { answerOf, codeOf } from '../test/builders.js';
import { TOTAL } from '../test/live-orders.js';
import { testLiveOrders } from '../test/suite.js';

/** Live orders on Stripe and by invoice (docs/domain/orders.md#payment, docs/domain/orders.md#refunds). */
describe('a live order', () => {
  const live = testLiveOrders('live_orders');
  const { billing, stripe, signed, page, onPage, asFinance, ops, order, deliver, pressed, payable } = live;
  const { paid, refund, settled, isWhole } = live;
  afterEach(() => stripe.answers('well'));

  describe('by card', () => {
    it('is paid on one Checkout Session, whose events book once in any order', async () => {
      const one = await signed();
      expect((await page(one)).options.map(({ rail }) => rail)).toEqual(['checkout', 'invoice']);
      const answers = await Promise.all(Array.from({ length: 5 }, () => onPage(one, 'pay_checkout')));
      expect(new Set(answers.map((answer) => answerOf<{ url: string }>(answer).url)).size).toBe(1);
      const [session] = stripe.sessionsOf(one.id);
      expect(stripe.sessionsOf(one.id)).toHaveLength(1);
      expect(session).toMatchObject({
        amount_total: TOTAL,
        currency: 'usd',
        client_reference_id: one.id,
        mode: 'payment',
        allowed_payment_method_types: ['card'],
        metadata: { order: one.id, workspace: one.ws, generation: '1' },
        success_url: expect.stringContaining(`/pay/${one.token}`),
      });
      const event = stripe.pay(session?.id ?? '');
      await deliver(event, event, { ...event, id: 'evt_of_its_own' }, event);
      expect(await order(one.id)).toMatchObject({ payment_state: 'paid', received_cents: TOTAL, stray_cents: 0 });
      await isWhole(one.id);
    });

    it('cancelled before payment closes its session and gives the cents back', async () => {
      const one = await signed();
      await pressed(one);
      expect(answerOf<OpsOrder>(await ops('ops_order_cancel', one.id))).toMatchObject({ payment_state: 'cancelled' });
      expect(stripe.sessionOf(one.id)?.status).toBe('expired');
      expect((await billing.ledger(one.id)).map(({ kind }) => kind)).toEqual(['signed', 'cancel', 'give_back']);
      expect(await page(one)).toMatchObject({ cancel_cause: 'team' });
    });

    it('puts money after a cancellation aside and opens a task to return it', async () => {
      const one = await signed();
      const session = await pressed(one);
      const event = stripe.pay(session);
      await billing.store.db
        .collection<{ _id: string }>('orders')
        .updateOne({ _id: one.id }, { $set: { 'session.state': 'closed' } });
      await ops('ops_order_cancel', one.id);
      await deliver(event);
      expect(await order(one.id)).toMatchObject({ payment_state: 'cancelled', stray_cents: TOTAL, received_cents: 0 });
      const tasks = (await billing.outbox()).map((row) => row['payload'] as { kind?: string; about?: object });
      expect(tasks).toContainEqual(expect.objectContaining({ kind: 'stray_charge', about: { order_id: one.id } }));
      expect(await codeOf(refund(one.id, TOTAL))).toBe('ok');
      await settled();
      expect(await order(one.id)).toMatchObject({ payment_state: 'cancelled', stray_cents: 0 });
      await isWhole(one.id);
    });
  });

  describe('repaid', () => {
    it('in 20 parts at once returns exactly what was paid', async () => {
      const one = await paid();
      const asked = await Promise.all(Array.from({ length: 22 }, () => codeOf(refund(one.id, 500))));
      const lost = asked.filter((code) => code !== 'ok');
      // Those that lost every race ask again, as their error says; those beyond the payment are refused.
      for (const code of lost) expect(['unavailable', 'conflict bad_state']).toContain(code);
      for (let code = 'ok'; code === 'ok' || code === 'unavailable'; code = await codeOf(refund(one.id, 500)))
        await settled();
      const now = await order(one.id);
      expect(now).toMatchObject({
        payment_state: 'refunded',
        pending_refunds: [],
        unused_cents: 0,
        committed_cents: 0,
      });
      expect(now.refunds.reduce((sum, each) => sum + each.amount_cents, 0)).toBe(TOTAL);
      expect(stripe.refundsOf(one.payment).reduce((sum, each) => sum + each.amount, 0)).toBe(TOTAL);
      await isWhole(one.id);
    }, 180_000);

    it('books a repayment once, whichever of its answer and its event comes first', async () => {
      const one = await paid();
      await refund(one.id, 3_000);
      await settled();
      const events = stripe.events.filter(({ type }) => type === 'charge.refunded').slice(-1);
      await deliver(...events, ...events);
      await settled();
      expect((await order(one.id)).refunds.map(({ amount_cents }) => amount_cents)).toEqual([3_000]);
      await deliver(stripe.refundByHand(one.payment, 500));
      await settled();
      expect((await order(one.id)).refunds.map(({ amount_cents }) => amount_cents)).toEqual([3_000, 500]);
      await isWhole(one.id);
    });

    it('is refused beyond the payment, without a payment, and for a line beyond its price', async () => {
      const one = await paid();
      const line = (await order(one.id)).lines[0]?.line_id ?? '';
      expect(await codeOf(refund(one.id, TOTAL + 1))).toBe('unprocessable');
      expect(await codeOf(refund(one.id, 1, { line_id: randomUUID() }))).toBe('unprocessable');
      expect(await codeOf(refund(one.id, 1, { line_id: line }))).toBe('ok');
      await settled();
      expect(await codeOf(refund(one.id, TOTAL, { line_id: line }))).toBe('unprocessable');
      expect(await order(one.id)).toMatchObject({
        payment_state: 'partially_refunded',
        refunded_at: null,
        credits: [{ line_id: line, cause: 'remedy', amount_cents: 1, state: 'refunded' }],
        refunds: [{ amount_cents: 1, line_id: line }],
      });
      expect(await codeOf(refund((await signed()).id, 1))).toBe('conflict bad_state');
    });

    it('by a lost dispute loses the sum once, and an open dispute is a task', async () => {
      const one = await paid();
      await deliver(stripe.dispute(one.payment, 'needs_response'));
      expect((await order(one.id)).payment_state).toBe('paid');
      const tasks = (await billing.outbox()).map((row) => row['payload'] as { kind?: string; about?: object });
      expect(tasks).toContainEqual(expect.objectContaining({ kind: 'payment_disputed', about: { order_id: one.id } }));
      const lost = stripe.dispute(one.payment, 'lost');
      await deliver(lost, lost, { ...lost, id: 'evt_again' });
      expect(await order(one.id)).toMatchObject({ payment_state: 'refunded', unused_cents: 0 });
      expect((await billing.ledger(one.id)).at(-1)).toMatchObject({ kind: 'refund', cause: 'dispute' });
      await isWhole(one.id);
    });

    it('by two reports of one lost dispute at once has one event of it', async () => {
      const one = await paid();
      const lost = stripe.dispute(one.payment, 'lost');
      const { ledger, receiver, worker } = billing.deps;
      const entriesOf = ledger.of.bind(ledger);
      // The second is applied between the order and the ledger that the first reads.
      const spy = jest.spyOn(ledger, 'of').mockImplementationOnce(async (ws, id) => {
        const { raw, signature } = stripe.delivery({ ...lost, id: 'evt_beside' }, await billing.store.now());
        await worker.apply((await receiver.receive('stripe', { raw: Buffer.from(raw), signature })) ?? '');
        return entriesOf(ws, id);
      });
      await deliver(lost);
      spy.mockRestore();
      expect(await order(one.id)).toMatchObject({ payment_state: 'refunded' });
      await isWhole(one.id);
    });

    it('takes nothing that belongs to a due credit', async () => {
      const one = await paid();
      const line = (await order(one.id)).lines[0]?.line_id ?? '';
      const cancelled = answerOf<OpsOrder>(
        await ops('ops_order_cancel', one.id, { credits: [{ line_id: line, amount_cents: 6_000, note: 'most' }] }),
      );
      expect(await codeOf(refund(one.id, 4_001))).toBe('unprocessable');
      expect(await codeOf(refund(one.id, 4_000))).toBe('ok');
      expect(await codeOf(refund(one.id, 1))).toBe('conflict bad_state');
      expect(await codeOf(ops('ops_credit_refund', cancelled.credits[0]?.id ?? ''))).toBe('ok');
      await settled();
      expect(await order(one.id)).toMatchObject({ payment_state: 'refunded', credits: [{ state: 'refunded' }] });
      await isWhole(one.id);
    });

    it('by two workers at once ends once, also when it is refused', async () => {
      const one = await paid();
      const rail = billing.deps.rails.byName('stripe');
      if (rail === null) throw new Error('Stripe is configured');
      const refundAtRail = rail.refund.bind(rail);
      const both = Promise.withResolvers<void>();
      let asked = 0;
      rail.refund = async (of) => {
        const answer = await refundAtRail(of);
        asked += 1;
        if (asked === 2) both.resolve();
        await both.promise;
        return answer;
      };
      try {
        stripe.mood = 'refuses refunds';
        await refund(one.id, 1_000);
        await Promise.all([billing.sweep('refunds'), billing.parts.close()]);
      } finally {
        rail.refund = refundAtRail;
        stripe.mood = 'well';
      }
      expect(asked).toBe(2);
      const tasks = (await billing.outbox()).map((row) => row['payload'] as { kind?: string; about?: object });
      const refused = tasks.filter(({ kind, about }) => kind === 'refund_failed' && about !== undefined);
      expect(refused.filter(({ about }) => JSON.stringify(about).includes(one.id))).toHaveLength(1);
      await isWhole(one.id);
    }, 60_000);

    it('judges a credit by the same moment as its order, even if it waited in between', async () => {
      const one = await paid();
      const credit = answerOf<OpsOrder>(await ops('ops_order_cancel', one.id)).credits[0]?.id ?? '';
      const { credits } = billing.deps;
      const byId = credits.byId.bind(credits);
      credits.byId = async (id) => {
        credits.byId = byId;
        const stale = await byId(id);
        await ops('ops_credit_waive', credit);
        return stale;
      };
      expect(await codeOf(ops('ops_credit_refund', credit))).toBe('conflict bad_state');
      await settled();
      expect(stripe.refundsOf(one.payment)).toEqual([]);
    });

    it('waits on a replica whose Stripe is not configured', async () => {
      const one = await paid();
      stripe.mood = 'away';
      await refund(one.id, 1_000);
      await billing.parts.close();
      stripe.mood = 'well';
      const { rails } = billing.deps;
      const byName = rails.byName.bind(rails);
      rails.byName = (name) => (name === 'stripe' ? null : byName(name));
      await settled();
      expect(await order(one.id)).toMatchObject({ payment_state: 'paid', pending_refunds: [{ amount_cents: 1_000 }] });
      rails.byName = byName;
      await settled();
      expect(await order(one.id)).toMatchObject({ payment_state: 'partially_refunded', pending_refunds: [] });
    }, 60_000);

    it('after the cancellation of a paid order pays its credits out, one by one', async () => {
      const one = await paid();
      const cancelled = answerOf<OpsOrder>(await ops('ops_order_cancel', one.id));
      expect(cancelled).toMatchObject({
        payment_state: 'cancelled',
        credits: [{ cause: 'cancelled', amount_cents: TOTAL, state: 'due' }],
        unused_cents: TOTAL,
        committed_cents: 0,
        lines: [{ money: 'credited' }],
      });
      const credit = cancelled.credits[0]?.id ?? '';
      const both = await Promise.all([
        codeOf(ops('ops_credit_refund', credit)),
        codeOf(ops('ops_credit_waive', credit)),
      ]);
      expect(both.filter((code) => code === 'ok')).toHaveLength(1);
      await settled();
      const end = await order(one.id);
      const isRefunded = both[0] === 'ok';
      expect(end).toMatchObject({
        payment_state: isRefunded ? 'refunded' : 'cancelled',
        credits: [{ state: isRefunded ? 'refunded' : 'waived' }],
      });
      expect(await codeOf(ops('ops_credit_refund', credit))).toBe('conflict bad_state');
      await isWhole(one.id);
    });

    it('credits what each line owes as far as it has come, unless the team names another amount', async () => {
      const [live, near, named] = [await paid(), await paid(), await paid()];
      const owes = async (id: string, amount_cents: number): Promise<string> => {
        const line_id = (await order(id)).lines[0]?.line_id ?? '';
        billing.planning.cancelCredits.set(id, [{ line_id, amount_cents }]);
        return line_id;
      };
      await owes(live.id, 0);
      await owes(near.id, TOTAL / 2);
      const credits = [{ line_id: await owes(named.id, 0), amount_cents: 1_000, note: 'a favour' }];
      const cancelled = async (id: string, input = {}) => {
        const { credits, committed_cents } = answerOf<OpsOrder>(await ops('ops_order_cancel', id, input));
        return [credits.map(({ amount_cents }) => amount_cents), committed_cents];
      };
      expect(await cancelled(live.id)).toEqual([[], TOTAL]);
      expect(await cancelled(near.id)).toEqual([[TOTAL / 2], TOTAL / 2]);
      const [favour] = credits;
      expect(
        await codeOf(ops('ops_order_cancel', named.id, { credits: [{ ...favour, amount_cents: TOTAL + 1 }] })),
      ).toBe('unprocessable');
      expect(await cancelled(named.id, { credits })).toEqual([[1_000], TOTAL - 1_000]);
      expect(await codeOf(ops('ops_order_cancel', named.id))).toBe('conflict bad_state');
      const { items } = answerOf<{ items: OpsCredit[] }>(
        await billing.run('ops_credits_list', await asFinance(), { state: 'due', limit: 200 }),
      );
      expect(items).toContainEqual(
        expect.objectContaining({ order_id: named.id, amount_cents: 1_000, note: 'a favour' }),
      );
      for (const { id } of [live, near, named]) await isWhole(id);
    });
  });

  describe('by invoice', () => {
    const DETAILS = { legal_name: 'Acme GmbH', address: 'Straße 1\nBerlin', tax_id: 'DE1', purchase_order: 'PO-7' };

    it('is requested by the payer, sent, and paid by the team', async () => {
      const one = await signed('invoice');
      expect(answerOf<PayPage>(await onPage(one, 'pay_invoice', { details: DETAILS }))).toMatchObject({
        payment_state: 'unpaid',
        invoice: { state: 'requested', details: DETAILS },
      });
      await onPage(one, 'pay_invoice', { details: { ...DETAILS, tax_id: 'DE2' } });
      expect(
        answerOf<OpsOrder>(await ops('ops_order_invoice_sent', one.id, { number: '2026-1', due_on: '2099-12-24' })),
      ).toMatchObject({
        payment_state: 'processing',
        invoice: { state: 'sent', number: '2026-1', due_on: '2099-12-24', details: { tax_id: 'DE2' } },
      });
      expect(await codeOf(onPage(one, 'pay_invoice', { details: DETAILS }))).toBe('conflict');
      const pay = (cents: number) =>
        ops('ops_order_invoice_paid', one.id, { bank_reference: 'T-1', amount_cents: cents });
      expect(await codeOf(pay(TOTAL - 1))).toBe('unprocessable');
      const both = await Promise.all([codeOf(pay(TOTAL)), codeOf(pay(TOTAL))]);
      expect(both.sort()).toEqual(['conflict bad_state', 'ok']);
      expect(await order(one.id)).toMatchObject({ payment_state: 'paid', received_cents: TOTAL, stray_cents: 0 });
      expect(await page(one)).toMatchObject({ invoice: { state: 'paid', paid_at: expect.any(String) } });
      await isWhole(one.id);
    });

    it('is withdrawn with a reason, and may be sent again or paid by card', async () => {
      const one = await signed('invoice');
      const send = (number: string) => ops('ops_order_invoice_sent', one.id, { number, due_on: '2099-12-24' });
      expect(await codeOf(ops('ops_order_invoice_withdrawn', one.id))).toBe('conflict bad_state');
      expect(await codeOf(send('A-1'))).toBe('ok');
      expect(await codeOf(send('A-2'))).toBe('conflict bad_state');
      expect(answerOf<OpsOrder>(await ops('ops_order_invoice_withdrawn', one.id))).toMatchObject({
        payment_state: 'unpaid',
      });
      expect(await codeOf(send('A-3'))).toBe('ok');
      await ops('ops_order_invoice_withdrawn', one.id);
      await onPage(one, 'pay_rail', { rail: 'checkout' });
      await deliver(stripe.pay(await pressed(one)));
      expect((await order(one.id)).payment_state).toBe('paid');
      await isWhole(one.id);
    });

    it('is given up unsent by a payer who chooses the card instead', async () => {
      const one = await signed('invoice');
      await onPage(one, 'pay_invoice', { details: DETAILS });
      await onPage(one, 'pay_rail', { rail: 'checkout' });
      expect(await page(one)).toMatchObject({
        rail: 'checkout',
        invoice: { state: 'withdrawn', number: null, sent_at: null },
      });
    });

    it.each([
      [{ ...DETAILS, legal_name: ' ' }, ['legal_name']],
      [{ ...DETAILS, address: '' }, ['address']],
      [{ ...DETAILS, legal_name: 'Acme \u202EHbmG' }, ['legal_name']],
      [{ ...DETAILS, address: 'Straße\u200B 1\nBerlin', purchase_order: 'PO\u20667' }, ['address', 'purchase_order']],
      [{ ...DETAILS, legal_name: 'x'.repeat(201), tax_id: 'a\u0000b' }, ['legal_name', 'tax_id']],
      [{}, ['legal_name', 'address']],
    ])('refuses %j, naming %j', async (details, fields) => {
      const one = await signed('invoice');
      const outcome = await onPage(one, 'pay_invoice', { details }).catch((error: unknown) => ({ error }));
      const { problems } = (outcome as { error: { details: { problems: { field: string }[] } } }).error.details;
      expect(problems.map(({ field }) => field)).toEqual(fields);
      expect((await page(one)).invoice).toBeNull();
    });

    it('that is paid after its order was cancelled is money to return, with a task', async () => {
      const one = await signed('invoice');
      const pay = () => ops('ops_order_invoice_paid', one.id, { bank_reference: 'T-9', amount_cents: TOTAL });
      await ops('ops_order_invoice_sent', one.id, { number: 'B-2', due_on: '2099-12-24' });
      expect(answerOf<OpsOrder>(await ops('ops_order_cancel', one.id)).invoice).toMatchObject({ state: 'withdrawn' });
      const kinds = (await billing.ledger(one.id)).map(({ kind }) => kind);
      expect(kinds).toEqual(['signed', 'pending', 'failed', 'cancel', 'give_back']);
      expect(answerOf<OpsOrder>(await pay())).toMatchObject({
        payment_state: 'cancelled',
        invoice: { state: 'paid' },
        stray_cents: TOTAL,
        received_cents: 0,
      });
      expect(await codeOf(pay())).toBe('conflict bad_state');
      const again = { bank_reference: 'T-9 again', amount_cents: TOTAL };
      expect(answerOf<OpsOrder>(await ops('ops_order_invoice_paid', one.id, again)).stray_cents).toBe(2 * TOTAL);
      const tasks = (await billing.outbox()).map((row) => row['payload'] as { kind?: string; about?: object });
      expect(tasks).toContainEqual(expect.objectContaining({ kind: 'stray_charge', about: { order_id: one.id } }));
      for (const reference of ['T-10', 'T-11'])
        expect(await codeOf(refund(one.id, TOTAL, { bank_reference: reference }))).toBe('ok');
      await settled();
      expect(await order(one.id)).toMatchObject({ payment_state: 'cancelled', stray_cents: 0 });
      await isWhole(one.id);
    });

    it('that was paid twice is money to return, once per transfer, with a task for each', async () => {
      const one = await signed('invoice');
      const pay = (reference: string) =>
        ops('ops_order_invoice_paid', one.id, { bank_reference: reference, amount_cents: TOTAL });
      await pay('T-1');
      const line = (await order(one.id)).lines[0]?.line_id;
      expect(await codeOf(refund(one.id, 1_000, { line_id: line }))).toBe('unprocessable');
      expect(await codeOf(refund(one.id, 1_000, { line_id: line, bank_reference: 'B-1' }))).toBe('ok');
      await settled();

      expect(answerOf<OpsOrder>(await pay('T-2'))).toMatchObject({
        payment_state: 'partially_refunded',
        received_cents: TOTAL,
        stray_cents: TOTAL,
        invoice: { bank_reference: 'T-1', later_transfers: [{ bank_reference: 'T-2', amount_cents: TOTAL }] },
      });
      await isWhole(one.id);
      for (const known of ['T-1', 'T-2']) expect(await codeOf(pay(known))).toBe('conflict bad_state');
      const both = await Promise.all([codeOf(pay('T-3')), codeOf(pay('T-3'))]);
      expect(both.sort()).toEqual(['conflict bad_state', 'ok']);
      expect((await order(one.id)).stray_cents).toBe(2 * TOTAL);

      const strays = (await billing.ledger(one.id)).filter(({ kind }) => kind === 'stray_charge');
      const { later_transfers: later } = (await order(one.id)).invoice ?? {};
      expect(later?.map(({ rail_ref }) => rail_ref)).toEqual(strays.map(({ rail_ref }) => rail_ref));
      const tasks = (await billing.outbox()).map((row) => row['payload'] as { kind?: string; about?: object });
      const own = { kind: 'stray_charge', about: { order_id: one.id } };
      expect(tasks.filter(({ kind, about }) => kind === own.kind && isDeepStrictEqual(about, own.about))).toHaveLength(
        2,
      );

      for (const reference of ['B-2', 'B-3'])
        expect(await codeOf(refund(one.id, TOTAL, { bank_reference: reference }))).toBe('ok');
      await settled();
      expect(await order(one.id)).toMatchObject({ payment_state: 'partially_refunded', stray_cents: 0 });
      await isWhole(one.id);
    });

    it('that nobody asked for before its order was cancelled cannot be paid', async () => {
      const one = await signed('invoice');
      await ops('ops_order_cancel', one.id);
      const pay = { bank_reference: 'T-11', amount_cents: TOTAL };
      expect(await codeOf(ops('ops_order_invoice_paid', one.id, pay))).toBe('conflict bad_state');
    });
  });

  it('books 100 shuffled and doubled events of 5 orders once each (I21, I23)', async () => {
    const orders = await Promise.all(Array.from({ length: 5 }, () => payable()));
    const events = orders.flatMap(({ id, session }, index) => {
      const charge = stripe.pay(session);
      const payment = stripe.sessionOf(id)?.payment_intent ?? '';
      const parts = Array.from({ length: index }, () => stripe.refundByHand(payment, 100));
      const known = [charge, { ...charge, id: `${charge.id}_again` }, ...parts];
      return Array.from({ length: 20 }, (_none, at) => known[at % known.length] as typeof charge);
    });
    const random = randomOf(20);
    const shuffled = events.map((event) => ({ event, at: random() })).sort((one, other) => one.at - other.at);
    expect(shuffled).toHaveLength(100);
    for (let at = 0; at < shuffled.length; at += 25)
      await Promise.all(shuffled.slice(at, at + 25).map(({ event }) => deliver(event)));
    await settled();
    for (const [index, { id }] of orders.entries()) {
      const entries = await billing.ledger(id);
      expect(entries.filter(({ kind }) => kind === 'charge')).toHaveLength(1);
      // Each event names the sum so far; of several that came late, the last one alone is booked.
      const refunded = entries.reduce(
        (sum, { kind, amount_cents: cents }) => (kind === 'refund' ? sum - cents : sum),
        0,
      );
      expect(refunded).toBe(100 * index);
      await isWhole(id);
    }
  }, 180_000);

  it('leaves every cap, ledger, receipt and answer as they should be', async () => {
    expect(await auditBilling(billing.store)).toEqual([]);
  });
});
