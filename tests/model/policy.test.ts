// @night: draws plans against a quote and an approval that have tables beside them.
import { aBillingBeside, type BillingBeside } from '@cds/billing/testing';
import {
  AppError,
  type ErrorBody,
  type Input,
  MANDATE_REASONS,
  type Output,
  type PlanApproved,
  type PrincipalMandate,
  type UnitFacts,
} from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { again, aLine, aUnit, aWorld, brand, NOW, TODAY, type World } from '@cds/planning/testing';
import type { Ctx } from '@cds/service';
import { aMandate, seedFrom } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

/**
 * The quote's policy and the preflight against approve's answer a moment later, over random states, with planning and
 * billing as wired and stored; only catalog is faked (docs/domain/plans.md#policy, docs/domain/orders.md#preflight).
 * `CDS_POLICY_SEED` replays a run, `CDS_POLICY_DRAWS` sets its size.
 */
const DRAWS = Number(process.env['CDS_POLICY_DRAWS'] ?? 200);
const SEED = seedFrom('CDS_POLICY_SEED');
/** How often a run must reach each outcome, so that no reason passes by accident. */
const LEAST = Math.floor(DRAWS / 150);
/** How many states are drawn at most for an outcome that a run missed. */
const MORE = 60;

const TERMS = '2026-11-01';
const MONTH = TODAY.slice(0, 7);

/** The outcomes a draw aims at: one, or two of which approval's order decides; other conditions may interfere. */
const AIMS = [
  'allowed',
  'plan_signed',
  'archived',
  'no_mandate',
  'mandate_expired',
  'channel_not_allowed',
  'approval_not_allowed',
  'terms_not_accepted',
  'over_budget',
  'lines_blocked',
  'over_max_plan_total',
  'over_monthly_cap',
  'terms_changed',
  'payments_closed',
] as const;
type Aim = (typeof AIMS)[number];

/** How an amount compares with its limit: no limit, equal, below, or above by some cents. */
type Room = { kind: 'none' } | { kind: 'exact' } | { kind: 'roomy'; cents: number } | { kind: 'short'; cents: number };

type DrawnLine = {
  sale: 'on_sale' | 'off_sale' | 'past' | 'unknown' | 'team';
  channel: 'x_creators' | 'reddit';
  priceCents: number;
  /** The current price as a percentage of the line's own. */
  moved: number;
};

type Draw = {
  aims: readonly Aim[];
  lines: DrawnLine[];
  signed: boolean;
  archived: boolean;
  mandate: 'set' | 'none' | 'expired' | 'expires_now';
  channels: 'all' | 'one_missing' | 'others';
  mayApprove: boolean;
  terms: 'current' | 'old' | 'never';
  budget: Room;
  maxPlan: Room;
  cap: Room;
  spentCents: number;
  paymentsOpen: boolean;
};

const some = <T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>, aimed: boolean): fc.Arbitrary<T> =>
  aimed ? bad : fc.oneof({ weight: 14, arbitrary: good }, { weight: 1, arbitrary: bad });

const cents = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 500_000 }));
const short = cents.map((by): Room => ({ kind: 'short', cents: by }));
const within = fc.oneof(
  fc.constant<Room>({ kind: 'exact' }),
  cents.map((by): Room => ({ kind: 'roomy', cents: by })),
);

const drawnLine = (aims: readonly Aim[]): fc.Arbitrary<DrawnLine> =>
  fc.record({
    sale: fc.oneof(
      { weight: 60, arbitrary: fc.constant('on_sale' as const) },
      { weight: 6, arbitrary: fc.constant('team' as const) },
      {
        weight: aims.includes('lines_blocked') ? 60 : 2,
        arbitrary: fc.constantFrom('off_sale' as const, 'past' as const, 'unknown' as const),
      },
    ),
    channel: fc.oneof(
      { weight: 6, arbitrary: fc.constant('x_creators' as const) },
      { weight: 1, arbitrary: fc.constant('reddit' as const) },
    ),
    priceCents: fc.integer({ min: 1, max: 90_000 }),
    moved: fc.oneof(
      { weight: aims.includes('terms_changed') ? 1 : 12, arbitrary: fc.constant(100) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 300 }) },
    ),
  });

const drawOf = (aims: readonly Aim[]): fc.Arbitrary<Draw> =>
  fc.record({
    aims: fc.constant(aims),
    lines: fc.array(drawnLine(aims), { minLength: 1, maxLength: 4 }),
    signed: some(fc.constant(false), fc.constant(true), aims.includes('plan_signed')),
    archived: some(fc.constant(false), fc.constant(true), aims.includes('archived')),
    mandate: some<Draw['mandate']>(
      fc.constant('set'),
      aims.includes('no_mandate') ? fc.constant('none') : fc.constantFrom('expired', 'expires_now'),
      aims.includes('no_mandate') || aims.includes('mandate_expired'),
    ),
    channels: some<Draw['channels']>(
      fc.constant('all'),
      fc.constantFrom('one_missing', 'others'),
      aims.includes('channel_not_allowed'),
    ),
    mayApprove: some(fc.constant(true), fc.constant(false), aims.includes('approval_not_allowed')),
    terms: some<Draw['terms']>(
      fc.constant('current'),
      fc.constantFrom('old', 'never'),
      aims.includes('terms_not_accepted'),
    ),
    budget: some(fc.oneof(fc.constant<Room>({ kind: 'none' }), within), short, aims.includes('over_budget')),
    maxPlan: some(within, short, aims.includes('over_max_plan_total')),
    cap: some(within, short, aims.includes('over_monthly_cap')),
    spentCents: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 900_000 })),
    paymentsOpen: some(fc.constant(true), fc.constant(false), aims.includes('payments_closed')),
  });

/** A moved price shows only when nothing else interferes, so it is aimed at three times as often. */
const draws = fc
  .tuple(
    fc.constantFrom<Aim[]>(...AIMS, 'terms_changed', 'terms_changed'),
    fc.option(fc.constantFrom(...AIMS), { freq: 2 }),
  )
  .chain(([one, other]) => drawOf(other === null ? [one] : [one, other]));

const roomFor = (amount: number, room: Room): number => {
  switch (room.kind) {
    case 'none':
    case 'exact':
      return amount;
    case 'roomy':
      return amount + room.cents;
    case 'short':
      return Math.max(1, amount - room.cents);
  }
};

const channelsOf = (draw: Draw): string[] => {
  if (draw.channels === 'all') return ['x_creators', 'reddit'];
  if (draw.channels === 'others') return ['newsletter'];
  return draw.lines.some((line) => line.channel === 'reddit') ? ['x_creators'] : ['reddit'];
};

/** What a prepared state consists of, in the terms of the pages. */
type State = {
  draw: Draw;
  ctx: Ctx;
  planId: string;
  lines: { id: string; channel: string; price: number; current: number; onSale: boolean }[];
  total: number;
  current: number;
  spent: number;
  budget: number | null;
  mandate: PrincipalMandate | null;
};

type Said = { reason: string; details: Record<string, unknown> };

const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0);

/**
 * The first failing test of approval, restated from docs/domain/orders.md#approve-checks, docs/domain/plans.md#policy
 * alone.
 */
const expectedOf = ({ draw, lines, total, current, spent, budget, mandate }: State): Said | null => {
  const said = (reason: string, details: Record<string, unknown> = {}): Said => ({ reason, details });
  if (draw.signed) return said('plan_signed', { approved_at: NOW.toISOString() });
  if (draw.archived) return said('archived');
  if (mandate === null) return said('no_mandate');
  if (draw.mandate !== 'set') return said('mandate_expired', { expired_at: mandate.expires_at });
  const missing = [...new Set(lines.map((line) => line.channel))].filter((one) => !mandate.channels.includes(one));
  if (missing.length > 0) return said('channel_not_allowed', { channels: missing });
  if (!mandate.may_approve) return said('approval_not_allowed');
  if (draw.terms !== 'current')
    return said('terms_not_accepted', {
      current_version: TERMS,
      accepted_version: mandate.terms_version,
      url: `https://app.example.com/terms/brand/${TERMS}`,
    });
  if (budget !== null && current > budget)
    return said('over_budget', {
      budget_cents: budget,
      total_cents: current,
      over_by_cents: current - budget,
      lines: lines.map((line) => ({
        line_id: line.id,
        price_cents: line.price,
        current_price_cents: line.current,
      })),
    });
  const blocked = lines.filter((line) => !line.onSale).map((line) => line.id);
  if (blocked.length > 0) return said('lines_blocked', { line_ids: blocked });
  if (total > mandate.max_plan_cents)
    return said('over_max_plan_total', {
      limit_cents: mandate.max_plan_cents,
      requested_cents: total,
      over_by_cents: total - mandate.max_plan_cents,
    });
  if (spent + total > mandate.monthly_cap_cents)
    return said('over_monthly_cap', {
      limit_cents: mandate.monthly_cap_cents,
      spent_cents: spent,
      requested_cents: total,
      over_by_cents: spent + total - mandate.monthly_cap_cents,
    });
  return null;
};

/** What approve refuses although the quote's policy allows it. */
const FIRST: Readonly<Record<string, true>> = { payments_closed: true, terms_changed: true };

const ESCALATED: ReadonlySet<string> = new Set(MANDATE_REASONS);

describe(`the quote's policy is what approve answers a moment later, ${DRAWS} states, seed ${SEED}`, () => {
  let world: World;
  let billing: BillingBeside;
  const met = new Map<string, number>();
  const count = (what: string): void => void met.set(what, (met.get(what) ?? 0) + 1);

  beforeAll(async () => {
    const raised = ({ code, message, details }: ErrorBody): AppError => new AppError(code, message, details);
    const planningOf =
      <N extends 'plan_terms' | 'plan_sign' | 'plan_sign_close' | 'write_refusal_get'>(name: N) =>
      async (ctx: Ctx, input: Input<N>): Promise<Output<N>> => {
        const answer = await world.call(name, ctx, input);
        if (!answer.ok) throw raised(answer.error);
        return answer.value;
      };
    billing = await aBillingBeside('policy_billing', {
      plan_terms: planningOf('plan_terms'),
      write_refusal_get: planningOf('write_refusal_get'),
      line_refusal_get: async () => ({ refusal: null }),
      line_cancel_credits: async () => ({ lines: [] }),
      plan_sign: planningOf('plan_sign'),
      plan_sign_close: planningOf('plan_sign_close'),
    });
    world = await aWorld('policy_planning', {
      billing: {
        quote_facts: async (ctx, input) => {
          const answer = await billing.run('quote_facts', ctx, input);
          if (!('value' in answer)) throw new Error('quote_facts answers a value');
          return answer.value as Output<'quote_facts'>;
        },
      },
    });
  });

  afterAll(async () => {
    await billing.drop();
    await world.drop();
  });

  const fingerprintOf = async (ctx: Ctx, planId: string): Promise<string> =>
    (await world.value('plan_quote', ctx, { id: planId })).terms_fingerprint;
  const approve = async (ctx: Ctx, planId: string, fingerprint: string) => {
    const input = { id: planId, terms_fingerprint: fingerprint };
    try {
      const admitted = { ...again(ctx), networkNow: await billing.store.now() };
      const outcome = await billing.run('approve_plan', admitted, input);
      if ('value' in outcome) throw new Error('approve keeps its own record');
      return outcome.ok
        ? { approved: JSON.parse(outcome.json.toString()) as PlanApproved, error: null }
        : { approved: null, error: outcome.error };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { approved: null, error: error.body() };
    } finally {
      await billing.parts.close();
    }
  };

  /** Prepares a drawn state in both databases; a signed one is signed by approve itself before the rest changes. */
  const prepared = async (draw: Draw): Promise<State> => {
    const units = draw.lines.map((line): UnitFacts => aUnit({ price_cents: line.priceCents, channel: line.channel }));
    const lines = draw.lines.map((line, index) => {
      const unit = units[index] as UnitFacts;
      const date = line.sale === 'past' ? '2026-11-20' : '2026-12-01';
      if (line.sale !== 'team') return aLine(unit, { scheduled_date: date });
      const alone = { creator_id: null, unit_id: null, creator: null, written_by: 'team' as const };
      return aLine(unit, { scheduled_date: date, ...alone });
    });
    const total = sum(draw.lines.map((line) => line.priceCents));
    const currentOf = (line: DrawnLine): number =>
      line.sale === 'team' || line.sale === 'unknown'
        ? line.priceCents
        : Math.max(1, Math.round((line.priceCents * line.moved) / 100));
    const current = sum(draw.lines.map(currentOf));
    const budget = draw.budget.kind === 'none' ? null : roomFor(current, draw.budget);
    const planned = await world.planned({
      ctx: brand({ sandbox: true }),
      units,
      lines,
      campaign: { budget_cents: draw.signed ? null : budget },
    });
    const { key, workspace } = planned.ctx.principal;

    if (draw.signed) {
      const at = { lines: planned.plan.lines.map((line) => ({ ...line, scheduled_date: '2026-12-01' })) };
      await world.deps.plans.rows.updateOne({ _id: planned.plan._id }, { $set: at });
      const mandate = aMandate({ channels: ['x_creators', 'reddit'], max_plan_cents: total });
      const ctx: Ctx = { ...planned.ctx, principal: { ...planned.ctx.principal, mandate } };
      const first = await approve(ctx, planned.plan._id, planned.plan.terms_fingerprint);
      const signed =
        first.approved ?? (await approve(ctx, planned.plan._id, await fingerprintOf(ctx, planned.plan._id))).approved;
      if (signed === null) throw new Error(`could not sign: ${JSON.stringify(first.error)}`);
      await world.deps.campaigns.rows.updateOne({ _id: planned.campaign._id }, { $set: { budget_cents: budget } });
    }
    const held = (await billing.authority(key))?.months[MONTH]?.held ?? 0;
    await billing.store.db.collection<{ _id: string }>('authority').updateOne(
      { _id: key },
      {
        $set: { ws: workspace, [`months.${MONTH}.held`]: held + draw.spentCents, 'months.2026-10.held': 777 },
        $setOnInsert: { min_mandate_version: 0, holds: [] },
      },
      { upsert: true },
    );
    const archivedAt = draw.archived ? NOW : null;
    await world.deps.campaigns.rows.updateOne({ _id: planned.campaign._id }, { $set: { archived_at: archivedAt } });
    draw.lines.forEach((line, index) => {
      const unit = units[index] as UnitFacts;
      const now = { ...unit, price_cents: currentOf(line), buyable: line.sale !== 'off_sale' };
      if (line.sale === 'unknown') world.neighbours.units.delete(unit.unit_id);
      else world.neighbours.units.set(unit.unit_id, now);
    });

    const spent = held + draw.spentCents;
    const mandate =
      draw.mandate === 'none'
        ? null
        : aMandate({
            channels: channelsOf(draw),
            may_approve: draw.mayApprove,
            max_plan_cents: roomFor(total, draw.maxPlan),
            monthly_cap_cents: roomFor(spent + total, draw.cap),
            ...(draw.mandate === 'expired' && { expires_at: '2026-11-01T00:00:00.000Z' }),
            ...(draw.mandate === 'expires_now' && { expires_at: NOW.toISOString() }),
            terms_version: { current: TERMS, old: '2026-01-01', never: null }[draw.terms],
          });
    const ctx: Ctx = {
      ...planned.ctx,
      principal: { ...planned.ctx.principal, mandate },
      switches: { ...planned.ctx.switches, payments_open: draw.paymentsOpen },
    };
    return {
      draw,
      ctx,
      planId: planned.plan._id,
      lines: draw.lines.map((line, index) => ({
        id: lines[index]?.id ?? '',
        channel: line.channel,
        price: line.priceCents,
        current: currentOf(line),
        onSale: line.sale === 'on_sale' || line.sale === 'team',
      })),
      total,
      current,
      spent,
      budget,
      mandate,
    };
  };

  const everything = async ({ ctx }: State) => {
    const { key, workspace } = ctx.principal;
    const { touched_by: _touched, ...authority } = (await billing.authority(key)) ?? { touched_by: '' };
    return { planning: await world.documents(workspace), orders: await billing.orders(workspace), authority };
  };

  /**
   * Quotes, approves and compares; a price that moved within the budget leads to a second, repriced round
   * (docs/domain/orders.md#approve-checks).
   */
  const compare = async (state: State): Promise<void> => {
    const { ctx, planId, draw } = state;
    const { policy, terms_fingerprint } = await world.value('plan_quote', ctx, { id: planId });
    const { failures, would_pass } = await world.value('plan_preflight', ctx, { id: planId });
    const expected = expectedOf(state);
    expect(policy.allowed).toBe(expected === null);
    expect(policy.allowed).toBe(policy.refusal === null);
    const before = await everything(state);

    const { approved, error } = await approve(ctx, planId, terms_fingerprint);

    // The preflight of a moment before says the same.
    expect(would_pass).toBe(approved !== null);
    if (policy.refusal !== null) expect(failures[0]).toMatchObject(policy.refusal);
    else if (error !== null) expect([failures[0]?.code, FIRST[failures[0]?.reason ?? '']]).toEqual([error.code, true]);
    if (expected !== null && policy.refusal !== null) {
      count(expected.reason);
      const { code, reason, ...details } = policy.refusal;
      expect({ reason, details }).toEqual({
        ...expected,
        details: {
          ...expected.details,
          ...(ESCALATED.has(reason) && { escalate: true }),
        },
      });
      const { escalate, ...overBudget } = details as Record<string, unknown>;
      const result = reason === 'over_budget' ? overBudget : { ...overBudget, ...(escalate === true && { escalate }) };
      expect(error).toMatchObject({ code, details: { reason, ...result } });
      expect(error?.details).toEqual({ reason, ...result });
      expect(typeof error?.receipt_id).toBe(code === 'mandate_refused' ? 'string' : 'undefined');
      expect(await everything(state)).toEqual(before);
      return;
    }
    if (!draw.paymentsOpen) {
      count('payments_closed');
      expect(error).toMatchObject({ code: 'unavailable' });
      expect(await everything(state)).toEqual(before);
      return;
    }
    if (state.lines.some((line) => line.price !== line.current)) {
      count('terms_changed');
      expect(error).toMatchObject({ code: 'conflict', details: { reason: 'terms_changed', version: 2 } });
      const lines = state.lines.map((line) => ({ ...line, price: line.current }));
      await compare({ ...state, lines, total: state.current });
      return;
    }
    count('allowed');
    expect({ error, total: approved?.order.total_cents }).toEqual({ error: null, total: state.total });
    expect(approved?.plan.mandate?.spent_this_month_cents).toBe(state.spent + state.total);
  };

  it('with the same reason and numbers, and a refusal changes nothing', async () => {
    proves('quote.policy-refusal', 'quote.policy-allowed', 'approve.signs');
    await fc.assert(
      fc.asyncProperty(draws, async (draw) => compare(await prepared(draw))),
      { numRuns: DRAWS, seed: SEED, endOnFailure: true },
    );
  }, 240_000);

  it('reached every reason, an approval, a repricing and closed payments', async () => {
    const isSeldom = (outcome: Aim): boolean => (met.get(outcome) ?? 0) < LEAST;
    // What random states missed by chance is drawn for itself.
    for (const aim of AIMS.filter(isSeldom))
      for (const draw of fc.sample(drawOf([aim]), { numRuns: MORE, seed: SEED }))
        if (isSeldom(aim)) await compare(await prepared(draw));
    const seldom = AIMS.filter(isSeldom);
    expect({ seldom, met: Object.fromEntries(met) }).toEqual({ seldom: [], met: Object.fromEntries(met) });
  }, 120_000);
});
