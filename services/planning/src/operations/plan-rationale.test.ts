import type { Candidate, UnitFacts } from '@cds/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { aCandidate, aUnit } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand } from '../test/world.js';

const BRIEF = {
  goal: 'launch',
  product: 'Acme Rocket',
  moment: 'Goes live on 1 December 2026',
  window_start: '2026-12-01',
  window_end: '2026-12-20',
  budget_usd: 1000,
  audience: 'Founders of young software companies',
} as const;

describe('plan_rationale', () => {
  const world = testWorld('plan_rationale');
  beforeEach(() => world.neighbours.units.clear());

  const unitOf = ({ creator_id, units: [unit] }: Candidate): UnitFacts =>
    aUnit({
      creator_id,
      unit_id: unit?.unit_id ?? '',
      price_cents: unit?.price_cents ?? 0,
      name: `Name of ${creator_id}`,
    });

  /** A plan of the best two of four creators at $450 each, which a budget of $1,000 buys. */
  const built = async () => {
    const candidates = [9_000, 40_000, 30_000, 20_000].map((expected_views) => aCandidate({ expected_views }));
    world.neighbours.candidates = candidates;
    for (const candidate of candidates) world.neighbours.units.set(unitOf(candidate).unit_id, unitOf(candidate));
    const ctx = brand();
    const { id, plan } = await world.value('create_campaign', ctx, BRIEF);
    if (plan === null) throw new Error('no plan');
    const leftOut = [candidates[3], candidates[0]].flatMap((one) => one ?? []);
    return { ctx, campaignId: id, plan, leftOut };
  };
  const rationale = (ctx: ReturnType<typeof brand>, id: string) => world.value('plan_rationale', again(ctx), { id });

  it('says what each line adds, who was left out and why, and how much better a plan could be', async () => {
    const { ctx, campaignId, plan, leftOut } = await built();
    const shown = await rationale(ctx, plan.plan_id);
    expect(shown).toMatchObject({
      plan_id: plan.plan_id,
      campaign_id: campaignId,
      plan_version: 1,
      reasons_version: 1,
      built_at: ctx.now.toISOString(),
      note: 'These reasons are for version 1, the plan as it was built; its lines are unchanged.',
      added_since: [],
    });
    expect(shown.lines.map(({ line_id }) => line_id).sort()).toEqual(plan.lines.map(({ id }) => id).sort());
    const [first, second] = shown.lines;
    expect(first).toMatchObject({ on_plan: true, format: 'post', expected_views: 40_000, expected_views_low: 20_000 });
    expect(first?.marginal_value).toBeGreaterThan(second?.marginal_value ?? 0);
    expect(first?.share).toBeCloseTo((first?.marginal_value ?? 0) / (shown.value ?? 1), 3);
    expect(shown.left_out.map(({ creator_id }) => creator_id)).toEqual(leftOut.map(({ creator_id }) => creator_id));
    expect(shown.left_out[0]).toMatchObject({
      name: `Name of ${leftOut[0]?.creator_id}`,
      reason: 'value',
      limit: 'budget',
      why: expect.stringContaining('The budget is used up'),
      price_cents: 45_000,
    });
    expect(shown.gap?.share).toBeGreaterThanOrEqual(0);
    expect(shown.gap?.words).toMatch(/^The plan brings at least 9\d\.\d% of what any plan/);
  });

  it('does not change the quote, and stores no name and no price with the plan', async () => {
    const { ctx, plan } = await built();
    const stored = await world.deps.plans.byId(ctx.principal.workspace, plan.plan_id);
    expect(JSON.stringify(stored?.reasons)).not.toMatch(/name|price|cents|Name of/);
    const quote = await world.value('plan_quote', again(ctx), { id: plan.plan_id });
    expect(JSON.stringify(quote)).not.toMatch(/reasons|gap|left_out/);
  });

  it('shows no price of a creator off sale, and nobody who left the network', async () => {
    const { ctx, plan, leftOut } = await built();
    const [offSale, gone] = leftOut.map(unitOf);
    if (offSale === undefined || gone === undefined) throw new Error('two were left out');
    world.neighbours.units.set(offSale.unit_id, { ...offSale, buyable: false });
    world.neighbours.units.set(gone.unit_id, { ...gone, listed: false, buyable: false });
    const { left_out } = await rationale(ctx, plan.plan_id);
    expect(left_out.map(({ creator_id, price_cents }) => [creator_id, price_cents])).toEqual([
      [offSale.creator_id, null],
    ]);
  });

  it('says so when the builder chose nothing', async () => {
    const { ctx, plan } = await world.planned({ units: [aUnit()] });
    expect(await rationale(ctx, plan._id)).toMatchObject({
      reasons_version: null,
      built_at: null,
      note: 'The builder did not choose this plan, so there are no reasons to show.',
      value: null,
      lines: [],
      left_out: [],
      added_since: [plan.lines[0]?.id],
      gap: null,
    });
  });
});
