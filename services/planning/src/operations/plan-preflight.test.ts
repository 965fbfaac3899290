import {
  AppError,
  type Candidate,
  type PlanPreflight,
  type PreflightFailure,
  type SuggestedEdit,
  type UnitFacts,
} from '@cds/contracts';
import type { Ctx } from '@cds/service';
import { draws, seedFrom } from '@cds/service/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aCandidate, aLine, aUnit } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand } from '../test/world.js';

const DRAWS = draws(60);
const SEED = seedFrom('CDS_PREFLIGHT_SEED');
const RICH = 100_000_000;

type DrawnLine = { cents: number; moved: number; views: number; sale: 'on' | 'off' | 'past' };

/** docs/domain/orders.md#preflight */
describe('plan_preflight', () => {
  const world = testWorld('plan_preflight');
  beforeEach(() => {
    world.neighbours.units.clear();
    world.neighbours.candidates = [];
    world.neighbours.quoteFacts = { ...world.neighbours.quoteFacts, payments_open: true, spent_this_month_cents: 0 };
  });

  const unitOf = ({ creator_id, units: [unit] }: Candidate): UnitFacts =>
    aUnit({
      creator_id,
      unit_id: unit?.unit_id ?? '',
      price_cents: unit?.price_cents ?? 0,
      expected_views: unit?.expected_views ?? 0,
    });

  /** A plan of these lines, with others to swap in, and what the key has spent of its cap. */
  const planned = async (of: {
    lines: DrawnLine[];
    offers?: { cents: number; views: number }[];
    budget?: number | null;
    maxPlan?: number;
    cap?: number;
    spent?: number;
    scopes?: Ctx['principal']['scopes'];
    channels?: ('x_creators' | 'reddit')[];
  }) => {
    const ctx = brand();
    const { mandate } = ctx.principal;
    if (mandate === null) throw new Error('a brand has a mandate');
    const principal = {
      ...ctx.principal,
      scopes: of.scopes ?? ctx.principal.scopes,
      mandate: {
        ...mandate,
        max_plan_cents: of.maxPlan ?? RICH,
        monthly_cap_cents: of.cap ?? RICH,
        channels: of.channels ?? mandate.channels,
      },
    };
    const units = of.lines.map(({ cents, views }) => aUnit({ price_cents: cents, expected_views: views }));
    const lines = of.lines.map(({ sale }, at) =>
      aLine(units[at] as UnitFacts, { scheduled_date: sale === 'past' ? '2026-11-20' : '2026-12-01' }),
    );
    const { plan } = await world.planned({
      ctx,
      units,
      lines,
      campaign: { budget_cents: of.budget === undefined ? null : of.budget },
    });
    of.lines.forEach(({ cents, moved, sale }, at) => {
      const unit = units[at] as UnitFacts;
      world.neighbours.units.set(unit.unit_id, { ...unit, price_cents: cents + moved, buyable: sale !== 'off' });
    });
    world.neighbours.candidates = (of.offers ?? []).map(({ cents, views }) =>
      aCandidate({ price_cents: cents, expected_views: views }),
    );
    for (const candidate of world.neighbours.candidates)
      world.neighbours.units.set(unitOf(candidate).unit_id, unitOf(candidate));
    world.neighbours.quoteFacts = { ...world.neighbours.quoteFacts, spent_this_month_cents: of.spent ?? 0 };
    return { ctx: { ...ctx, principal }, plan };
  };
  const aPost = (cents: number, more: Partial<DrawnLine> = {}): DrawnLine => ({
    cents,
    moved: 0,
    views: cents,
    sale: 'on',
    ...more,
  });
  const preflight = (ctx: Ctx, id: string): Promise<PlanPreflight> => world.value('plan_preflight', again(ctx), { id });
  /** Sends suggested edits as an agent would. */
  const send = async (ctx: Ctx, id: string, edits: readonly SuggestedEdit[]): Promise<void> => {
    for (const { line_id, instead } of edits)
      await (instead === null
        ? world.value('plan_remove_creator', again(ctx), { id, line_id })
        : world.value('plan_swap_creator', again(ctx), { id, line_id, unit_id: instead.unit_id }));
  };
  const reasons = ({ failures }: PlanPreflight): string[] => failures.map(({ reason }) => reason);

  it('passes a plan that approve would sign, and suggests nothing', async () => {
    const { ctx, plan } = await planned({ lines: [aPost(300)] });
    expect(await preflight(ctx, plan._id)).toEqual({
      plan_id: plan._id,
      campaign_id: plan.campaign_id,
      plan_version: 1,
      terms_fingerprint: plan.terms_fingerprint,
      total_cents: 300,
      would_pass: true,
      failures: [],
      edits: [],
    });
  });

  it('lists every rule that fails with its figures, in the order of approve', async () => {
    const { ctx, plan } = await planned({
      lines: [aPost(300), aPost(500, { sale: 'off' }), aPost(400)],
      budget: 1_000,
      maxPlan: 900,
      cap: 1_500,
      spent: 500,
      scopes: ['campaigns:read', 'campaigns:write'],
    });
    world.neighbours.quoteFacts = { ...world.neighbours.quoteFacts, payments_open: false };
    const found = await preflight({ ...ctx, switches: { ...ctx.switches, writes_open: false } }, plan._id);
    expect(found.would_pass).toBe(false);
    expect(found.failures).toMatchObject([
      { code: 'forbidden', reason: 'missing_scope', edits: null },
      { code: 'unavailable', reason: 'writes_closed', edits: null },
      { code: 'conflict', reason: 'over_budget', budget_cents: 1_000, total_cents: 1_200, over_by_cents: 200 },
      { code: 'conflict', reason: 'lines_blocked', line_ids: [plan.lines[1]?.id] },
      { code: 'mandate_refused', reason: 'over_max_plan_total', limit_cents: 900, over_by_cents: 300 },
      { code: 'mandate_refused', reason: 'over_monthly_cap', limit_cents: 1_500, spent_cents: 500, over_by_cents: 200 },
      { code: 'unavailable', reason: 'payments_closed', edits: null },
    ]);
    expect(found.edits).toBeNull();
  });

  it('fails below the least that cards take, unless an invoice is offered; no edit helps', async () => {
    const { ctx, plan } = await planned({
      lines: [aPost(300), aPost(500)],
      budget: 1_000,
      maxPlan: 1_000,
      cap: 1_000,
      spent: 0,
    });
    const { quoteFacts } = world.neighbours;
    const invoice = { rail: 'invoice' as const, label: 'Invoice', clears: 'Later' };
    const offered = async (begin: number, options = quoteFacts.payment_options) => {
      world.neighbours.quoteFacts = { ...quoteFacts, payment_options: options, cards_begin_at_cents: begin };
      return preflight(ctx, plan._id);
    };
    expect(await offered(801)).toMatchObject({
      would_pass: false,
      failures: [
        {
          reason: 'payments_closed',
          message: expect.stringContaining('make the plan larger'),
          limit_cents: 801,
          edits: null,
        },
      ],
      edits: null,
    });
    expect((await offered(800)).would_pass).toBe(true);
    expect((await offered(801, [...quoteFacts.payment_options, invoice])).would_pass).toBe(true);
    world.neighbours.quoteFacts = quoteFacts;
  });

  it('suggests nothing to a key that may not edit, and only drops while catalog lists nobody', async () => {
    const of = { lines: [aPost(300), aPost(400)], offers: [{ cents: 100, views: 10 }], budget: 500 };
    const { ctx, plan } = await planned({ ...of, scopes: ['campaigns:read', 'plans:approve'] });
    expect(await preflight(ctx, plan._id)).toMatchObject({ edits: null, failures: [{ edits: null }] });
    const other = await planned(of);
    world.neighbours.whileAsked = async () => {
      throw new AppError('unavailable', 'The network is still loading.', { retry_after: 1 });
    };
    expect((await preflight(other.ctx, other.plan._id)).edits).toMatchObject([{ edit: 'drop' }]);
  });

  it('drops a line where the creator to swap in went off sale meanwhile', async () => {
    const { ctx, plan } = await planned({
      lines: [aPost(300), aPost(400)],
      offers: [{ cents: 100, views: 10 }],
      budget: 500,
    });
    for (const candidate of world.neighbours.candidates)
      world.neighbours.units.set(unitOf(candidate).unit_id, { ...unitOf(candidate), buyable: false });
    const { edits } = await preflight(ctx, plan._id);
    expect(edits).toMatchObject([{ edit: 'drop', instead: null }]);
  });

  const line = fc.record<DrawnLine>({
    cents: fc.integer({ min: 1, max: 9 }).map((hundreds) => hundreds * 100),
    moved: fc.constantFrom(0, 0, 0, 100, -50),
    views: fc.integer({ min: 0, max: 50_000 }),
    sale: fc.constantFrom('on', 'on', 'on', 'off', 'past'),
  });
  const states = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
    offers: fc.array(fc.record({ cents: fc.integer({ min: 50, max: 900 }), views: fc.nat(50_000) }), { maxLength: 4 }),
    budget: fc.option(fc.integer({ min: 100, max: 3_500 })),
    maxPlan: fc.integer({ min: 100, max: 4_000 }),
    cap: fc.integer({ min: 100, max: 4_000 }),
    spent: fc.constantFrom(0, 0, 300, 4_000),
    which: fc.nat(),
  });
  type State = typeof states extends fc.Arbitrary<infer T> ? T : never;

  type Goal = { blocked: boolean; budget: number; total: number };
  const ANY: Goal = { blocked: false, budget: RICH, total: RICH };
  /** What edits must reach for a failed rule, or with null for all of them. */
  const goalOf = (reason: string | null, { budget, maxPlan, cap, spent }: State): Goal | null => {
    switch (reason) {
      case null:
        return { blocked: true, budget: budget ?? RICH, total: Math.min(maxPlan, cap - spent) };
      case 'over_budget':
        return { ...ANY, budget: budget ?? RICH };
      case 'lines_blocked':
        return { ...ANY, blocked: true };
      case 'over_max_plan_total':
        return { ...ANY, total: maxPlan };
      case 'over_monthly_cap':
        return { ...ANY, total: cap - spent };
      default:
        return null;
    }
  };

  /** The fewest lines to give up so that a goal is reached, by trying every set; null when no set does. */
  const fewest = (goal: Goal | null, { lines, offers, budget }: State): number | null => {
    if (goal === null) return null;
    const reached = (current: number, frozen: number): boolean =>
      current <= goal.budget && (current > (budget ?? RICH) ? frozen : current) <= goal.total;
    const places = lines.map((_line, at) => at);
    let best: number | null = null;
    for (let bits = 1; bits < 2 ** lines.length; bits += 1) {
      const given = places.filter((at) => bits & (1 << at));
      const kept = places.filter((at) => !given.includes(at)).flatMap((at) => lines[at] ?? []);
      if (goal.blocked && kept.some(({ sale }) => sale !== 'on')) continue;
      const current = kept.reduce((sum, { cents, moved }) => sum + cents + moved, 0);
      const frozen = kept.reduce((sum, { cents }) => sum + cents, 0);
      const isLeft =
        kept.length > 0
          ? reached(current, frozen)
          : lines.some(
              ({ sale, cents, moved }) =>
                sale !== 'past' &&
                offers.some(
                  (offer) => offer.cents <= Math.min(cents, cents + moved) && reached(offer.cents, offer.cents),
                ),
            );
      if (isLeft) best = Math.min(best ?? given.length, given.length);
    }
    return best;
  };

  it(`suggests the fewest edits, each makes its rule pass when it is sent, and nothing changes, ${DRAWS} plans, seed ${SEED}`, async () => {
    const met = { sent: 0, swaps: 0, none: 0 };
    await fc.assert(
      fc.asyncProperty(states, async (state) => {
        const { ctx, plan } = await planned(state);
        const before = await world.documents(plan.ws);
        const found = await preflight(ctx, plan._id);
        expect(await world.documents(plan.ws)).toEqual(before);
        if (found.would_pass || reasons(found).every((reason) => reason === 'terms_changed')) return;
        const isFixable = found.failures.every(
          ({ reason }) => reason === 'terms_changed' || goalOf(reason, state) !== null,
        );
        expect(found.edits?.length ?? null).toBe(isFixable ? fewest(goalOf(null, state), state) : null);
        for (const { reason, edits } of found.failures)
          expect([reason, edits?.length ?? null]).toEqual([reason, fewest(goalOf(reason, state), state)]);

        const suggestions: [PreflightFailure | null, SuggestedEdit[] | null][] = [
          [null, found.edits],
          ...found.failures.map((failure): [PreflightFailure, SuggestedEdit[] | null] => [failure, failure.edits]),
        ];
        const [failure, edits] = suggestions[state.which % suggestions.length] ?? [null, null];
        if (edits === null) {
          met.none += 1;
          return;
        }
        await send(ctx, plan._id, edits);
        met.sent += 1;
        met.swaps += edits.filter(({ instead }) => instead !== null).length;
        const after = await preflight(ctx, plan._id);
        if (failure === null) expect(after).toMatchObject({ would_pass: true, edits: [] });
        else expect(reasons(after)).not.toContain(failure.reason);
      }),
      { numRuns: DRAWS, seed: SEED },
    );
    expect(Math.min(met.sent, met.swaps, met.none)).toBeGreaterThan(0);
  }, 120_000);
});
