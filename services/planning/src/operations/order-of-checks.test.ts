import { randomUUID } from 'node:crypto';
import type { ErrorBody } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { aMandate, draws } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aLine, aUnit, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand } from '../test/world.js';

/** How many states are tried. Each field of a state that is true makes one check fail. */
const STATES = draws(120);

const EDITS = [
  'plan_add_creator',
  'plan_swap_creator',
  'plan_remove_creator',
  'plan_move_dates',
  'rename_campaign',
  'set_creator_guidelines',
  'delete_campaign',
] as const;
type Edit = (typeof EDITS)[number];

const seldom = fc.nat(7).map((one) => one === 0);
const states = fc.record({
  edit: fc.constantFrom(...EDITS),
  foreign: seldom,
  lineForeign: seldom,
  signed: seldom,
  byTeam: seldom,
  archived: seldom,
  mandate: fc.constantFrom('valid', 'valid', 'valid', 'valid', 'none', 'expired'),
  unitUnknown: seldom,
  unlisted: seldom,
  offSale: seldom,
  otherChannel: seldom,
  onPlan: seldom,
  dateOutside: seldom,
  oneLine: fc.boolean(),
  dearer: fc.boolean(),
  pastBudget: fc.boolean(),
  pastMandate: fc.boolean(),
  planThere: fc.boolean(),
  sentToTeam: fc.boolean(),
});
type State = typeof states extends fc.Arbitrary<infer S> ? S : never;

const REMOVED_CENTS = 40_000;
const OTHER_CENTS = 10_000;

/**
 * The first failing check by the tables of docs/domain/plans.md#edits, docs/domain/plans.md#states; null when the edit
 * succeeds.
 */
const firstFailing = (of: State): string | null => {
  const is = (...edits: Edit[]): boolean => edits.includes(of.edit);
  const adds = is('plan_add_creator', 'plan_swap_creator');
  const amounts = is('plan_add_creator') || (is('plan_swap_creator') && of.dearer);
  const checks: [boolean, string][] = [
    [of.foreign, 'not_found'],
    [is('plan_swap_creator', 'plan_remove_creator') && of.lineForeign, 'not_found'],
    [of.edit.startsWith('plan_') && of.signed, 'plan_signed'],
    [is('plan_move_dates') && of.byTeam, 'plan_signed'],
    [!is('delete_campaign') && of.archived, 'archived'],
    [of.mandate === 'none', 'no_mandate'],
    [of.mandate === 'expired', 'mandate_expired'],
    [adds && (of.unitUnknown || of.unlisted), 'not_found'],
    [adds && of.offSale, 'unprocessable'],
    [adds && of.otherChannel, 'channel_not_allowed'],
    [adds && of.onPlan, 'already_in_plan'],
    [is('plan_add_creator', 'plan_move_dates') && of.dateOutside, 'bad_dates'],
    [amounts && of.pastBudget, 'over_budget'],
    [amounts && of.pastMandate, 'over_max_plan_total'],
    [is('plan_remove_creator') && of.oneLine, 'last_creator'],
    [is('delete_campaign') && of.planThere, 'has_plan'],
    [is('delete_campaign') && of.sentToTeam, 'not_draft'],
  ];
  return checks.find(([fails]) => fails)?.[1] ?? null;
};

describe('the order of checks of every edit (docs/domain/plans.md#edits)', () => {
  const world = testWorld('order_of_checks');

  /** Stores a state and sends its edit. */
  const edited = async (of: State) => {
    const [removed, other] = [aUnit({ price_cents: REMOVED_CENTS }), aUnit({ price_cents: OTHER_CENTS })];
    const lines = of.oneLine ? [aLine(removed)] : [aLine(removed), aLine(other, { scheduled_date: '2026-12-03' })];
    const others = (of.edit === 'plan_swap_creator' ? 0 : REMOVED_CENTS) + (of.oneLine ? 0 : OTHER_CENTS);
    const price = REMOVED_CENTS + (of.dearer ? 20_000 : 0);
    const unit = aUnit({
      price_cents: price,
      listed: !of.unlisted,
      buyable: !of.offSale,
      ...(of.onPlan ? { creator_id: removed.creator_id } : {}),
    });
    const limits = {
      budget: others + price - (of.pastBudget ? 1 : 0),
      plan: others + price - (of.pastMandate ? 1 : 0),
    };
    const mandate = aMandate({
      max_plan_cents: limits.plan,
      channels: [of.otherChannel ? 'reddit' : 'x_creators'],
      ...(of.mandate === 'expired' ? { expires_at: NOW.toISOString() } : {}),
    });
    const { ctx, campaign, plan } = await world.planned({
      ctx: brand({ mandate: of.mandate === 'none' ? null : mandate }),
      units: [removed, other],
      lines,
      campaign: {
        budget_cents: limits.budget,
        archived_at: of.archived ? NOW : null,
        sent_to_team_at: of.sentToTeam ? NOW : null,
      },
      plan: {
        written_by: of.byTeam ? 'team' : 'builder',
        ...(of.signed ? { status: 'approved', approved_at: NOW } : {}),
      },
    });
    if (!of.unitUnknown) world.neighbours.units.set(unit.unit_id, unit);
    if (!of.planThere) await world.deps.campaigns.rows.updateOne({ _id: campaign._id }, { $set: { plan_id: null } });

    const before = await world.documents(plan.ws);
    const answer = await send(of, again(ctx), {
      planId: of.foreign ? randomUUID() : plan._id,
      campaignId: of.foreign ? randomUUID() : campaign._id,
      lineId: of.lineForeign ? randomUUID() : (lines[0]?.id ?? ''),
      unitId: unit.unit_id,
    });
    if (!answer.ok) expect(await world.documents(plan.ws)).toEqual(before);
    return { answer, figures: { others, price, limits } };
  };

  const send = (
    { edit, dateOutside }: State,
    ctx: ReturnType<typeof again>,
    ids: { planId: string; campaignId: string; lineId: string; unitId: string },
  ): Promise<{ ok: true } | { ok: false; error: ErrorBody }> => {
    const { planId: id, campaignId, lineId: line_id, unitId: unit_id } = ids;
    switch (edit) {
      case 'plan_add_creator':
        return world.call(edit, ctx, { id, unit_id, scheduled_date: dateOutside ? '2026-12-21' : undefined });
      case 'plan_swap_creator':
        return world.call(edit, ctx, { id, line_id, unit_id });
      case 'plan_remove_creator':
        return world.call(edit, ctx, { id, line_id });
      case 'plan_move_dates':
        return world.call(edit, ctx, { id, start: dateOutside ? '2026-11-20' : '2026-12-05', end: '2026-12-22' });
      case 'rename_campaign':
        return world.call(edit, ctx, { id: campaignId, name: 'Spring' });
      default:
        return world.call(edit, ctx, { id: campaignId });
    }
  };

  it('reports the first that fails with its figures, and changes nothing', async () => {
    proves('edits.mandate-needed', 'add.over-budget-refused', 'add.over-budget-leaves-plan', 'add.already-in-plan');
    proves('swap.over-budget', 'swap.fits-mandate-and-budget', 'swap.both-or-neither', 'swap.already-in-plan');
    proves('dates.bad-dates', 'dates.plan-signed', 'rename.archived-409', 'guidelines.archived-409', 'delete.plan-409');
    const met = new Set<string>();
    await fc.assert(
      fc.asyncProperty(states, async (of) => {
        const { answer, figures } = await edited(of);
        const { others, price, limits } = figures;
        const reported = answer.ok ? null : (answer.error.details?.['reason'] ?? answer.error.code);
        expect(reported).toBe(firstFailing(of));
        met.add(`${of.edit} ${String(reported)}`);
        if (answer.ok) return;
        if (reported === 'over_budget')
          expect(answer.error.details).toEqual({
            reason: 'over_budget',
            budget_cents: limits.budget,
            remaining_cents: Math.max(0, limits.budget - others),
            price_cents: price,
            over_by_cents: others + price - limits.budget,
          });
        if (reported === 'over_max_plan_total')
          expect(answer.error.details).toEqual({
            reason: 'over_max_plan_total',
            limit_cents: limits.plan,
            requested_cents: others + price,
            over_by_cents: others + price - limits.plan,
            escalate: true,
          });
      }),
      { numRuns: STATES, seed: 1 },
    );
    const amounts = ['plan_add_creator', 'plan_swap_creator'].flatMap((edit) =>
      ['over_budget', 'over_max_plan_total'].map((reason) => `${edit} ${reason}`),
    );
    const endings = ['plan_remove_creator last_creator', 'delete_campaign has_plan', 'delete_campaign not_draft'];
    expect([...met]).toEqual(expect.arrayContaining([...EDITS.map((edit) => `${edit} null`), ...amounts, ...endings]));
  }, 120_000);
});
