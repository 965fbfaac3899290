import type { OpsOrder, PlanApproved } from '@cds/contracts';
import { addDays, dayOf } from '@cds/service/calendar';
import { describe, expect, it } from '@jest/globals';
import { ledgerSum } from '../domain/order-state.js';
import { signRaw } from '../domain/signature.js';
import { anApproval, answerOf, aSystemCtx, codeOf, RAIL_SECRET } from '../test/builders.js';
import { TOTAL } from '../test/live-orders.js';
import { testLiveOrders } from '../test/suite.js';

const DETAILS = { legal_name: 'Acme GmbH', address: 'Straße 1\nBerlin', tax_id: 'DE1', purchase_order: '' };
const SENT = { number: 'A-1', due_on: '2099-12-24' };
const HOUR_MS = 3_600_000;

/** docs/domain/orders.md#rails */
describe('an invoice', () => {
  const { billing, signed, page, onPage, ops, order } = testLiveOrders('invoices', { CDS_STRIPE_SECRET_KEY: '' });

  /** An order whose payer has asked for an invoice. */
  const requested = async () => {
    const one = await signed('invoice');
    await onPage(one, 'pay_invoice', { details: DETAILS });
    return one;
  };
  const paidBy = (id: string, reference: string) =>
    ops('ops_order_invoice_paid', id, { bank_reference: reference, amount_cents: TOTAL });

  it('is due on the day it is sent or later, never before', async () => {
    const one = await requested();
    const today = dayOf(await billing.store.now());
    const send = (due_on: string) => ops('ops_order_invoice_sent', one.id, { number: 'A-1', due_on });
    expect(await send(addDays(today, -1))).toMatchObject({
      error: { code: 'unprocessable', details: { problems: [{ field: 'due_on' }] } },
    });
    expect(await order(one.id)).toMatchObject({ payment_state: 'unpaid' });
    expect(await codeOf(send(today))).toBe('ok');
  });

  it.each(['\uFE0F', '\u0301', '\u{1D159}'])('is not asked for by a name that nobody sees: %j', async (legal_name) => {
    const one = await signed('invoice');
    await expect(onPage(one, 'pay_invoice', { details: { ...DETAILS, legal_name } })).rejects.toMatchObject({
      details: { problems: [{ field: 'legal_name' }] },
    });
    const decomposed = { ...DETAILS, legal_name: 'e\u0301'.repeat(200) };
    expect(await codeOf(onPage(one, 'pay_invoice', { details: decomposed }))).toBe('ok');
  });

  it('shows the team the transfer that paid it, and nobody else', async () => {
    const one = await requested();
    expect((await order(one.id)).invoice).toMatchObject({ state: 'requested', bank_reference: null });
    await ops('ops_order_invoice_paid', one.id, { bank_reference: 'STMT 7/12', amount_cents: TOTAL });
    expect((await order(one.id)).invoice).toMatchObject({ state: 'paid', bank_reference: 'STMT 7/12' });
    expect((await page(one)).invoice).not.toHaveProperty('bank_reference');
  });

  describe('after the operator has switched the rail off', () => {
    const OFF = { invoice_rail: false };
    const paid = { bank_reference: 'T-1', amount_cents: TOTAL };

    it('is not asked for any more: the refusal says what to do instead, and nothing is written', async () => {
      const one = await signed('invoice');
      await expect(onPage(one, 'pay_invoice', { details: DETAILS }, OFF)).rejects.toMatchObject({
        code: 'conflict',
        message: 'Payments are closed at the moment. Try again later, or ask our team at billing@example.com.',
      });
      expect(await page(one)).toMatchObject({ session: null, invoice: null });
      expect(await codeOf(onPage(one, 'pay_invoice', { details: DETAILS }))).toBe('ok');
    });

    it('is not asked for again after it was withdrawn', async () => {
      const one = await requested();
      await ops('ops_order_invoice_sent', one.id, SENT);
      await ops('ops_order_invoice_withdrawn', one.id, {}, OFF);
      expect(await codeOf(onPage(one, 'pay_invoice', { details: DETAILS }, OFF))).toBe('conflict');
      expect(await codeOf(ops('ops_order_invoice_sent', one.id, SENT, OFF))).toBe('conflict bad_state');
    });

    it('is not sent to a payer who has not asked for it', async () => {
      const one = await signed('invoice');
      expect(await ops('ops_order_invoice_sent', one.id, SENT, OFF)).toMatchObject({
        error: { code: 'conflict', message: expect.stringContaining('Switch invoice_rail on first.') },
      });
      expect(await order(one.id)).toMatchObject({ payment_state: 'unpaid', invoice: null });
    });

    it('is corrected, sent and paid when it was asked for before', async () => {
      const one = await requested();
      expect((await page(one, OFF)).options.map(({ rail }) => rail)).toEqual(['invoice']);
      await onPage(one, 'pay_invoice', { details: { ...DETAILS, tax_id: 'DE2' } }, OFF);
      expect(answerOf<OpsOrder>(await ops('ops_order_invoice_sent', one.id, SENT, OFF))).toMatchObject({
        payment_state: 'processing',
        invoice: { state: 'sent', details: { tax_id: 'DE2' } },
      });
      expect(answerOf<OpsOrder>(await ops('ops_order_invoice_paid', one.id, paid, OFF))).toMatchObject({
        payment_state: 'paid',
      });
    });

    it('is paid even when nobody asked for it, because money is always booked', async () => {
      const one = await signed('invoice');
      expect(answerOf<OpsOrder>(await ops('ops_order_invoice_paid', one.id, paid, OFF))).toMatchObject({
        payment_state: 'paid',
        received_cents: TOTAL,
      });
    });
  });

  it('is not marked paid by whoever knows the secret of the sandbox', async () => {
    const one = await requested();
    const { session } = (await billing.orders(one.ws))[0] ?? {};
    const now = await billing.store.now();
    const raw = JSON.stringify({
      id: 'evt_forged',
      type: 'invoice.paid',
      created: now.toISOString(),
      data: {
        invoice: session?.rail_key,
        order: one.id,
        workspace: one.ws,
        sandbox: false,
        amount_cents: TOTAL,
        currency: 'USD',
      },
    });
    const delivered = async (rail: string) =>
      codeOf(
        billing.run('rail_event', await aSystemCtx(billing, ''), {
          rail,
          raw_base64: Buffer.from(raw).toString('base64'),
          signature: signRaw(RAIL_SECRET, Buffer.from(raw), now),
        }),
      );
    expect(billing.deps.rails.invoice.read(raw)).toMatchObject({ kind: 'charge', order_id: one.id });
    expect(await delivered('invoice')).toBe('bad_request');
    expect(await delivered('sandbox')).toBe('bad_request');
    expect((await order(one.id)).payment_state).toBe('unpaid');
  });

  it('keeps what it said when it was sent: a correction that meets "sent" is refused', async () => {
    const one = await requested();
    const { invoices } = billing.deps;
    const open = invoices.open.bind(invoices);
    invoices.open = async (invoice) => {
      invoices.open = open;
      const stale = await open(invoice);
      expect(await codeOf(ops('ops_order_invoice_sent', one.id, SENT))).toBe('ok');
      return stale;
    };
    expect(await codeOf(onPage(one, 'pay_invoice', { details: { ...DETAILS, tax_id: 'DE2' } }))).toBe('conflict');
    expect((await order(one.id)).invoice).toMatchObject({ state: 'sent', details: { tax_id: 'DE1' } });
  });

  it('is sent with the correction that the payer made while it was being sent', async () => {
    const one = await requested();
    const { invoices } = billing.deps;
    const byKey = invoices.byKey.bind(invoices);
    invoices.byKey = async (ws, railKey) => {
      invoices.byKey = byKey;
      const stale = await byKey(ws, railKey);
      await onPage(one, 'pay_invoice', { details: { ...DETAILS, tax_id: 'DE2' } });
      return stale;
    };
    expect(await codeOf(ops('ops_order_invoice_sent', one.id, SENT))).toBe('ok');
    expect((await order(one.id)).invoice).toMatchObject({ state: 'sent', details: { tax_id: 'DE2' } });
  });

  it.each(['t-1', 'T - 1', 'T-1\u200B', 'T\u00A0-1'])(
    'is not paid again by its own transfer, typed as %j',
    async (typed) => {
      const one = await requested();
      await paidBy(one.id, 'T-1');
      expect(await paidBy(one.id, typed)).toMatchObject({
        error: {
          code: 'conflict',
          message:
            'The transfer T-1 is booked for this order already. Mark another transfer by its own bank_reference.',
          details: { bank_reference: 'T-1' },
        },
      });
      expect((await order(one.id)).stray_cents).toBe(0);
    },
  );

  it('is none of an order set to the card: the refusal says what can still be done', async () => {
    const one = await signed('invoice');
    const orders = billing.store.db.collection<{ _id: string }>('orders');
    await orders.updateOne({ _id: one.id }, { $set: { rail: 'checkout' } });
    expect(await codeOf(onPage(one, 'pay_invoice', { details: DETAILS }))).toBe('conflict');
    expect(await codeOf(ops('ops_order_invoice_sent', one.id, SENT))).toBe('conflict bad_state');
    const refused = (words: string) => ({ error: { code: 'conflict', message: expect.stringContaining(words) } });
    expect(await paidBy(one.id, 'T-1')).toMatchObject(refused('can choose the invoice on the payment page'));
    await ops('ops_order_cancel', one.id);
    expect(await paidBy(one.id, 'T-1')).toMatchObject(refused('Return a transfer for it from your bank.'));
  });

  it('takes transfers, a refund and a cancellation at once, each once', async () => {
    const one = await requested();
    await paidBy(one.id, 'T-1');
    const refunded = { amount_cents: 1_000, bank_reference: 'B-1' };
    const answers = await Promise.all([
      codeOf(paidBy(one.id, 'T-2')),
      codeOf(paidBy(one.id, 'T-3')),
      codeOf(ops('ops_order_refund', one.id, refunded)),
      codeOf(ops('ops_order_cancel', one.id)),
    ]);
    expect(answers).toEqual(['ok', 'ok', expect.stringMatching(/^(ok|conflict bad_state)$/), 'ok']);
    // The credits of the cancellation take all of T-1: until another transfer is booked, nothing is left to repay.
    if (answers[2] !== 'ok') expect(await codeOf(ops('ops_order_refund', one.id, refunded))).toBe('ok');
    await billing.parts.close();
    const after = await order(one.id);
    expect(after.invoice?.later_transfers.map(({ bank_reference }) => bank_reference).sort()).toEqual(['T-2', 'T-3']);
    expect(after).toMatchObject({ payment_state: 'cancelled', received_cents: TOTAL, pending_refunds: [] });
    expect(ledgerSum(await billing.ledger(one.id))).toBe(3 * TOTAL - refunded.amount_cents);
    const tasks = (await billing.outbox()).map(
      (row) => row['payload'] as { kind?: string; about?: { order_id?: string } },
    );
    expect(tasks.filter(({ kind, about }) => kind === 'stray_charge' && about?.order_id === one.id)).toHaveLength(2);
  });

  it('keeps a refund that is recorded while another transfer is booked', async () => {
    const one = await requested();
    await paidBy(one.id, 'T-1');
    const { invoices } = billing.deps;
    const byKey = invoices.byKey.bind(invoices);
    const refund = { key: 'r-1', amount_cents: 1_000, bank_reference: 'B-1' };
    let railKey = '';
    invoices.byKey = async (ws, key) => {
      invoices.byKey = byKey;
      railKey = key;
      const stale = await byKey(ws, key);
      await invoices.recordRefund(ws, key, refund);
      return stale;
    };
    expect(await codeOf(paidBy(one.id, 'T-2'))).toBe('ok');
    expect(await invoices.byKey(one.ws, railKey)).toMatchObject({
      refunds: [refund],
      later_transfers: [{ bank_reference: 'T-2' }],
    });
  });

  it('is paid although a cancellation, cut short, had withdrawn it', async () => {
    const one = await requested();
    const { orders } = billing.deps;
    const save = orders.save.bind(orders);
    orders.save = async () => {
      throw new Error('the process died');
    };
    await expect(ops('ops_order_cancel', one.id)).rejects.toThrow('the process died');
    orders.save = save;
    expect((await order(one.id)).invoice).toMatchObject({ state: 'withdrawn' });
    expect(answerOf<OpsOrder>(await paidBy(one.id, 'T-1'))).toMatchObject({
      payment_state: 'paid',
      received_cents: TOTAL,
      invoice: { state: 'paid' },
    });
  });

  it('of a sandbox moves at the time of its clock, whoever moves it', async () => {
    const before = Date.now();
    const plan = billing.planning.plan(TOTAL);
    const ctx = await anApproval(billing, { sandbox: true });
    const asked = { id: plan.id, terms_fingerprint: plan.terms_fingerprint, rail: 'invoice' };
    const { order_id: id } = answerOf<PlanApproved>(await billing.run('approve_plan', ctx, asked));
    await billing.parts.close();
    await billing.shell.clocks.set(ctx.principal.workspace, 48 * HOUR_MS);
    await ops('ops_order_invoice_sent', id, SENT);
    const paid = { bank_reference: 'T-1', amount_cents: TOTAL };
    const after = answerOf<OpsOrder>(await ops('ops_order_invoice_paid', id, paid));
    await ops('ops_order_cancel', id);
    const times = (await billing.ledger(id)).map(({ kind, at }) => [
      kind,
      Math.round((at.getTime() - before) / HOUR_MS),
    ]);
    expect(times).toEqual([
      ['signed', 0],
      ['pending', 48],
      ['charge', 48],
      ['cancel', 48],
    ]);
    expect(Math.round((Date.parse(after.paid_at ?? '') - before) / HOUR_MS)).toBe(48);
  });
});
