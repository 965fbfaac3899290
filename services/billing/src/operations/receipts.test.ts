import { randomUUID } from 'node:crypto';
import { type BrandOrder, type ErrorBody, type PlanApproved, SignedReceipt, type WriteRefusal } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { REFUSAL_RECEIPTS } from '../domain/constants.js';
import { checkReceipt } from '../signing/receipt-check.js';
import { jwsOf, type StoredReceipt } from '../store/receipts.js';
import { anApproval, answerOf, aSystemCtx, codeOf } from '../test/builders.js';
import { aRefusal, type FakePlan } from '../test/fake-planning.js';
import { testBilling } from '../test/suite.js';

const DAY_MS = 86_400_000;

/** docs/domain/orders.md#receipts */
describe('the receipts of approves', () => {
  const billing = testBilling('receipts');

  const approve = (ctx: Ctx, plan: FakePlan) => billing.approve(ctx, plan);
  const rowsOf = async ({ principal }: Ctx): Promise<StoredReceipt[]> => {
    await billing.parts.close();
    return billing.store.db.collection<StoredReceipt>('receipts').find({ ws: principal.workspace }).toArray();
  };
  const read = async (ctx: Ctx, id: string): Promise<SignedReceipt> =>
    answerOf<SignedReceipt>(await billing.run('receipt_get', ctx, { id }));
  const orderOf = async (ctx: Ctx) => (await billing.orders(ctx.principal.workspace))[0];
  const refusalOf = async (ctx: Ctx, plan: FakePlan): Promise<ErrorBody> => {
    const outcome = await approve(ctx, plan);
    if ('value' in outcome || outcome.ok) throw new Error('not refused');
    return outcome.error;
  };
  /** The receipt of a workspace with exactly one, genuine under the published keys. */
  const onlyReceipt = async (ctx: Ctx): Promise<SignedReceipt> => {
    const rows = await rowsOf(ctx);
    expect(rows).toHaveLength(1);
    const answer = await read(ctx, rows[0]?._id ?? '');
    expect(SignedReceipt.parse(answer)).toEqual(answer);
    const system = await aSystemCtx(billing, '');
    const published = answerOf(await billing.run('receipt_keys', system, {}));
    expect((await checkReceipt(JSON.stringify(answer), published)).problems).toEqual([]);
    return answer;
  };

  it('a signing has one, which its order names', async () => {
    const plan = billing.planning.plan(40_000);
    const ctx = await anApproval(billing);
    const approved = answerOf<PlanApproved>(await approve(ctx, plan));
    expect(approved).not.toHaveProperty('receipt_id');

    const { id, kind, at, receipt } = await onlyReceipt(ctx);
    expect({ kind, at }).toEqual({ kind: 'signed', at: approved.approved_at });
    expect(receipt).toMatchObject({
      workspace: ctx.principal.workspace,
      sandbox: true,
      request_id: ctx.requestId,
      key_id: ctx.principal.key,
      order_id: approved.order_id,
      plan_id: plan.id,
      plan_version: plan.version,
      terms_fingerprint: plan.terms_fingerprint,
      total_cents: 40_000,
      lines: [{ price_cents: 40_000, current_price_cents: 40_000, on_sale: true }],
    });
    expect(receipt.rules.map(({ passed }) => passed)).toEqual(Array(14).fill(true));
    const order = answerOf<BrandOrder>(await billing.run('order_get', ctx, { id: approved.order_id }));
    expect(order.receipt_id).toBe(id);
    const { orders } = answerOf<{ orders: BrandOrder[] }>(await billing.run('orders_list', ctx, {}));
    expect(orders.map((one) => one.receipt_id)).toEqual([id]);
  });

  it('an order that was signed before receipts existed names none', async () => {
    const ctx = await anApproval(billing);
    const { order_id: id } = answerOf<PlanApproved>(await approve(ctx, billing.planning.plan(100)));
    await billing.store.db.collection<{ _id: string }>('orders').updateOne({ _id: id }, { $unset: { receipt_id: 1 } });
    expect(answerOf<BrandOrder>(await billing.run('order_get', ctx, { id })).receipt_id).toBeNull();
  });

  it.each(['sign.reserved', 'sign.verdict_received', 'sign.order_written'])(
    'a signing that died at %s has one once it was recovered, and none without its order',
    async (point) => {
      const plan = billing.planning.plan(100);
      const ctx = await anApproval(billing);
      billing.failpoints.arm(`${point}=error`);
      expect(await codeOf(approve(ctx, plan))).toBe(`failpoint ${point}`);
      expect(await rowsOf(ctx)).toHaveLength(point === 'sign.order_written' ? 1 : 0);
      expect(await billing.recover()).toBe(1);
      expect(await rowsOf(ctx)).toHaveLength(point === 'sign.reserved' ? 0 : 1);

      expect(await codeOf(approve(ctx, plan))).toBe('ok');
      const { receipt } = await onlyReceipt(ctx);
      expect(receipt).toMatchObject({ kind: 'signed', request_id: ctx.requestId, order_id: (await orderOf(ctx))?._id });
    },
  );

  it('a signing whose order cannot be written leaves none', async () => {
    const ctx = await anApproval(billing);
    const { orders } = billing.deps;
    const { insert } = orders;
    orders.insert = async (...args) => {
      await insert.apply(orders, args);
      throw new Error('the database went away');
    };
    expect(await codeOf(approve(ctx, billing.planning.plan(100)))).toBe('the database went away');
    orders.insert = insert;
    expect(await rowsOf(ctx)).toEqual([]);
    expect(await billing.recover()).toBe(1);
    await onlyReceipt(ctx);
  });

  it('a mandate’s refusal names its receipt, and so does each of its replays', async () => {
    const plan = billing.planning.plan(500);
    const ctx = await anApproval(billing, { mandate: aMandate({ monthly_cap_cents: 499 }) });
    const first = await refusalOf(ctx, plan);
    expect(first.details).toMatchObject({ reason: 'over_monthly_cap', over_by_cents: 1, escalate: true });
    for (let replay = 0; replay < 3; replay += 1) expect(await refusalOf(ctx, plan)).toEqual(first);

    const { id, kind, receipt } = await onlyReceipt(ctx);
    expect({ id, kind }).toEqual({ id: first.receipt_id, kind: 'refused' });
    expect(receipt).toMatchObject({
      request_id: ctx.requestId,
      order_id: null,
      total_cents: 500,
      lines: [{ price_cents: 500 }],
    });
    expect(receipt.rules.at(-1)).toEqual({
      rule: 'over_monthly_cap',
      passed: false,
      figures: { limit_cents: 499, spent_cents: 0, requested_cents: 500, over_by_cents: 1, escalate: true },
    });
  });

  /** Requests of one key that its mandate refuses, each under a command of its own. */
  const refusals = async (of: { plan: FakePlan; at?: Date; fingerprint?: string }[]) => {
    billing.planning.refusal = aRefusal('mandate_refused', 'approval_not_allowed', { escalate: true });
    const key = randomUUID();
    const workspace = randomUUID();
    const ids: (string | undefined)[] = [];
    let ctx = await anApproval(billing, { workspace });
    for (const { plan, at, fingerprint = plan.terms_fingerprint } of of) {
      ctx = await anApproval(billing, { workspace, key });
      const now = at ?? new Date(Math.floor(ctx.now.getTime() / 3_600_000) * 3_600_000 + 60_000);
      const outcome = await billing.run(
        'approve_plan',
        { ...ctx, now },
        { id: plan.id, terms_fingerprint: fingerprint },
      );
      if (!('value' in outcome) && !outcome.ok) ids.push(outcome.error.receipt_id);
    }
    return { ids, ctx };
  };

  it('equal refusals of an hour share one, which each of them names', async () => {
    const plan = billing.planning.plan(500);
    const { ids, ctx } = await refusals(Array.from({ length: 5 }, () => ({ plan })));
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(1);
    expect((await onlyReceipt(ctx)).id).toBe(ids[0]);
  });

  it('the first 10 of a key in a day are kept for 13 months and the others for a week, each in few bytes', async () => {
    const plan = billing.planning.plan(500);
    const asked = Array.from({ length: 14 }, (_, place) => ({ plan, fingerprint: `asked ${place}` }));
    const { ctx } = await refusals(asked);
    const rows = await rowsOf(ctx);
    const days = rows.map(({ expires_at: end }) => Math.floor(((end?.getTime() ?? 0) - Date.now()) / DAY_MS));
    const { longADay, longDays, shortDays } = REFUSAL_RECEIPTS;
    expect(days.toSorted((one, next) => next - one)).toEqual([
      ...Array(longADay).fill(longDays),
      ...Array(4).fill(shortDays),
    ]);
    for (const row of rows) {
      expect(row).not.toHaveProperty('jws');
      expect((await checkReceipt(jwsOf(row), null)).problems).toEqual([]);
    }
  });

  it('one that an earlier release stored whole is read as it is', async () => {
    const ctx = await anApproval(billing);
    await approve(ctx, billing.planning.plan(100));
    const before = await onlyReceipt(ctx);
    const rows = billing.store.db.collection<StoredReceipt>('receipts');
    await rows.updateOne({ _id: before.id }, { $set: { jws: before.jws }, $unset: { parts: 1 } });
    expect(await onlyReceipt(ctx)).toEqual(before);
  });

  it('one of a refusal that an earlier release stored ends after 13 months, that of a signing never', async () => {
    const rows = billing.store.db.collection<StoredReceipt>('receipts');
    const earlier = { $unset: { account: 1, expires_at: 1 } } as const;
    const signing = await anApproval(billing);
    await approve(signing, billing.planning.plan(100));
    const plan = billing.planning.plan(500);
    const { ctx } = await refusals(['one', 'two'].map((fingerprint) => ({ plan, fingerprint })));
    const [past, now] = [new Date('2026-08-01T12:00:00Z'), await billing.store.now()];
    const ahead = new Date(now.getTime() + 1_000 * DAY_MS);
    const [one = '', two = ''] = (await rowsOf(ctx)).map(({ _id }) => _id);
    await rows.updateOne({ _id: one }, { ...earlier, $set: { at: past } });
    await rows.updateOne({ _id: two }, { ...earlier, $set: { at: ahead } });
    const kept = await refusals([{ plan }]);
    const [before] = await rowsOf(kept.ctx);

    await billing.store.backfill();
    const endOf = async (id: string) => (await rows.findOne({ _id: id }))?.expires_at;
    const keptMs = (REFUSAL_RECEIPTS.longDays + 1) * DAY_MS;
    expect(await endOf(one)).toEqual(new Date(past.getTime() + keptMs));
    // A sandbox's clock may be years ahead; its receipts end by the database's.
    const end = Number(await endOf(two));
    expect([end >= now.getTime() + keptMs, end < now.getTime() + keptMs + DAY_MS]).toEqual([true, true]);
    expect(await endOf(before?._id ?? '')).toEqual(before?.expires_at);
    expect((await rowsOf(signing)).map(({ expires_at }) => expires_at)).toEqual([undefined]);
  });

  it('a refusal by planning, before or while it signs, has one too', async () => {
    const refusal = aRefusal('mandate_refused', 'terms_not_accepted', { accepted_version: null, escalate: true });
    for (const where of ['refusal', 'signRefusal'] as const) {
      billing.planning[where] = refusal;
      const ctx = await anApproval(billing);
      const error = await refusalOf(ctx, billing.planning.plan(100));
      billing.planning[where] = null;
      const { id, receipt } = await onlyReceipt(ctx);
      expect(error.receipt_id).toBe(id);
      expect(error.details).toEqual({ ...refusal.details, reason: 'terms_not_accepted' });
      expect(receipt.lines).toHaveLength(1);
      expect(receipt.rules.at(-1)).toEqual({ rule: 'terms_not_accepted', passed: false, figures: refusal.details });
    }
  });

  it('a refusal that died before it was stored has one once it was recovered, which its replay names', async () => {
    const plan = billing.planning.plan(500);
    const ctx = await anApproval(billing, { mandate: aMandate({ max_plan_cents: 1 }) });
    billing.failpoints.arm('sign.refusal_held=error');
    expect(await codeOf(approve(ctx, plan))).toBe('failpoint sign.refusal_held');
    expect(await rowsOf(ctx)).toEqual([]);
    expect(await billing.recover()).toBe(1);

    const { id, receipt } = await onlyReceipt(ctx);
    expect(receipt.request_id).toBe(ctx.requestId);
    expect((await refusalOf(ctx, plan)).receipt_id).toBe(id);
  });

  it('a write that planning refused has one, signed when it is read', async () => {
    const ctx = await anApproval(billing);
    const refusal: WriteRefusal = {
      id: randomUUID(),
      operation: 'plan_add_creator',
      request_id: 'asked-once',
      key_id: ctx.principal.key,
      parent_key_id: null,
      mandate_version: 4,
      total_cents: 50_000,
      rules: [{ rule: 'over_max_plan_total', passed: false, figures: { limit_cents: 1 } }],
      at: '2026-11-21T12:00:00.000Z',
    };
    billing.planning.refusedWrites.set(refusal.id, refusal);
    const answer = await read(ctx, refusal.id);
    expect(await read(ctx, refusal.id)).toEqual(answer);

    const { workspace } = ctx.principal;
    expect(answer.receipt).toMatchObject({ ...refusal, kind: 'refused', workspace, sandbox: true });
    expect(SignedReceipt.parse(answer)).toEqual(answer);
    const published = answerOf(await billing.run('receipt_keys', await aSystemCtx(billing, ''), {}));
    expect((await checkReceipt(JSON.stringify(answer), published)).problems).toEqual([]);
    expect(await rowsOf(ctx)).toEqual([]);
  });

  it.each([
    ['conflict', 'archived'],
    ['conflict', 'over_budget'],
  ] as const)('a %s %s has none: no mandate refused it', async (code, reason) => {
    billing.planning.refusal = aRefusal(code, reason);
    const ctx = await anApproval(billing);
    expect(await refusalOf(ctx, billing.planning.plan(100))).not.toHaveProperty('receipt_id');
    expect(await rowsOf(ctx)).toEqual([]);
  });

  it('a record that belongs to another request leaves none of the refusal', async () => {
    const ctx = await anApproval(billing, { mandate: aMandate({ max_plan_cents: 1 }) });
    const other = { ...ctx, command: { id: ctx.command?.id ?? '', fp: 'another request' } };
    billing.planning.refusal = aRefusal('conflict', 'archived');
    await approve(other, billing.planning.plan(100));
    billing.planning.refusal = null;
    expect(await codeOf(approve(ctx, billing.planning.plan(100)))).toBe('idempotency_conflict');
    expect(await rowsOf(ctx)).toEqual([]);
  });

  it('are read by any key of their workspace; another workspace gets the 404 of one that does not exist', async () => {
    const ctx = await anApproval(billing);
    await approve(ctx, billing.planning.plan(100));
    const { id } = await onlyReceipt(ctx);
    const { workspace } = ctx.principal;
    expect((await read(await anApproval(billing, { workspace }), id)).id).toBe(id);
    const stranger = await anApproval(billing);
    const error = (asked: string) =>
      billing.run('receipt_get', stranger, { id: asked }).catch((raised: { body: () => object }) => raised.body());
    expect(await error(id)).toMatchObject({ code: 'not_found' });
    expect(await error(id)).toEqual(await error(randomUUID()));
  });
});
