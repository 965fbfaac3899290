import { randomUUID } from 'node:crypto';
import { notFound, refused } from '@cds/contracts';
import { type Client, type Ctx, change, type WriteHandler } from '@cds/service';
import { campaignForCurrent } from '../domain/campaign/campaign-input.js';
import { CURRENT_WINDOW } from '../domain/constants.js';
import { addDays, dayOf } from '../domain/days.js';
import { addLine, editGate } from '../domain/edits/edits.js';
import { withFingerprint } from '../domain/approval/fingerprint.js';
import { mandateRefusal } from '../domain/approval/mandate.js';
import { emptyPlan } from '../domain/builder/new-plan.js';
import type { PlanWithCampaign, UnitMap } from '../domain/plan.js';
import { categoryRefusal } from '../domain/campaign/screening.js';
import type { CurrentUnits } from '../load/current-units.js';
import { actorOf, editChange, mustBeFresh } from '../changes/plan-change.js';
import { planWithCampaign } from '../load/plan-with-campaign.js';
import { quoteFor } from '../present/quote.js';
import { campaignChanged, planChanged } from '../present/events.js';
import type { CampaignStarts } from '../store/campaign-starts.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Contexts } from '../store/contexts.js';
import type { Plans } from '../store/plans.js';

type Deps = {
  plans: Plans;
  campaigns: Campaigns;
  starts: CampaignStarts;
  contexts: Contexts;
  units: CurrentUnits;
  catalog: Client<'audience_resolve'>;
  billing: Client<'quote_facts'>;
};

type Input = { id: string; unit_id: string; scheduled_date?: string | undefined };

/**
 * Adds a creator's format to a plan awaiting approval; `current` means the newest such plan and starts one when there is
 * none, which counts as a campaign start. Raises not_found, unprocessable, mandate_refused, conflict (plan_signed,
 * archived, already_in_plan, bad_dates, over_budget, category_banned, category_review), rate_limited. Source: spec, "POST /plans/{id}/lines"; 2-plans 6.
 */
export const planAddCreator: WriteHandler<'plan_add_creator', Deps> = async (ctx, input, deps) => {
  const ws = ctx.principal.workspace;
  if (input.id !== 'current') return addTo(ctx, input, deps, await planWithCampaign(deps, ws, input.id));
  // Counted before plans are looked for: a start that another add makes meanwhile is found on the next try.
  const starts = await deps.starts.count(ws);
  const before = await currentPlan(ws, deps);
  return before === null ? startWith(ctx, input, deps, starts) : addTo(ctx, input, deps, before);
};

/** The newest plan that awaits approval in a campaign out of the archive, if any (domain 2-plans 6.2). */
const currentPlan = async (ws: string, deps: Deps): Promise<PlanWithCampaign | null> => {
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

const addTo = async (ctx: Ctx, input: Input, deps: Deps, before: PlanWithCampaign) => {
  const gate = editGate({ ...before, mandate: ctx.principal.mandate, now: ctx.now });
  if (gate !== null) throw refused(gate);
  const pricedAt = performance.now();
  const [units, facts] = await Promise.all([
    deps.units.ofPlan(ctx, before, [input.unit_id]),
    deps.billing.quote_facts(ctx, { order_id: null }),
  ]);

  const { lineId, plan } = added(ctx, input, before, units);
  const after = { ...before, plan };

  return editChange(
    { line_id: lineId, plan: quoteFor(ctx, after, units, facts) },
    {
      ctx,
      ...deps,
      before,
      after,
      action: 'plan.add_creator',
      details: { line_id: lineId, unit_id: input.unit_id },
      pricedAt,
    },
  );
};

/** The first add without a plan to add to: campaign and plan start with it, in one transaction (domain 2-plans 6.2). */
const startWith = async (ctx: Ctx, input: Input, deps: Deps, starts: number) => {
  const { workspace, workspace_name, mandate } = ctx.principal;
  const context = await deps.contexts.inForce(workspace);
  const refusal = categoryRefusal(context) ?? mandateRefusal(mandate, ctx.now, []);
  if (refusal !== null) throw refused(refusal);
  const [audience, facts] = await Promise.all([
    context.audience === null
      ? { segments: [], unresolved: true }
      : deps.catalog.audience_resolve(ctx, { text: context.audience }),
    deps.billing.quote_facts(ctx, { order_id: null }),
    deps.starts.ensure(workspace),
  ]);
  const pricedAt = performance.now();
  const units = await deps.units.of(ctx, [input.unit_id], audience.segments);

  const today = dayOf(ctx.now);
  const window = { start: addDays(today, CURRENT_WINDOW.start), end: addDays(today, CURRENT_WINDOW.end) };
  const fresh = campaignForCurrent(window, context, {
    id: randomUUID(),
    ws: workspace,
    workspaceName: workspace_name,
    now: ctx.now,
    ...audience,
  });
  const empty = emptyPlan(fresh, { id: randomUUID(), writtenBy: 'key', now: ctx.now });
  const campaign = { ...fresh, plan_id: empty._id };
  const { lineId, plan: withLine } = added(ctx, input, { plan: empty, campaign }, units);
  const plan = withFingerprint({ ...withLine, version: 1 });

  return change(
    { line_id: lineId, plan: quoteFor(ctx, { plan, campaign }, units, facts) },
    {
      save: async (tx) => {
        const number = await deps.starts.book(tx, workspace, starts);
        await deps.campaigns.insert(tx, { ...campaign, number });
        await deps.plans.insert(tx, plan);
        mustBeFresh(pricedAt);
      },
      events: [campaignChanged(campaign), planChanged(plan)],
      audit: [
        {
          ws: workspace,
          actor: actorOf(ctx),
          action: 'campaign.create',
          object: campaign._id,
          payload: { name: campaign.name, plan_id: plan._id, unit_id: input.unit_id },
        },
      ],
    },
  );
};

const added = (ctx: Ctx, input: Input, pair: PlanWithCampaign, units: UnitMap) => {
  const unit = units.get(input.unit_id);
  if (unit === undefined || !unit.listed) throw notFound('creator');
  const lineId = randomUUID();
  const edited = addLine(
    { ...pair, units, mandate: ctx.principal.mandate, now: ctx.now, today: dayOf(ctx.now) },
    unit,
    { id: lineId, date: input.scheduled_date },
  );
  if (edited.refusal !== null) throw refused(edited.refusal);
  return { lineId, plan: edited.plan };
};
