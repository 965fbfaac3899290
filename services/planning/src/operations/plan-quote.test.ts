import { randomUUID } from 'node:crypto';
import { SCOPES } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PlanOrder } from '../domain/plan.js';
import { aUnit, NOW, someQuoteFacts } from '../test/builders.js';
import { again, aWorld, brand, type World } from '../test/world.js';

const anOrder = (over: Partial<PlanOrder> = {}): PlanOrder => ({
  order_id: randomUUID(),
  version: 0,
  total_cents: 40_000,
  currency: 'USD',
  signed_at: NOW,
  payment_state: 'unpaid',
  paid_at: null,
  refunded_at: null,
  cancelled_at: null,
  ...over,
});

describe('plan_quote', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld('plan_quote');
  });
  afterAll(() => world.drop());
  beforeEach(() => {
    world.neighbours.quoteFacts = someQuoteFacts();
  });

  it('shows the plan’s own prices, and over_budget at current ones (docs/domain/plans.md#repricing)', async () => {
    const unit = aUnit({ price_cents: 40_000 });
    const { ctx, plan } = await world.planned({ units: [unit], campaign: { budget_cents: 50_000 } });
    world.neighbours.units.set(unit.unit_id, { ...unit, price_cents: 55_000 });
    expect(await world.value('plan_quote', ctx, { id: plan._id })).toMatchObject({
      plan_id: plan._id,
      status: 'awaiting_approval',
      total_cents: 40_000,
      totals: { budget_cents: 50_000, remaining_cents: 10_000 },
      terms_fingerprint: plan.terms_fingerprint,
      over_budget: { budget_cents: 50_000, total_cents: 55_000, over_by_cents: 5_000 },
      policy: { allowed: false, refusal: { reason: 'over_budget', over_by_cents: 5_000, escalate: true } },
      mandate: { key_id: ctx.principal.key, spent_this_month_cents: 0, may_exceed_budget: false },
      order: null,
      payment_options: [{ rail: 'checkout' }],
    });
    expect((await world.deps.plans.byId(plan.ws, plan._id))?.version).toBe(1);
  });

  it('blocks lines that are off sale or whose day has passed', async () => {
    proves('quote.blocked-lines');
    const { ctx, plan } = await world.planned({ units: [aUnit({ buyable: false }), aUnit()] });
    const quote = await world.value('plan_quote', ctx, { id: plan._id });
    expect(quote.blocked_lines).toEqual([plan.lines[0]?.id]);
    expect(quote.lines.map((line) => line.on_sale)).toEqual([false, true]);
    expect(quote.policy.refusal).toMatchObject({ reason: 'lines_blocked', line_ids: [plan.lines[0]?.id] });
    const later = await world.value('plan_quote', { ...ctx, now: new Date('2026-12-02T00:00:00Z') }, { id: plan._id });
    expect(later.blocked_lines).toHaveLength(2);
  });

  it('is for the asking key: without a mandate the quote has none', async () => {
    const { plan } = await world.planned({ ctx: brand(), units: [aUnit()] });
    const other = brand({ workspace: plan.ws, mandate: null });
    const quote = await world.value('plan_quote', other, { id: plan._id });
    expect(quote).toMatchObject({
      mandate: null,
      policy: { allowed: false, refusal: { reason: 'no_mandate', escalate: true } },
    });
  });

  it('always shows the order of an approved plan, even before billing knows it (I58)', async () => {
    const order = anOrder();
    const { ctx, plan } = await world.planned({
      units: [aUnit({ price_cents: 40_000 })],
      plan: { status: 'approved', approved_at: NOW, order },
    });
    const quote = await world.value('plan_quote', ctx, { id: plan._id });
    expect(quote).toMatchObject({
      status: 'approved',
      order: {
        payment_state: 'unpaid',
        total_cents: 40_000,
        signed_at: NOW.toISOString(),
        paid_at: null,
        payment: null,
      },
      policy: { allowed: false, refusal: { reason: 'plan_signed', approved_at: NOW.toISOString() } },
      over_budget: null,
      blocked_lines: [],
    });
  });

  it('reveals handles once billing says paid, and does not ask for them before (I43)', async () => {
    const unit = aUnit({ price_cents: 40_000 });
    const { ctx, plan } = await world.planned({
      units: [unit],
      plan: { status: 'approved', approved_at: NOW, order: anOrder() },
    });
    world.neighbours.handles.set(unit.creator_id, 'demo_ada');
    const unpaid = await world.value('plan_quote', ctx, { id: plan._id });
    expect(unpaid.lines[0]?.creator).toMatchObject({ handle: null, profile_url: null });

    const payment = {
      rail: 'checkout',
      label: 'Card checkout',
      clears: 'At once',
      url: 'http://localhost/pay/x',
      expires_at: NOW.toISOString(),
    } as const;
    const paid = {
      payment_state: 'paid',
      total_cents: 40_000,
      currency: 'USD',
      signed_at: NOW.toISOString(),
      paid_at: NOW.toISOString(),
      payment,
    } as const;
    world.neighbours.quoteFacts = someQuoteFacts({ order: paid });
    const quote = await world.value('plan_quote', again(ctx), { id: plan._id });
    expect(quote.lines[0]?.creator).toMatchObject({ handle: 'demo_ada', profile_url: 'https://x.example/demo_ada' });
    expect(quote.order?.payment).toEqual(payment);

    const reader = {
      ...again(ctx),
      principal: { ...ctx.principal, scopes: SCOPES.filter((scope) => scope !== 'plans:approve') },
    };
    expect((await world.value('plan_quote', reader, { id: plan._id })).order).toMatchObject({
      payment_state: 'paid',
      payment: null,
    });
  });

  it('answers 404 for a foreign plan', async () => {
    const { plan } = await world.planned({ units: [aUnit()] });
    expect(await world.error('plan_quote', brand(), { id: plan._id })).toMatchObject({ code: 'not_found' });
  });
});
