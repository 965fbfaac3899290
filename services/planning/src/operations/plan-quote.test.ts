import { SCOPES } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { lineChanged } from '../events/line-changed.js';
import { aLineChange, aPlanOrder, aUnit, NOW, someQuoteFacts } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand } from '../test/world.js';

describe('plan_quote', () => {
  const world = testWorld('plan_quote');
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
      totals: { budget_cents: 50_000, remaining_cents: 0 },
      terms_fingerprint: plan.terms_fingerprint,
      over_budget: { budget_cents: 50_000, total_cents: 55_000, over_by_cents: 5_000 },
      policy: { allowed: false, refusal: { reason: 'over_budget', over_by_cents: 5_000, escalate: true } },
      mandate: { key_id: ctx.principal.key, spent_this_month_cents: 0, may_exceed_budget: false },
      order: null,
      payment_options: [{ rail: 'checkout' }],
    });
    expect((await world.deps.plans.byId(plan.ws, plan._id))?.version).toBe(1);
  });

  it.each([
    ['leaves out a handle that the network leaves out by now', 'unpaid', 'One post by', 'One post by'],
    ['keeps what was planned where the unit changed', 'unpaid', 'Two posts', 'One post by quillrae'],
    ['shows a paid line as it was signed', 'paid', 'One post by', 'One post by quillrae'],
  ] as const)('%s', async (_name, payment_state, now, shown) => {
    const unit = aUnit({ deliverable: 'One post by quillrae' });
    const order = aPlanOrder({ payment_state });
    const { ctx, plan } = await world.planned({ units: [unit], plan: { status: 'approved', approved_at: NOW, order } });
    world.neighbours.units.set(unit.unit_id, { ...unit, deliverable: now });
    const { lines } = await world.value('plan_quote', ctx, { id: plan._id });
    expect(lines.map(({ deliverable }) => deliverable)).toEqual([shown]);
  });

  it('offers the card up to the largest card payment', async () => {
    const { ctx, plan } = await world.planned({ units: [aUnit({ price_cents: 40_000 })] });
    const { payment_options: cards } = someQuoteFacts();
    const invoice = { rail: 'invoice' as const, label: 'Invoice', clears: 'Later' };
    const offered = async (end: number) => {
      world.neighbours.quoteFacts = someQuoteFacts({ payment_options: [...cards, invoice], cards_end_at_cents: end });
      const quote = await world.value('plan_quote', ctx, { id: plan._id });
      return [quote.payment_options.map(({ rail }) => rail), quote.agent_payment];
    };
    expect(await offered(40_000)).toEqual([['checkout', 'invoice'], 'checkout']);
    expect(await offered(39_999)).toEqual([['invoice'], 'team_invoice']);
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
    const order = aPlanOrder();
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
      plan: { status: 'approved', approved_at: NOW, order: aPlanOrder() },
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

  it('names who posts now on a line that another creator took over, with the totals as signed', async () => {
    const [gone, next] = [aUnit({ price_cents: 40_000 }), aUnit({ name: 'Ben Example', views_low: 5_000 })];
    const { ctx, plan } = await world.planned({
      units: [gone],
      plan: { status: 'approved', approved_at: NOW, order: aPlanOrder({ payment_state: 'paid', paid_at: NOW }) },
    });
    world.neighbours.units.set(next.unit_id, next);
    world.neighbours.handles.set(next.creator_id, 'demo_ben');
    const signed = await world.value('plan_quote', again(ctx), { id: plan._id });
    const line = (version: number, over: object) =>
      world.deliver(
        lineChanged(world.deps),
        aLineChange(plan, {
          version,
          unit_id: gone.unit_id,
          deliverable: gone.deliverable,
          views_low: gone.views_low,
          views_high: gone.views_high,
          proposal: { state: 'declined', replaced_creator_id: null, updated_at: NOW.toISOString() },
          search: { next_at: NOW.toISOString(), choose_until: null, candidates: [] },
          ...over,
        }),
      );

    await line(1, {
      creator_id: next.creator_id,
      unit_id: next.unit_id,
      views_low: 5_000,
      views_high: 15_000,
      proposal: { state: 'sent', replaced_creator_id: gone.creator_id, updated_at: NOW.toISOString() },
      search: null,
    });
    const replaced = await world.value('plan_quote', again(ctx), { id: plan._id });
    expect(replaced.lines[0]).toMatchObject({
      creator_id: next.creator_id,
      creator: { id: next.creator_id, name: 'Ben Example', handle: 'demo_ben' },
      reason:
        'Replaces the creator who was signed. Strong match: posts on startup founders in 14 of the last 30 posts; 5,000 to 15,000 expected views.',
      expected_views_low: 5_000,
      expected_views_high: 15_000,
      unit_id: gone.unit_id,
      price_cents: 40_000,
    });
    expect(replaced.notes).toEqual([]);
    expect([replaced.totals, replaced.terms_fingerprint]).toEqual([signed.totals, signed.terms_fingerprint]);
  });
});
