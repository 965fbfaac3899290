import { randomUUID } from 'node:crypto';
import type { BrandOrder, SandboxOutcome } from '@cds/contracts';
import { type Ctx, Deadline } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import { orderNumberOf } from '../domain/order.js';
import { auditBilling } from '../test/audit-billing.js';
import { answerOf, aSigned } from '../test/builders.js';
import { testBilling } from '../test/suite.js';

const TOTAL = 10_000;

/** docs/domain/orders.md#orders-for-brands */
describe('the orders of a brand', () => {
  const billing = testBilling('brand_orders');

  const again = (ctx: Ctx, over: Partial<Ctx> = {}): Ctx => ({
    ...ctx,
    command: { id: randomUUID(), fp: 'r1:test' },
    deadline: Deadline.in(20_000),
    ...over,
  });
  const asPerson = (ctx: Ctx): Ctx =>
    again(ctx, {
      principal: { ...ctx.principal, audience: 'person', person: { id: randomUUID(), role: 'admin' } },
    });
  /** What an operation answers: its value or its error. */
  const ask = async (operation: string, ctx: Ctx, input: object) => {
    try {
      const outcome = await billing.run(operation, ctx, { ...input });
      if ('ok' in outcome && !outcome.ok) return { error: outcome.error };
      return { value: answerOf<unknown>(outcome) };
    } catch (error) {
      return { error: (error as { body: () => { code: string; details?: object } }).body() };
    }
  };
  const signed = (before?: Ctx) =>
    aSigned(billing, before === undefined ? {} : { key: before.principal.key, workspace: before.principal.workspace });
  const read = async (ctx: Ctx, id: string): Promise<BrandOrder> =>
    (await ask('order_get', again(ctx), { id })).value as BrandOrder;
  const play = (ctx: Ctx, id: string, outcome: SandboxOutcome) =>
    ask('sandbox_order_payment', again(ctx), { id, outcome });
  const cancel = (ctx: Ctx, id: string) => ask('order_cancel', asPerson(ctx), { id, reason: 'Plans changed.' });
  const heldBy = async ({ principal, now }: Ctx): Promise<number> =>
    (await billing.authority(principal.key))?.months[now.toISOString().slice(0, 7)]?.held ?? 0;

  it('show an unpaid order with its link to keys that may sign, and to no other', async () => {
    const { ctx, id } = await signed();
    expect(await read(ctx, id)).toMatchObject({
      id,
      order_number: orderNumberOf(id),
      payment_state: 'unpaid',
      total_cents: TOTAL,
      receipt_url: null,
      payment: { rail: 'checkout', url: expect.stringMatching(/\/pay\/[0-9A-Za-z]{43}$/) },
      received_cents: 0,
      refunds: [],
      unused_cents: 0,
      stray_cents: 0,
    });
    const reader = { ...ctx, principal: { ...ctx.principal, scopes: ['campaigns:read' as const] } };
    expect(await read(reader, id)).toMatchObject({ payment: null });
  });

  it('lead to the receipt of their payment once paid, at the link that was paid, for keys that may sign', async () => {
    const { ctx, id } = await signed();
    const link = (await read(ctx, id)).payment?.url;
    await play(ctx, id, 'paid');
    expect((await read(ctx, id)).receipt_url).toBe(`${link}/receipt`);
    const reader = { ...ctx, principal: { ...ctx.principal, scopes: ['campaigns:read' as const] } };
    expect((await read(reader, id)).receipt_url).toBeNull();
    // The link of a paid order outlives the key that sealed it: it may be retired after 30 days.
    await billing.store.db
      .collection<{ _id: string }>('orders')
      .updateOne({ _id: id }, { $set: { pay_token: '~999.AAAA' } });
    expect(await read(ctx, id)).toMatchObject({ payment_state: 'paid', receipt_url: null });
  });

  it('are listed newest first in pages, each order once, and by state', async () => {
    const { ctx, id } = await signed();
    const ids = [id];
    for (let n = 0; n < 4; n += 1) ids.push((await signed(ctx)).id);
    await play(ctx, ids[1] ?? '', 'paid');
    const list = async (input: object) =>
      (await ask('orders_list', again(ctx), input)).value as { orders: BrandOrder[]; next: string | null };
    const seen: BrandOrder[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list({ limit: 2, ...(cursor === '' ? {} : { cursor }) });
      seen.push(...page.orders);
      cursor = page.next;
    }
    expect(new Set(seen.map((order) => order.id))).toEqual(new Set(ids));
    expect(seen).toHaveLength(ids.length);
    const times = seen.map(({ signed_at }) => signed_at);
    expect(times).toEqual([...times].sort().reverse());
    expect((await list({ payment_state: 'paid' })).orders.map((order) => order.id)).toEqual([ids[1]]);
    expect((await ask('orders_list', again(ctx), { cursor: 'made up' })).error).toMatchObject({ code: 'bad_request' });
  });

  it('are cancelled before payment: the link closes and the cents are given back once', async () => {
    const { ctx, id } = await signed();
    expect(await heldBy(ctx)).toBe(TOTAL);
    const person = asPerson(ctx);
    const first = await ask('order_cancel', person, { id, reason: 'Plans changed.' });
    expect(first.value).toMatchObject({ id, payment_state: 'cancelled', payment: null, unused_cents: 0 });
    expect(new Set((first.value as BrandOrder).lines.map(({ money }) => money))).toEqual(new Set(['given_back']));
    expect((await ask('order_cancel', person, { id, reason: 'Plans changed.' })).value).toEqual(first.value);
    expect((await cancel(ctx, id)).error).toMatchObject({ code: 'conflict', details: { reason: 'bad_state' } });
    expect(await heldBy(ctx)).toBe(0);
    const entries = await billing.ledger(id);
    expect(entries.map(({ kind }) => kind)).toEqual(['signed', 'cancel', 'give_back']);
    expect((await play(ctx, id, 'paid')).error).toMatchObject({ code: 'conflict' });
  });

  it.each<[SandboxOutcome, string, string]>([
    ['pending', 'order_processing', 'processing'],
    ['paid', 'order_paid', 'paid'],
  ])('are not cancelled after %s', async (outcome, reason, state) => {
    const { ctx, id } = await signed();
    await play(ctx, id, outcome);
    expect((await cancel(ctx, id)).error).toMatchObject({ code: 'conflict', details: { reason } });
    expect((await read(ctx, id)).payment_state).toBe(state);
    expect(await heldBy(ctx)).toBe(TOTAL);
  });

  it.each([
    ['order_cancel', { reason: 'x' }],
    ['sandbox_order_payment', { outcome: 'settled' }],
  ])('leave no refusal of %s under a command that is signing another plan', async (operation, input) => {
    const { ctx, id } = await signed();
    await play(ctx, id, 'paid');
    const person = asPerson(ctx);
    await billing.store.db
      .collection<{ _id: string }>('authority')
      .updateOne({ _id: ctx.principal.key }, { $push: { holds: { command_id: person.command?.id } } } as object);
    expect((await ask(operation, person, { id, ...input })).error).toMatchObject({
      code: 'idempotency_conflict',
    });
    const records = billing.store.db.collection<{ _id: string }>('commands');
    const hasEnded = { run: { $exists: false } };
    expect(await records.countDocuments({ _id: person.command?.id ?? '', ...hasEnded })).toBe(0);
    await billing.store.db
      .collection<{ _id: string }>('authority')
      .updateOne({ _id: ctx.principal.key }, { $pull: { holds: { command_id: person.command?.id } } } as object);
  });

  it('end either paid or cancelled when both happen at once, and the cents follow', async () => {
    const ends = new Set<string>();
    for (let n = 0; n < 12; n += 1) {
      const { ctx, id } = await signed();
      const started = [cancel(ctx, id), play(ctx, id, 'paid')];
      await Promise.all(n % 2 === 0 ? started : started.reverse());
      const { payment_state } = await read(ctx, id);
      ends.add(payment_state);
      expect(await heldBy(ctx)).toBe(payment_state === 'cancelled' ? 0 : TOTAL);
    }
    expect([...ends].every((end) => ['paid', 'cancelled'].includes(end))).toBe(true);
    expect(await auditBilling(billing.store)).toEqual([]);
  }, 60_000);

  it('with an open session close it at the rail first, and are paid when the rail has the money', async () => {
    const sessions = billing.store.db.collection<{ _id: string }>('sandbox_sessions');
    const [open, late] = [await signed(), await signed()];
    for (const { ctx, id } of [open, late]) await play(ctx, id, 'declined');
    expect((await cancel(open.ctx, open.id)).value).toMatchObject({ payment_state: 'cancelled' });
    expect(await sessions.findOne({ _id: `${open.id}:1` })).toMatchObject({ state: 'expired' });

    await sessions.updateOne({ _id: `${late.id}:1` }, { $set: { state: 'paid' } });
    expect((await cancel(late.ctx, late.id)).error).toMatchObject({ details: { reason: 'order_paid' } });
    expect((await read(late.ctx, late.id)).payment_state).toBe('paid');
  });

  it('show a link that no key opens any more only to keys that may pay, and never fail for the others', async () => {
    const { ctx, id } = await signed();
    await billing.store.db
      .collection<{ _id: string }>('orders')
      .updateOne({ _id: id }, { $set: { pay_token: 'sealed by a lost key' } });
    const reader = { ...ctx, principal: { ...ctx.principal, scopes: ['campaigns:read' as const] } };
    expect(await read(reader, id)).toMatchObject({ id, payment: null });
  });
});
