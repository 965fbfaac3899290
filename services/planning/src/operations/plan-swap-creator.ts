import { randomUUID } from 'node:crypto';
import { notFound, refused } from '@cds/contracts';
import type { Client, WriteHandler } from '@cds/service';
import { dayOf } from '../domain/days.js';
import { editGate, swapLine } from '../domain/edits/edits.js';
import type { CurrentUnits } from '../load/current-units.js';
import { editChange } from '../changes/plan-change.js';
import { lineNamed } from '../load/line-named.js';
import { planWithCampaign } from '../load/plan-with-campaign.js';
import { quoteFor } from '../present/quote.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Plans } from '../store/plans.js';

type Deps = { plans: Plans; campaigns: Campaigns; units: CurrentUnits; billing: Client<'quote_facts'> };

/**
 * Replaces one line of a plan awaiting approval with another creator's format at its current all-in price; both happen or
 * neither. Prices are integer US cents. Raises not_found, unprocessable, mandate_refused, conflict (plan_signed, archived,
 * already_in_plan, over_budget). Source: spec, "POST /plans/{id}/lines/{line_id}/swap", rules 1 to 4; 2-plans 6.
 */
export const planSwapCreator: WriteHandler<'plan_swap_creator', Deps> = async (ctx, input, deps) => {
  const before = await planWithCampaign(deps, ctx.principal.workspace, input.id);
  const removed = lineNamed(before.plan, input.line_id);
  const { mandate } = ctx.principal;
  const gate = editGate({ ...before, mandate, now: ctx.now });
  if (gate !== null) throw refused(gate);
  const pricedAt = performance.now();
  const [units, facts] = await Promise.all([
    deps.units.ofPlan(ctx, before, [input.unit_id]),
    deps.billing.quote_facts(ctx, { order_id: null }),
  ]);
  const unit = units.get(input.unit_id);
  if (unit === undefined || !unit.listed) throw notFound('creator');

  const lineId = randomUUID();
  const edited = swapLine({ ...before, units, mandate, now: ctx.now, today: dayOf(ctx.now) }, removed, unit, lineId);
  if (edited.refusal !== null) throw refused(edited.refusal);
  const after = { ...before, plan: edited.plan };

  return editChange(
    { line_id: lineId, removed_line_id: removed.id, plan: quoteFor(ctx, after, units, facts) },
    {
      ctx,
      ...deps,
      before,
      after,
      action: 'plan.swap_creator',
      details: { line_id: lineId, removed_line_id: removed.id, unit_id: input.unit_id },
      pricedAt,
    },
  );
};
