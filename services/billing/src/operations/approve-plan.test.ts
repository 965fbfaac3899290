import { randomUUID } from 'node:crypto';
import { PlanApproved } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { answerIn } from '@cds/service';
import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { accountOf, monthOf } from '../domain/authority.js';
import { auditBilling } from '../test/audit-billing.js';
import { APP_URL, anApproval, answerOf, aSystemCtx, type Billing, codeOf } from '../test/builders.js';
import { aRefusal, type FakePlan } from '../test/fake-planning.js';
import { testBilling } from '../test/suite.js';

const billing = testBilling('approve');

const input = (plan: FakePlan, over: Record<string, unknown> = {}) => ({
  id: plan.id,
  terms_fingerprint: plan.terms_fingerprint,
  ...over,
});
const approve = (ctx: Parameters<Billing['run']>[1], plan: FakePlan, over: Record<string, unknown> = {}) =>
  billing.run('approve_plan', ctx, input(plan, over));
/** The authority after background work has ended. */
const settledAuthority = async (key: string) => {
  await billing.parts.close();
  return billing.authority(key);
};
const heldOf = async (key: string, at: Date) => (await settledAuthority(key))?.months[monthOf(at)]?.held ?? 0;
const holdsOf = async (key: string) => (await settledAuthority(key))?.holds.length;
const clean = async () => expect(await auditBilling(billing.store)).toEqual([]);

describe('a signing without trouble', () => {
  it('answers the order, its link and the quote, and books the spend at once', async () => {
    const plan = billing.planning.plan(40_000);
    const ctx = await anApproval(billing);
    const value = answerOf<PlanApproved>(await approve(ctx, plan));
    await billing.parts.close();

    expect(PlanApproved.parse(value)).toEqual(value);
    expect(value.approved_at).toBe(ctx.now.toISOString());
    expect(value.order).toEqual({
      payment_state: 'unpaid',
      total_cents: 40_000,
      currency: 'USD',
      signed_at: value.approved_at,
      paid_at: null,
    });
    expect(value.payment).toMatchObject({ rail: 'checkout', label: 'Card checkout', clears: 'At once' });
    expect(value.payment.url).toMatch(new RegExp(`^${APP_URL}/pay/[0-9A-Za-z]{43}$`));
    expect(Date.parse(value.payment.expires_at) - Date.parse(value.approved_at)).toBe(14 * 86_400_000);
    expect(value.plan.mandate?.spent_this_month_cents).toBe(40_000);
    expect(value.plan.order?.payment?.url).toBe(value.payment.url);
    expect(value.plan.brand_terms).toEqual({
      current_version: '2026-11-01',
      current_number: 1,
      url: `${APP_URL}/terms/brand/2026-11-01`,
      accepted_for_this_key: '2026-11-01',
      accepted_number_for_this_key: 1,
    });

    const [order] = await billing.orders(ctx.principal.workspace);
    expect(order).toMatchObject({
      _id: value.order_id,
      plan_id: plan.id,
      version: 1,
      payment_state: 'unpaid',
      mandate_version: 1,
      terms_version: '2026-11-01',
    });
    expect((await billing.ledger(value.order_id)).map((entry) => entry.kind)).toEqual(['signed']);
    expect(await billing.shell.outbox.rows.countDocuments({ aggregate: value.order_id, version: 1 })).toBe(1);
    expect(await heldOf(ctx.principal.key, ctx.now)).toBe(40_000);
    expect(await holdsOf(ctx.principal.key)).toBe(0);
    await clean();
  });

  it('stores the link’s token nowhere in plain text (docs/reliability.md#threats)', async () => {
    const plan = billing.planning.plan(100);
    const ctx = await anApproval(billing);
    const value = answerOf<PlanApproved>(await approve(ctx, plan));
    const token = value.payment.url.split('/').at(-1) ?? '';
    const rows = await Promise.all(
      ['orders', 'commands', 'authority', 'outbox', 'audit'].map((name) =>
        billing.store.db.collection(name).find({}).toArray(),
      ),
    );
    const bodies = await billing.shell.commands.rows.find({}).toArray();
    expect(JSON.stringify(rows) + bodies.map((row) => answerIn(row).json.toString()).join()).not.toContain(token);
  });

  it('repeats the same answer under the same key, whatever changed since (I02)', async () => {
    proves('idempotency.same-answer');
    const plan = billing.planning.plan(100);
    const ctx = await anApproval(billing, { name: 'again' });
    const first = await approve(ctx, plan);
    await billing.store.db.collection('orders').updateOne({ plan_id: plan.id }, { $set: { total_cents: 5 } });
    const again = await approve(ctx, plan);
    if (!('ok' in first) || !('ok' in again) || !first.ok || !again.ok) throw new Error('not answered');
    expect(again.json.toString()).toBe(first.json.toString());
    expect([first.replayed, again.replayed]).toEqual([false, true]);
    await billing.store.db.collection('orders').updateOne({ plan_id: plan.id }, { $set: { total_cents: 100 } });
  });

  it('signs by invoice when that rail is named', async () => {
    const value = answerOf<PlanApproved>(
      await approve(await anApproval(billing), billing.planning.plan(100), { rail: 'invoice' }),
    );
    expect(value.payment).toMatchObject({ rail: 'invoice', label: 'Invoice by bank transfer' });
  });
});

describe('refusals', () => {
  it('stores planning’s refusal, and repeats it after its cause is gone', async () => {
    const plan = billing.planning.plan(100);
    billing.planning.refusal = aRefusal('mandate_refused', 'approval_not_allowed', { escalate: true });
    const ctx = await anApproval(billing);
    expect(await codeOf(approve(ctx, plan))).toBe('mandate_refused approval_not_allowed');
    billing.planning.refusal = null;
    expect(await codeOf(approve(ctx, plan))).toBe('mandate_refused approval_not_allowed');
    await billing.parts.close();
    expect(await heldOf(ctx.principal.key, ctx.now)).toBe(0);
    expect(await holdsOf(ctx.principal.key)).toBe(0);
    expect(await billing.orders(ctx.principal.workspace)).toEqual([]);
  });

  it('never stores a 404 (I08)', async () => {
    const ctx = await anApproval(billing);
    const absent = { id: randomUUID(), terms_fingerprint: 'x' };
    expect(await codeOf(billing.run('approve_plan', ctx, absent))).toBe('not_found');
    expect(await billing.shell.commands.rows.countDocuments({ _id: ctx.command?.id ?? '' })).toBe(0);
  });

  it('refuses over the monthly cap with exact figures, counting spent cents only (I18)', async () => {
    proves('approve.mandate-refused', 'errors.mandate-reasons');
    const key = randomUUID();
    const workspace = randomUUID();
    const mandate = aMandate({ monthly_cap_cents: 1_000 });
    const of = () => anApproval(billing, { key, workspace, mandate });
    expect(await codeOf(approve(await of(), billing.planning.plan(600)))).toBe('ok');
    const outcome = await approve(await of(), billing.planning.plan(500));
    if (!('ok' in outcome) || outcome.ok) throw new Error('not refused');
    expect(outcome.error.details).toMatchObject({
      reason: 'over_monthly_cap',
      limit_cents: 1_000,
      spent_cents: 600,
      requested_cents: 500,
      over_by_cents: 100,
    });
    expect(await codeOf(approve(await of(), billing.planning.plan(400)))).toBe('ok');
  });

  it('checks the amounts before closed payments, and stores nothing (test 9 after test 8)', async () => {
    proves('approve.payments-closed-503');
    const shut = { switches: { payments_open: false } };
    const dear = await anApproval(billing, { ...shut, mandate: aMandate({ monthly_cap_cents: 10 }) });
    expect(await codeOf(approve(dear, billing.planning.plan(100)))).toBe('mandate_refused over_monthly_cap');
    const ctx = await anApproval(billing, shut);
    const plan = billing.planning.plan(100);
    expect(await codeOf(approve(ctx, plan))).toBe('unavailable');
    expect(await codeOf(approve({ ...ctx, switches: { ...ctx.switches, payments_open: true } }, plan))).toBe('ok');
  });

  it('stores a 422 for a rail that is not offered', async () => {
    const ctx = await anApproval(billing, { sandbox: false });
    const plan = billing.planning.plan(100);
    expect(await codeOf(approve(ctx, plan, { rail: 'checkout' }))).toBe('unprocessable');
    expect(await codeOf(approve(ctx, plan, { rail: 'checkout' }))).toBe('unprocessable');
    expect(await codeOf(approve(await anApproval(billing, { sandbox: false }), plan))).toBe('ok');
  });

  it('answers 503 while writes are closed, but still replays', async () => {
    const plan = billing.planning.plan(100);
    const ctx = await anApproval(billing);
    const shut = { ...ctx, switches: { ...ctx.switches, writes_open: false } };
    expect(await codeOf(approve(shut, plan))).toBe('unavailable');
    expect(await codeOf(approve(ctx, plan))).toBe('ok');
    expect(await codeOf(approve(shut, plan))).toBe('ok');
  });

  it('stores a refusal of the signing itself and gives the cents back', async () => {
    const ctx = await anApproval(billing);
    const plan = billing.planning.plan(100);
    billing.planning.signRefusal = aRefusal('conflict', 'over_budget');
    expect(await codeOf(approve(ctx, plan))).toBe('conflict over_budget');
    billing.planning.signRefusal = null;
    expect(await codeOf(approve(ctx, plan))).toBe('conflict over_budget');
    expect(await heldOf(ctx.principal.key, ctx.now)).toBe(0);
    await clean();
  });

  it('answers 503 to a mandate older than the gate, unstored, and signs under the newer one (I12)', async () => {
    const ctx = await anApproval(billing);
    const plan = billing.planning.plan(100);
    const { workspace, key } = ctx.principal;
    expect(await codeOf(approve(await anApproval(billing, { workspace, key }), billing.planning.plan(100)))).toBe('ok');
    expect(
      await billing.run('gate_raise', await aSystemCtx(billing, workspace), { key_id: key, workspace, version: 2 }),
    ).toMatchObject({ value: { min_mandate_version: 2 } });
    expect(await codeOf(approve(ctx, plan))).toBe('unavailable');
    const renewed = { ...ctx, principal: { ...ctx.principal, mandate: aMandate({ version: 2 }), mandate_version: 2 } };
    expect(await codeOf(approve(renewed, plan))).toBe('ok');
  });

  it('answers 503 at 64 holds, for a refusal too', async () => {
    const ctx = await anApproval(billing);
    const { workspace, key } = ctx.principal;
    await billing.deps.authorities.ensure(workspace, key);
    await billing.store.db.collection<{ _id: string }>('authority').updateOne(
      { _id: key },
      {
        $set: {
          holds: Array.from({ length: 64 }, (_none, n) => ({
            signing_id: `s${n}`,
            command_id: `c${n}`,
            order_id: `o${n}`,
            month: '2026-01',
            total_cents: 0,
            until: new Date('2099-01-01T00:00:00Z'),
          })),
        },
      },
    );
    expect(await codeOf(approve(ctx, billing.planning.plan(100)))).toBe('unavailable');
    billing.planning.refusal = aRefusal('conflict', 'archived');
    expect(await codeOf(approve(ctx, billing.planning.plan(100)))).toBe('unavailable');
    await billing.store.db.collection<{ _id: string }>('authority').deleteOne({ _id: key });
  });
});

describe('two runs of one key', () => {
  it('twenty at once under one Idempotency-Key make one order; the others replay or get in_progress', async () => {
    proves('idempotency.never-twice');
    const plan = billing.planning.plan(100);
    const ctx = await anApproval(billing);
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(approve(ctx, plan))));
    expect(codes.filter((code) => code !== 'ok' && code !== 'in_progress')).toEqual([]);
    expect(codes).toContain('ok');
    expect(await codeOf(approve(ctx, plan))).toBe('ok');
    expect(await billing.orders(ctx.principal.workspace)).toHaveLength(1);
    expect(await heldOf(ctx.principal.key, ctx.now)).toBe(100);
    await clean();
  });

  it('a renewed hold answers in_progress to its command, and idempotency_conflict to another request', async () => {
    const plan = billing.planning.plan(100);
    const ctx = await anApproval(billing);
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      billing.planning.misbehaviour = {
        before: async () => {
          resolve();
          await gate;
        },
      };
    });
    const first = codeOf(approve(ctx, plan));
    await reached;
    expect(await codeOf(approve(ctx, plan))).toBe('in_progress');
    expect(await codeOf(approve({ ...ctx, command: { id: ctx.command?.id ?? '', fp: 'x' } }, plan))).toBe(
      'idempotency_conflict',
    );
    release();
    expect(await first).toBe('ok');
  });

  it('a refusal decided late is never stored over a running signing of its command', async () => {
    const { planning } = billing;
    const terms = planning.plan_terms;
    const plan = planning.plan(100);
    const ctx = await anApproval(billing);
    let late = '';
    planning.misbehaviour = {
      before: async () => {
        planning.misbehaviour = {};
        Object.assign(planning, {
          plan_terms: async (...args: Parameters<typeof terms>) => ({
            ...(await terms(...args)),
            refusal: aRefusal('conflict', 'archived'),
          }),
        });
        // This run read the authority before the hold existed, so only the statement itself stops it.
        const { authorities } = billing.deps;
        const view = authorities.view.bind(authorities);
        authorities.view = async (...args) => {
          authorities.view = view;
          const seen = await view(...args);
          return seen === null ? null : { ...seen, authority: { ...seen.authority, holds: [] } };
        };
        late = await codeOf(approve(ctx, plan));
        Object.assign(planning, { plan_terms: terms });
      },
    };
    expect(await codeOf(approve(ctx, plan))).toBe('ok');
    expect(late).toBe('in_progress');
    await billing.parts.close();
    await clean();
  });

  it('racing keys of one workspace sign a plan once (I15)', async () => {
    proves('approve.once');
    const plan = billing.planning.plan(100);
    const workspace = randomUUID();
    const codes = await Promise.all(
      Array.from({ length: 8 }, async () => codeOf(approve(await anApproval(billing, { workspace }), plan))),
    );
    expect(codes.sort()).toEqual([...Array.from({ length: 7 }, () => 'conflict plan_signed'), 'ok']);
    expect(await billing.orders(workspace)).toHaveLength(1);
    await clean();
  });
});

/** For tests of what is decided, however slow the machine is. */
const NO_HURRY_MS = 300_000;

describe('fifty approvals of one key at once', () => {
  const fifty = async (capCents: number) => {
    const key = randomUUID();
    const workspace = randomUUID();
    const mandate = aMandate({ monthly_cap_cents: capCents });
    const codes = await Promise.all(
      Array.from({ length: 50 }, async () =>
        codeOf(
          approve(
            await anApproval(billing, { key, workspace, mandate, limitMs: NO_HURRY_MS }),
            billing.planning.plan(100),
          ),
        ),
      ),
    );
    await billing.parts.close();
    return { key, workspace, codes, signed: codes.filter((code) => code === 'ok').length };
  };

  it(
    'refuse exactly one under a cap one cent lower',
    async () => {
      const { codes, signed } = await fifty(4_999);
      expect(signed).toBe(49);
      expect(codes.filter((code) => code !== 'ok')).toEqual(['mandate_refused over_monthly_cap']);
      await clean();
    },
    2 * NO_HURRY_MS,
  );
});

describe("others' unfinished holds", () => {
  it('in the way of the cap are waited for, never treated as a refusal (B09)', async () => {
    const key = randomUUID();
    const workspace = randomUUID();
    const mandate = aMandate({ monthly_cap_cents: 100 });
    billing.failpoints.arm('sign.reserved=error');
    const dying = billing.planning.plan(100);
    expect(await codeOf(approve(await anApproval(billing, { key, workspace, mandate }), dying))).toBe(
      'failpoint sign.reserved',
    );

    const waiting = codeOf(approve(await anApproval(billing, { key, workspace, mandate }), billing.planning.plan(100)));
    await billing.recover();
    expect(await waiting).toBe('ok');
    await clean();
  });

  it('that do not finish in time lead to 503, unstored (B09)', async () => {
    const key = randomUUID();
    const workspace = randomUUID();
    const mandate = aMandate({ monthly_cap_cents: 100 });
    billing.failpoints.arm('sign.reserved=error');
    await codeOf(approve(await anApproval(billing, { key, workspace, mandate }), billing.planning.plan(100)));
    const ctx = await anApproval(billing, { key, workspace, mandate, limitMs: 3_300 });
    expect(await codeOf(approve(ctx, billing.planning.plan(100)))).toBe('unavailable');
    expect(await billing.shell.commands.stored(ctx)).toBeNull();
    await billing.recover();
  });
});

describe('the table of failpoints (docs/reliability.md#signing)', () => {
  const died = async (point: string) => {
    const plan = billing.planning.plan(100);
    const ctx = await anApproval(billing);
    billing.failpoints.arm(`${point}=error`);
    expect(await codeOf(approve(ctx, plan))).toBe(`failpoint ${point}`);
    return { plan, ctx, key: ctx.principal.key };
  };
  const settled = async (key: string, at: Date, heldCents: number) => {
    await billing.parts.close();
    expect(await holdsOf(key)).toBe(0);
    expect(await heldOf(key, at)).toBe(heldCents);
    await clean();
  };

  it.each([
    ['sign.before_reserve', 'nothing is stored, and the same key runs from the start', 'ok', {}, [0, 0, 0], 'ok'],
    ['sign.reserved', 'it is closed and released, and the key starts again', 'in_progress', {}, [100, 1, 0], 'ok'],
    [
      'sign.refusal_held',
      'the refusal is stored',
      'in_progress',
      { refusal: 'archived' },
      [0, 1, 0],
      'conflict archived',
    ],
    [
      'sign.verdict_received',
      'the refusal is stored, and its cents are released',
      'in_progress',
      { signRefusal: 'lines_blocked' },
      [100, 1, 0],
      'conflict lines_blocked',
    ],
  ] as const)('%s: %s', async (point, _what, retried, refusals, [held, recovered, released], end) => {
    const wanted = Object.entries(refusals).map(([where, reason]) => [where, aRefusal('conflict', reason)]);
    Object.assign(billing.planning, Object.fromEntries(wanted));
    const { plan, ctx, key } = await died(point);
    expect(await heldOf(key, ctx.now)).toBe(held);
    if (retried !== 'ok') expect(await codeOf(approve(ctx, plan))).toBe(retried);
    expect(await billing.recover()).toBe(recovered);
    expect(await heldOf(key, ctx.now)).toBe(released);
    billing.planning.behave();
    expect(await codeOf(approve(ctx, plan))).toBe(end);
    await settled(key, ctx.now, end === 'ok' ? 100 : released);
  });

  it('sign.request_late: a retry signs while the first run sleeps, which then answers the same order', async () => {
    const plan = billing.planning.plan(100);
    const ctx = await anApproval(billing);
    let retried = '';
    billing.planning.misbehaviour = {
      before: async () => {
        billing.planning.misbehaviour = {};
        await billing.recover();
        retried = await codeOf(approve(ctx, plan));
      },
    };
    const sleeper = await approve(ctx, plan);
    expect(retried).toBe('ok');
    expect(answerOf<PlanApproved>(sleeper).order_id).toBe(plan.order_id);
    await settled(ctx.principal.key, ctx.now, 100);
  });

  it('sign.planning_committed: the reply is lost, and the run itself closes and writes the order', async () => {
    const plan = billing.planning.plan(100);
    const ctx = await anApproval(billing);
    billing.planning.misbehaviour = { loseReply: true };
    expect(answerOf<PlanApproved>(await approve(ctx, plan)).order_id).toBe(plan.order_id);
    await settled(ctx.principal.key, ctx.now, 100);
  });

  it('sign.planning_refused: the reply is lost, the refusal is stored and the cents are released', async () => {
    const plan = billing.planning.plan(100);
    const ctx = await anApproval(billing);
    billing.planning.misbehaviour = { loseReply: true };
    billing.planning.signRefusal = aRefusal('conflict', 'over_budget');
    expect(await codeOf(approve(ctx, plan))).toBe('conflict over_budget');
    await settled(ctx.principal.key, ctx.now, 0);
  });

  it('a request that never arrives is closed: 503, then a new attempt', async () => {
    const plan = billing.planning.plan(100);
    const ctx = await anApproval(billing);
    billing.planning.misbehaviour = { loseRequest: true };
    expect(await codeOf(approve(ctx, plan))).toBe('unavailable');
    billing.planning.misbehaviour = {};
    expect(await codeOf(approve(ctx, plan))).toBe('ok');
    await settled(ctx.principal.key, ctx.now, 100);
  });

  it('sign.verdict_received, signed: the recovery worker writes the order, the same key gets the link', async () => {
    const { plan, ctx, key } = await died('sign.verdict_received');
    expect(plan.order_id).not.toBeNull();
    const facts = await billing.run('quote_facts', ctx, { order_id: plan.order_id });
    expect(answerOf<{ order: { payment: { url: string } } }>(facts).order.payment.url).toContain('/pay/');
    expect(await billing.recover()).toBe(1);
    const value = answerOf<PlanApproved>(await approve(ctx, plan));
    expect(value.order_id).toBe(plan.order_id);
    expect(answerOf<{ order: { payment: { url: string } } }>(facts).order.payment.url).toBe(value.payment.url);
    await settled(key, ctx.now, 100);
  });

  it('a retry after the hold expired finishes it itself', async () => {
    const { plan, ctx, key } = await died('sign.verdict_received');
    await billing.store.db
      .collection<{ _id: string }>('authority')
      .updateOne({ _id: key }, { $set: { 'holds.0.until': new Date(0) } });
    expect(answerOf<PlanApproved>(await approve(ctx, plan)).order_id).toBe(plan.order_id);
    await settled(key, ctx.now, 100);
  });

  it('sign.order_written: order and answer exist, spend counts them, and the recovery worker cleans up', async () => {
    const { plan, ctx, key } = await died('sign.order_written');
    expect(await holdsOf(key)).toBe(1);
    const facts = answerOf<{ spent_this_month_cents: number }>(
      await billing.run('quote_facts', ctx, { order_id: null }),
    );
    expect(facts.spent_this_month_cents).toBe(100);
    expect(answerOf<PlanApproved>(await approve(ctx, plan)).order_id).toBe(plan.order_id);
    expect(await billing.recover()).toBe(1);
    await settled(key, ctx.now, 100);
  });

  it('planning unavailable: the hold stays, the key gets in_progress, and later it settles (B10, B12)', async () => {
    const { plan, ctx, key } = await died('sign.verdict_received');
    billing.planning.misbehaviour = { unavailable: true };
    expect(await billing.recover()).toBe(0);
    expect(await codeOf(approve(ctx, plan))).toBe('in_progress');
    expect(await heldOf(key, ctx.now)).toBe(100);
    billing.planning.misbehaviour = {};
    expect(await billing.recover()).toBe(1);
    expect(await codeOf(approve(ctx, plan))).toBe('ok');
    await settled(key, ctx.now, 100);
  });

  it('recovery workers and a retry at once end in the same place', async () => {
    const { plan, ctx, key } = await died('sign.verdict_received');
    await Promise.all([billing.recover(), billing.recover(), billing.recover()]);
    expect(await codeOf(approve(ctx, plan))).toBe('ok');
    expect(await billing.orders(ctx.principal.workspace)).toHaveLength(1);
    await settled(key, ctx.now, 100);
  });
});

describe('a reserve whose outcome is unknown', () => {
  it('continues if the reserve took effect, and otherwise retries as a new signing', async () => {
    const { authorities } = billing.deps;
    const reserve = authorities.reserve.bind(authorities);
    const tried: string[] = [];
    let calls = 0;
    authorities.reserve = async (...args) => {
      calls += 1;
      tried.push(args[0].signing_id);
      if (calls === 1) return 'unknown';
      if (calls === 2) {
        await reserve(...args);
        return 'unknown';
      }
      return reserve(...args);
    };
    const plan = billing.planning.plan(100);
    const ctx = await anApproval(billing);
    await billing.deps.authorities.ensure(ctx.principal.workspace, ctx.principal.key);
    const begun = { ws: ctx.principal.workspace, months: {} };
    await billing.deps.authorities.ensureMonth(begun, accountOf(ctx.principal), monthOf(ctx.now));
    expect(await codeOf(approve(ctx, plan))).toBe('ok');
    authorities.reserve = reserve;
    expect(tried).toHaveLength(2);
    expect(new Set(tried).size).toBe(2);
    await billing.parts.close();
    expect(await heldOf(ctx.principal.key, ctx.now)).toBe(100);
    await clean();
  });
});
