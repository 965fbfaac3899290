import { refused } from '@cds/contracts';
import type { Client, WriteHandler } from '@cds/service';
import { dayOf } from '../domain/days.js';
import { editGate, moveDates } from '../domain/edits/edits.js';
import type { CurrentUnits } from '../load/current-units.js';
import { editChange } from '../changes/plan-change.js';
import { planWithCampaign } from '../load/plan-with-campaign.js';
import { quoteFor } from '../present/quote.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Plans } from '../store/plans.js';

type Deps = { plans: Plans; campaigns: Campaigns; units: CurrentUnits; billing: Client<'quote_facts'> };

/**
 * Moves a plan's window, its campaign's dates and every post date with it; prices do not change. Raises not_found,
 * mandate_refused, conflict (plan_signed, archived, bad_dates, same_day). Source: spec, "POST /plans/{id}/dates"; 2-plans 6.
 */
export const planMoveDates: WriteHandler<'plan_move_dates', Deps> = async (ctx, input, deps) => {
  const before = await planWithCampaign(deps, ctx.principal.workspace, input.id);
  const { mandate } = ctx.principal;
  const gate = editGate({ ...before, mandate, now: ctx.now }, 'dates');
  if (gate !== null) throw refused(gate);
  const [units, facts] = await Promise.all([
    deps.units.ofPlan(ctx, before),
    deps.billing.quote_facts(ctx, { order_id: null }),
  ]);

  const moved = moveDates({ ...before, units, mandate, now: ctx.now, today: dayOf(ctx.now) }, input);
  if (moved.refusal !== null) throw refused(moved.refusal);
  const after = { plan: moved.plan, campaign: moved.campaign };

  return editChange(
    { lines_moved: moved.linesMoved, plan: quoteFor(ctx, after, units, facts) },
    { ctx, ...deps, before, after, action: 'plan.move_dates', details: { start: input.start, end: input.end } },
  );
};
