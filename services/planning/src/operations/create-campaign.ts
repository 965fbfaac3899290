import { randomUUID } from 'node:crypto';
import { AppError, refused } from '@cds/contracts';
import { type Client, type Ctx, change, Deadline, type WriteHandler } from '@cds/service';
import { retryAt } from '../domain/builder/retry.js';
import { campaignFrom, completeInput } from '../domain/campaign/campaign-input.js';
import { dayOf } from '../domain/days.js';
import { mandateRefusal } from '../domain/approval/mandate.js';
import { buildPlan, creatorsOf } from '../domain/builder/new-plan.js';
import type { Campaign, Plan } from '../domain/plan.js';
import { screenedOf, screeningReason } from '../domain/campaign/screening.js';
import type { CurrentUnits } from '../load/current-units.js';
import { actorOf } from '../changes/plan-change.js';
import { quoteFor } from '../present/quote.js';
import { unusable } from '../load/unusable.js';
import { campaignStarted } from '../present/campaign.js';
import { campaignChanged, planChanged } from '../present/events.js';
import type { CampaignStarts } from '../store/campaign-starts.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Contexts } from '../store/contexts.js';
import type { OfferAnswers } from '../store/offer-answers.js';
import type { Plans } from '../store/plans.js';

type Deps = {
  campaigns: Campaigns;
  plans: Plans;
  starts: CampaignStarts;
  contexts: Contexts;
  units: CurrentUnits;
  offerAnswers: OfferAnswers;
  followPrices: (plan: Plan) => Promise<void>;
  billing: Client<'quote_facts'>;
};

/**
 * Starts a campaign and builds its plan; campaign, plan and the start's booking are stored together. Without an answer of
 * catalog the campaign is stored and its plan built later; a banned or reviewed category gets none. Raises unprocessable, mandate_refused, rate_limited
 * (daily_campaign_limit). Source: spec, "POST /campaigns"; domain 2-plans 1, 3.
 */
export const createCampaign: WriteHandler<'create_campaign', Deps> = async (ctx, input, deps) => {
  const { workspace, workspace_name, mandate } = ctx.principal;
  const today = dayOf(ctx.now);
  const context = await deps.contexts.inForce(workspace);
  const complete = completeInput(input, context, today);
  if (complete.problems !== null) throw unusable(complete.problems);
  const refusal = mandateRefusal(mandate, ctx.now, ['x_creators']);
  if (refusal !== null || mandate === null) throw refusal === null ? new Error('no mandate') : refused(refusal);

  const refusedCategory = screeningReason(screenedOf({ ...complete.input, category: complete.input.category ?? null }));
  const [network] = await Promise.all([
    refusedCategory === null ? candidatesOrNull(ctx, deps.units, complete.input) : null,
    deps.starts.ensure(workspace),
  ]);
  const campaign = campaignFrom(complete.input, {
    id: randomUUID(),
    ws: workspace,
    workspaceName: workspace_name,
    now: ctx.now,
    segments: network?.segments ?? [],
    unresolved: network?.unresolved ?? true,
  });
  const capCents = Math.min(campaign.budget_cents ?? 0, mandate.max_plan_cents);
  const built =
    network === null
      ? ({ plan: null, units: null, noPlan: refusedCategory ?? 'building' } as const)
      : buildPlan(campaign, network.candidates, {
          capCents,
          now: ctx.now,
          today,
          newId: randomUUID,
          answers: await deps.offerAnswers.of(workspace, creatorsOf(network.candidates), ctx.now),
        });
  const stored: Campaign = {
    ...campaign,
    plan_id: built.plan?._id ?? null,
    no_plan: built.noPlan,
    build:
      built.plan === null
        ? {
            max_plan_cents: mandate.max_plan_cents,
            sandbox: ctx.principal.sandbox,
            retry_at: retryAt(built.noPlan, ctx.networkNow),
          }
        : null,
  };
  const { plan } = built;
  const quote =
    plan === null
      ? null
      : quoteFor(ctx, { plan, campaign: stored }, built.units, await deps.billing.quote_facts(ctx, { order_id: null }));

  return change(campaignStarted(stored, plan, quote, complete.defaults), {
    save: async (tx) => {
      const number = await deps.starts.book(tx, workspace);
      await deps.campaigns.insert(tx, { ...stored, number });
      if (plan !== null) await deps.plans.insert(tx, plan);
    },
    events: [campaignChanged(stored), ...(plan === null ? [] : [planChanged(plan)])],
    ...(plan === null ? {} : { committed: () => void Deadline.detached(() => deps.followPrices(plan)) }),
    audit: [
      {
        ws: workspace,
        actor: actorOf(ctx),
        action: 'campaign.create',
        object: stored._id,
        payload: { name: stored.name, budget_cents: stored.budget_cents, plan_id: stored.plan_id },
      },
    ],
  });
};

/** Catalog's candidates, or null when it does not answer in time. */
const candidatesOrNull = async (
  ctx: Ctx,
  units: CurrentUnits,
  { audience, geography }: { audience: string; geography: string },
) => {
  try {
    return await units.candidates(ctx, audience, geography);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return null;
    throw error;
  }
};
