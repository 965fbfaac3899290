import { randomUUID } from 'node:crypto';
import type { PayPage, SandboxOrder } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { monthOf } from '../domain/authority.js';
import { signRaw } from '../domain/signature.js';
import { auditBilling } from '../test/audit-billing.js';
import { anApproval, answerOf, aSigned, aSystemCtx, codeOf, RAIL_SECRET, type Signed } from '../test/builders.js';
import { testLiveOrders } from '../test/suite.js';

const { billing, page, onPage } = testLiveOrders('payments');

const signed = (over: Parameters<typeof aSigned>[1] = {}): Promise<Signed> => aSigned(billing, over);
const press = (one: Signed, button: string) => onPage(one, 'pay_sandbox', { button });
const checkout = (one: Signed) => onPage(one, 'pay_checkout');
const playPayment = async (one: Signed, outcome: string, command: string = randomUUID()) =>
  billing.run('sandbox_order_payment', { ...one.ctx, command: { id: command, fp: outcome } }, { id: one.id, outcome });
const order = async (one: Signed) => {
  const found = (await billing.orders(one.ws)).find((each) => each._id === one.id);
  if (found === undefined) throw new Error('no order');
  return found;
};
const kinds = async (one: Signed) => (await billing.ledger(one.id)).map((entry) => entry.kind);
const event = (one: Signed, over: { id?: string; type?: string; data?: Record<string, unknown> } = {}) => ({
  id: over.id ?? `evt_${randomUUID()}`,
  type: over.type ?? 'checkout.session.completed',
  created: '2026-11-21T13:00:00.000Z',
  data: {
    session: null,
    payment: `pay_${one.id}`,
    order: one.id,
    workspace: one.ws,
    amount_cents: 10_000,
    currency: 'USD',
    payment_status: 'paid',
    ...over.data,
  },
});
const deliver = async (body: unknown, signature?: (raw: Buffer, now: Date) => string) => {
  const raw = Buffer.from(JSON.stringify(body));
  const now = await billing.store.now();
  const header = signature?.(raw, now) ?? signRaw(RAIL_SECRET, raw, now);
  return billing.run('rail_event', await aSystemCtx(billing, ''), {
    rail: 'sandbox',
    raw_base64: raw.toString('base64'),
    signature: header,
  });
};

describe('the page behind a payment link (docs/domain/orders.md#payment-link)', () => {
  it('shows the order and never a creator; an unknown token is 404', async () => {
    const one = await signed();
    const shown = await page(one);
    expect(shown).toMatchObject({
      order_id: one.id,
      company: 'Acme',
      campaign: 'Launch',
      posts: 1,
      total_cents: 10_000,
      payment_state: 'unpaid',
      rail: 'checkout',
      session: null,
    });
    expect(shown.options.map((option) => option.rail)).toEqual(['checkout', 'invoice']);
    expect(JSON.stringify(shown)).not.toContain('creator');
    expect(await codeOf(billing.run('pay_page', await aSystemCtx(billing, ''), { token: 'x' }))).toBe('not_found');
  });

  it('opens at most one session, however often Pay is pressed (I19, B18)', async () => {
    const one = await signed();
    const urls = await Promise.all(
      Array.from({ length: 6 }, async () => answerOf<{ url: string }>(await checkout(one)).url),
    );
    expect(new Set(urls)).toEqual(new Set([`https://app.example.com/pay/${one.token}/sandbox`]));
    expect(await order(one)).toMatchObject({ generation: 1, session: { rail_key: `${one.id}:1`, state: 'open' } });
    expect(await billing.store.db.collection('sandbox_sessions').countDocuments({ order_id: one.id })).toBe(1);
  });

  it('asks the rail again with the same key after a lost answer (B17)', async () => {
    const one = await signed();
    const sandboxRail = billing.deps.rails.sandbox;
    const open = sandboxRail.open.bind(sandboxRail);
    sandboxRail.open = async (wanted) => {
      await open(wanted);
      sandboxRail.open = open;
      throw new Error('the answer is lost');
    };
    expect(await codeOf(checkout(one))).toBe('the answer is lost');
    expect((await order(one)).session).toMatchObject({ state: 'opening', generation: 1 });
    await checkout(one);
    expect((await order(one)).session).toMatchObject({ state: 'open', generation: 1 });
    expect(await billing.store.db.collection('sandbox_sessions').countDocuments({ order_id: one.id })).toBe(1);
  });

  it('refuses a form that is not the page’s own', async () => {
    const one = await signed();
    const ctx = await aSystemCtx(billing, one.ws);
    for (const [name, more] of [
      ['pay_checkout', {}],
      ['pay_rail', { rail: 'invoice' }],
      ['pay_sandbox', { button: 'pay' }],
    ] as const)
      expect(await codeOf(billing.run(name, ctx, { token: one.token, form_token: 'forged', ...more }))).toBe(
        'forbidden',
      );
  });

  it('changes the rail while unpaid, closing the session first', async () => {
    const one = await signed();
    await checkout(one);
    const shown = answerOf<PayPage>(await onPage(one, 'pay_rail', { rail: 'invoice' }));
    expect(shown).toMatchObject({ rail: 'invoice', session: null });
    expect(await codeOf(checkout(one))).toBe('conflict');
    expect(await codeOf(onPage(one, 'pay_rail', { rail: 'cash' }))).toBe('unprocessable');
  });

  it.each([
    ['pay', 'paid', ['signed', 'charge']],
    ['decline', 'unpaid', ['signed']],
    ['delay', 'processing', ['signed', 'pending']],
    ['expire', 'unpaid', ['signed']],
  ])('the button %s leaves the order %s', async (button, state, entries) => {
    const one = await signed();
    expect(await codeOf(press(one, button))).toBe('conflict');
    await checkout(one);
    expect(answerOf<PayPage>(await press(one, button)).payment_state).toBe(state);
    expect(await kinds(one)).toEqual(entries);
    // A declined payment changes nothing, so its event is not kept.
    const kept = (await billing.events()).filter((each) => each.event?.order_id === one.id);
    expect(kept).toHaveLength(button === 'decline' ? 0 : 1);
  });

  it('has no sandbox checkout for a live order', async () => {
    const one = await signed({ sandbox: false });
    expect(await codeOf(press(one, 'pay'))).toBe('not_found');
  });
});

describe("a rail's events (3.10)", () => {
  it.each([
    ['a bad signature', () => 't=1,v1=00'],
    ['no signature', () => ''],
    ['another secret', (raw: Buffer, now: Date) => signRaw('forged', raw, now)],
    ['an old timestamp', (raw: Buffer, now: Date) => signRaw(RAIL_SECRET, raw, new Date(now.getTime() - 301_000))],
  ])('refuses %s and stores nothing (I22, B30)', async (_name, signature) => {
    const one = await signed();
    const id = `evt_${randomUUID()}`;
    expect(await codeOf(deliver(event(one, { id }), signature))).toBe('bad_request');
    expect((await billing.events()).some((each) => each._id.includes(id))).toBe(false);
  });

  it.each([
    ['a foreign workspace', { workspace: randomUUID() }, 'unknown_order'],
    ['an unknown order', { order: randomUUID() }, 'unknown_order'],
  ])('quarantines %s and changes no order (I22)', async (_name, data, reason) => {
    const one = await signed();
    const id = `evt_${randomUUID()}`;
    expect(await codeOf(deliver(event(one, { id, data })))).toBe('ok');
    await billing.parts.close();
    expect((await billing.events()).find((each) => each._id.includes(id))).toMatchObject({
      state: 'quarantined',
      reason,
    });
    expect(await order(one)).toMatchObject({ payment_state: 'unpaid', version: 1 });
  });

  it('quarantines an event of the sandbox rail on a live order', async () => {
    const one = await signed({ sandbox: false });
    const before = await order(one);
    for (const [type, data] of [
      ['checkout.session.completed', {}],
      ['charge.refunded', { refunded_cents: 10_000 }],
    ] as const) {
      const id = `evt_${randomUUID()}`;
      expect(await codeOf(deliver(event(one, { id, type, data })))).toBe('ok');
      await billing.parts.close();
      expect((await billing.events()).find((each) => each._id.includes(id))).toMatchObject({
        state: 'quarantined',
        reason: 'rail',
      });
    }
    expect(await order(one)).toEqual(before);
    expect(await kinds(one)).toEqual(['signed']);

    // sandbox_order_payment has its own rail: it books nothing on a live order either.
    const played = await signed();
    await billing.store.db
      .collection<{ _id: string }>('orders')
      .updateOne({ _id: played.id }, { $set: { sandbox: false } });
    expect(await codeOf(playPayment(played, 'paid'))).toBe('conflict bad_state');
    expect(await kinds(played)).toEqual(['signed']);
  });

  it('applies an event that a dead process left, by the sweep', async () => {
    const one = await signed();
    const raw = JSON.stringify(event(one));
    await billing.deps.receiver.receive('sandbox', {
      raw: Buffer.from(raw),
      signature: signRaw(RAIL_SECRET, Buffer.from(raw), await billing.store.now()),
    });
    expect((await order(one)).payment_state).toBe('unpaid');
    // The time of a sweep is a little late.
    const left = billing.store.db.collection('payment_events');
    await left.updateMany({ state: 'new' }, { $set: { next_at: new Date(0) } });
    expect(await billing.sweep('payment events')).toBe(1);
    expect((await order(one)).payment_state).toBe('paid');
  });
});

describe('sandbox_order_payment (docs/domain/sandbox.md#sandbox)', () => {
  it.each([
    [['paid'], 'paid', ['signed', 'charge'], undefined],
    [['declined'], 'unpaid', ['signed'], 'The payment was declined, and'],
    [['declined', 'declined', 'paid'], 'paid', ['signed', 'charge'], undefined],
    [['pending'], 'processing', ['signed', 'pending'], undefined],
    [['pending', 'settled'], 'paid', ['signed', 'pending', 'charge'], undefined],
    [['pending', 'failed'], 'unpaid', ['signed', 'pending', 'failed'], 'The pending payment failed, and'],
    [['pending', 'failed', 'paid'], 'paid', ['signed', 'pending', 'failed', 'charge'], undefined],
    [['expired'], 'unpaid', ['signed'], 'The checkout expired, and'],
    [['expired', 'expired', 'paid'], 'paid', ['signed', 'charge'], undefined],
  ])('%j leaves the order %s', async (outcomes, state, entries, why) => {
    const one = await signed();
    let shown: SandboxOrder | undefined;
    for (const outcome of outcomes) shown = answerOf<SandboxOrder>(await playPayment(one, outcome));
    expect(shown).toMatchObject({ id: one.id, payment_state: state, total_cents: 10_000 });
    expect(shown?.note).toBe(why && `${why} nothing was paid. It can be tried again.`);
    expect(await kinds(one)).toEqual(entries);
    expect((await order(one)).payment_state).toBe(state);
    expect(await auditBilling(billing.store)).toEqual([]);
  });

  it('marks an invoice paid', async () => {
    const one = await signed({ rail: 'invoice' });
    expect(await codeOf(playPayment(one, 'paid'))).toBe('conflict bad_state');
    expect(answerOf<SandboxOrder>(await playPayment(one, 'invoice_paid')).payment_state).toBe('paid');
  });

  it('continues the session that the page opened', async () => {
    const one = await signed();
    await checkout(one);
    await playPayment(one, 'paid');
    expect(await order(one)).toMatchObject({ generation: 1, session: { state: 'closed' } });
  });

  it('replays under its key, and runs once', async () => {
    const one = await signed();
    const codes = await Promise.all(Array.from({ length: 6 }, () => codeOf(playPayment(one, 'paid', 'same-key'))));
    for (const code of codes) expect(['ok', 'in_progress']).toContain(code);
    expect(await codeOf(playPayment(one, 'paid', 'same-key'))).toBe('ok');
    expect(await kinds(one)).toEqual(['signed', 'charge']);
  });

  it('answers the same 404 for a foreign and an absent order, and 403 in a live workspace', async () => {
    const one = await signed();
    const stranger = await anApproval(billing);
    expect(await codeOf(billing.run('sandbox_order_payment', stranger, { id: one.id, outcome: 'paid' }))).toBe(
      'not_found',
    );
    expect(await codeOf(billing.run('sandbox_order_payment', stranger, { id: randomUUID(), outcome: 'paid' }))).toBe(
      'not_found',
    );
    const live = await anApproval(billing, { sandbox: false });
    expect(await codeOf(billing.run('sandbox_order_payment', live, { id: one.id, outcome: 'paid' }))).toBe('forbidden');
  });

  it('never stores a record under a command that has a hold', async () => {
    const one = await signed();
    const plan = billing.planning.plan(100);
    const approve = { ...one.ctx, command: { id: `held_${one.id}`, fp: 'approve' } };
    billing.failpoints.arm('sign.verdict_received=error');
    await codeOf(billing.approve(approve, plan));
    expect(await codeOf(playPayment(one, 'paid', `held_${one.id}`))).toBe('idempotency_conflict');
    expect((await order(one)).payment_state).toBe('unpaid');
    await billing.recover();
    expect(await codeOf(billing.approve(approve, plan))).toBe('ok');
  });
});

describe('due facts', () => {
  const DAY_MS = 86_400_000;
  const advance = async (one: Signed, ms: number) =>
    answerOf<{ handled: number }>(
      await billing.run('billing_clock_set', await aSystemCtx(billing, one.ws), { workspace: one.ws, offset_ms: ms }),
    ).handled;
  const due = async (one: Signed) =>
    answerOf<{ pending: { kind: string; due_at: string }[] }>(
      await billing.run('billing_due', await aSystemCtx(billing, one.ws), { workspace: one.ws }),
    ).pending;

  it('cancel an unpaid order at 14 days, once, and return its cents to the month of approval', async () => {
    const one = await signed();
    const { key } = one.ctx.principal;
    const held = async () => (await billing.authority(key))?.months[monthOf(one.ctx.now)]?.held;
    await checkout(one);
    expect(await due(one)).toEqual([
      { kind: 'unpaid_end', due_at: new Date(one.ctx.now.getTime() + 14 * DAY_MS).toISOString() },
    ]);
    expect(await advance(one, 14 * DAY_MS - 60_000)).toBe(0);
    expect(await held()).toBe(10_000);

    expect(await advance(one, 14 * DAY_MS + 1_000)).toBe(1);
    expect(await order(one)).toMatchObject({
      payment_state: 'cancelled',
      version: 2,
      cancelled_at: new Date(one.ctx.now.getTime() + 14 * DAY_MS),
      session: { state: 'closed' },
    });
    expect(await kinds(one)).toEqual(['signed', 'cancel', 'give_back']);
    expect(await held()).toBe(0);
    await Promise.all([billing.sweep('unpaid orders'), billing.sweep('unpaid orders')]);
    expect(await held()).toBe(0);
    expect(await due(one)).toEqual([]);
    expect(await codeOf(checkout(one))).toBe('conflict');
    expect(await auditBilling(billing.store)).toEqual([]);
  });

  it('give the cents back once when sweeps run at once', async () => {
    const one = await signed();
    await billing.store.db
      .collection<{ _id: string }>('orders')
      .updateOne({ _id: one.id }, { $set: { pay_expires_at: new Date(0) } });
    await Promise.all(Array.from({ length: 5 }, () => billing.sweep('unpaid orders')));
    expect(await kinds(one)).toEqual(['signed', 'cancel', 'give_back']);
    expect((await billing.authority(one.ctx.principal.key))?.months[monthOf(one.ctx.now)]?.held).toBe(0);
  });

  it('pay an order that the rail has money for, instead of cancelling it', async () => {
    const one = await signed();
    await checkout(one);
    const session = await billing.deps.sessions.byKey(one.ws, `${one.id}:1`);
    if (session === null) throw new Error('no session');
    await billing.deps.rails.sandbox.play(session, 'pay', one.ctx.now);
    await advance(one, 15 * DAY_MS);
    expect((await order(one)).payment_state).toBe('paid');
    expect(await kinds(one)).toEqual(['signed', 'charge']);
  });

  it('leave a paid order alone', async () => {
    const one = await signed();
    await playPayment(one, 'paid');
    expect(await advance(one, 20 * DAY_MS)).toBe(0);
    expect((await order(one)).payment_state).toBe('paid');
  });

  it('settle a delayed payment after 24 hours of the sandbox clock, at its own time', async () => {
    const one = await signed();
    await playPayment(one, 'pending');
    expect((await due(one)).map((fact) => fact.kind)).toEqual(['payment_settles']);
    expect(await advance(one, DAY_MS - 60_000)).toBe(0);
    expect(await advance(one, 10 * DAY_MS)).toBe(1);
    expect(await order(one)).toMatchObject({
      payment_state: 'paid',
      paid_at: new Date(one.ctx.now.getTime() + DAY_MS),
    });
  });
});
