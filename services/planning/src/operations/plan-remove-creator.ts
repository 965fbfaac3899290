import { refused } from '@cds/contracts';
import type { Client, WriteHandler } from '@cds/service';
import { dayOf } from '../domain/days.js';
import { editGate, removeLine } from '../domain/edits/edits.js';
import type { CurrentUnits } from '../load/current-units.js';
import { editChange } from '../changes/plan-change.js';
import { lineNamed } from '../load/line-named.js';
import { planWithCampaign } from '../load/plan-with-campaign.js';
import { quoteFor } from '../present/quote.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Plans } from '../store/plans.js';

type Deps = { plans: Plans; campaigns: Campaigns; units: CurrentUnits; billing: Client<'quote_facts'> };

/**
 * Drops one line from a plan awaiting approval; a plan keeps at least one. Raises not_found, mandate_refused, conflict
 * (plan_signed, archived, last_creator). Source: spec, "DELETE /plans/{id}/lines/{line_id}"; domain 2-plans 6.
 */
export const planRemoveCreator: WriteHandler<'plan_remove_creator', Deps> = async (ctx, input, deps) => {
  const before = await planWithCampaign(deps, ctx.principal.workspace, input.id);
  const removed = lineNamed(before.plan, input.line_id);
  const { mandate } = ctx.principal;
  const gate = editGate({ ...before, mandate, now: ctx.now });
  if (gate !== null) throw refused(gate);
  const [units, facts] = await Promise.all([
    deps.units.ofPlan(ctx, before),
    deps.billing.quote_facts(ctx, { order_id: null }),
  ]);

  const edited = removeLine({ ...before, units, mandate, now: ctx.now, today: dayOf(ctx.now) }, removed);
  if (edited.refusal !== null) throw refused(edited.refusal);
  const after = { ...before, plan: edited.plan };

  return editChange(
    { removed_line_id: removed.id, plan: quoteFor(ctx, after, units, facts) },
    { ctx, ...deps, before, after, action: 'plan.remove_creator', details: { removed_line_id: removed.id } },
  );
};
