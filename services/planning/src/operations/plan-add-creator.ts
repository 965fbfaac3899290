import { randomUUID } from 'node:crypto';
import type { WriteHandler } from '@cds/service';
import { type FirstAddDeps, startWithCreator } from '../changes/first-add.js';
import { planEdit } from '../changes/plan-edit.js';
import { addLine } from '../domain/edits/edits.js';
import type { PlanWithCampaign } from '../domain/plan.js';
import { unitNamed } from '../load/campaigns.js';

/**
 * Adds a creator's format to a plan awaiting approval; `current` means the newest such plan and starts one when there
 * is none, which counts as a campaign start. Raises not_found, unprocessable, mandate_refused, rate_limited, conflict
 * (plan_signed, archived, already_in_plan, plan_full, bad_dates, over_budget, category_banned, category_review).
 * Source: docs/specification.md#add-a-creator, docs/domain/plans.md#edits.
 */
export const planAddCreator: WriteHandler<'plan_add_creator', FirstAddDeps> = async (ctx, input, deps) => {
  if (input.id !== 'current') return addToPlan(ctx, input, deps);
  const ws = ctx.principal.workspace;
  // Counted before plans are looked for: a start made in between is found on the next try.
  const starts = await deps.starts.count(ws);
  const current = await currentPlan(ws, deps);
  return current === null ? startWithCreator(ctx, input, deps, starts) : addToPlan(ctx, input, deps, current);
};

const currentPlan = async (ws: string, deps: FirstAddDeps): Promise<PlanWithCampaign | null> => {
  const plans = await deps.plans.awaiting(ws);
  const campaigns = await deps.campaigns.byIds(
    ws,
    plans.map((plan) => plan.campaign_id),
  );
  for (const plan of plans) {
    const campaign = campaigns.find((one) => one._id === plan.campaign_id);
    if (campaign !== undefined && campaign.archived_at === null) return { plan, campaign };
  }
  return null;
};

const addToPlan = planEdit('plan_add_creator', {
  target: () => ({ lineId: randomUUID() }),
  gate: 'lines',
  price: ({ input }) => [input.unit_id],
  decide: ({ facts, input, target }) =>
    addLine(facts, unitNamed(facts.units, input.unit_id), { id: target.lineId, date: input.scheduled_date }),
  buys: true,
  details: ({ input, target }) => ({ line_id: target.lineId, unit_id: input.unit_id }),
  present: ({ target, quote }) => ({ line_id: target.lineId, plan: quote }),
});
