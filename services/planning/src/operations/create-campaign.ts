import { randomUUID } from 'node:crypto';
import { AppError, type PrincipalMandate, unprocessable } from '@cds/contracts';
import { asksOf, mandateVerdict } from '@cds/rules';
import {
  actorOf,
  type Client,
  type Ctx,
  change,
  Deadline,
  type MandateChecks,
  type ReadHandler,
  type WriteHandler,
} from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { writtenBy } from '../changes/plan-edit.js';
import { type Built, buildPlan, creatorsOf } from '../domain/builder/new-plan.js';
import { retryAt } from '../domain/builder/retry.js';
import { campaignFrom, completeInput, inputProblems } from '../domain/campaign/campaign-input.js';
import { screenedOf, screeningReason } from '../domain/campaign/screening.js';
import { CAMPAIGN_STARTS, START_WINDOW_MS } from '../domain/constants.js';
import type { Campaign, Plan } from '../domain/plan.js';
import { todayOf } from '../load/campaigns.js';
import type { Candidates, CurrentUnits } from '../load/current-units.js';
import { campaignStarted } from '../present/campaign.js';
import { campaignChanged, planChanged } from '../present/events.js';
import { quoteFor } from '../present/quote.js';
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
  checks: MandateChecks;
  followPrices: (plan: Plan) => Promise<void>;
  billing: Client<'quote_facts'>;
};

/**
 * Starts a campaign and builds its plan; campaign, plan and the start's booking are stored together. When catalog does
 * not answer, the campaign is stored and its plan built later; a banned or reviewed category gets none. Raises
 * unprocessable, mandate_refused, rate_limited (daily_campaign_limit), conflict (sandbox_full). Source:
 * docs/specification.md#start-a-campaign, docs/domain/plans.md#campaign-input, docs/domain/plans.md#plan-builder.
 */
export const createCampaign: WriteHandler<'create_campaign', Deps> = async (ctx, input, deps) => {
  const { workspace, workspace_name, mandate } = ctx.principal;
  const context = await deps.contexts.inForce(workspace);
  const complete = completeInput(input, context, todayOf(ctx));
  if (complete.problems !== null) throw unprocessable(complete.problems);
  const asked = asksOf(ctx.now, { channels: ['x_creators'] });
  const refusal = mandateVerdict(mandate, asked);
  if (refusal !== null) throw deps.checks.refused(ctx, 'create_campaign', refusal, asked);
  if (mandate === null) throw new Error('a key without a mandate passed its check');

  const screened = screeningReason(screenedOf({ ...complete.input, category: complete.input.category ?? null }));
  const [found] = await Promise.all([
    screened === null ? candidatesOrNull(ctx, deps.units, complete.input) : null,
    deps.starts.ensure(workspace),
  ]);
  const fresh = campaignFrom(complete.input, {
    id: randomUUID(),
    ws: workspace,
    workspaceName: workspace_name,
    now: ctx.now,
    segments: found?.segments ?? [],
    unresolved: found?.unresolved ?? true,
  });
  const built =
    found === null
      ? ({ plan: null, units: null, noPlan: screened ?? 'building' } as const)
      : await builtFor(ctx, deps, fresh, found, mandate);
  const { plan } = built;
  const campaign = withPlan(ctx, fresh, built, mandate);
  const [shared, facts] =
    plan === null
      ? [[], null]
      : await Promise.all([deps.plans.sharedWith(plan), deps.billing.quote_facts(ctx, { order_id: null })]);
  const quote =
    plan === null || facts === null ? null : quoteFor(ctx, { plan, campaign }, built.units, facts, undefined, shared);

  return change(campaignStarted(campaign, plan, quote, complete.defaults, { now: ctx.now, shared }), {
    save: async (tx) => {
      const number = await deps.starts.book(tx, ctx);
      await deps.campaigns.insert(tx, { ...campaign, number });
      if (plan !== null) await deps.plans.insert(tx, plan, writtenBy(ctx, 'campaign.create'));
      await deps.checks.passed(tx, ctx, 'create_campaign', asked);
    },
    events: [campaignChanged(campaign), ...(plan === null ? [] : [planChanged(plan)])],
    ...(plan === null ? {} : { committed: () => void Deadline.detached(() => deps.followPrices(plan)) }),
    audit: [
      {
        ws: workspace,
        actor: actorOf(ctx),
        action: 'campaign.create',
        object: campaign._id,
        payload: { name: campaign.name, budget_cents: campaign.budget_cents, plan_id: campaign.plan_id },
      },
    ],
  });
};

const builtFor = async (
  ctx: Ctx,
  deps: Deps,
  campaign: Campaign,
  found: Candidates,
  mandate: PrincipalMandate,
): Promise<Built> =>
  buildPlan(campaign, found.candidates, {
    mandateCents: mandate.max_plan_cents,
    regions: found.regions,
    now: ctx.now,
    today: dayOf(ctx.now),
    newId: randomUUID,
    answers: await deps.offerAnswers.of(campaign.ws, creatorsOf(found.candidates), ctx.now),
  });

const withPlan = (ctx: Ctx, campaign: Campaign, { plan, noPlan }: Built, mandate: PrincipalMandate): Campaign => ({
  ...campaign,
  plan_id: plan?._id ?? null,
  no_plan: noPlan,
  build:
    plan === null
      ? {
          max_plan_cents: mandate.max_plan_cents,
          sandbox: ctx.principal.sandbox,
          retry_at: retryAt(noPlan, ctx.networkNow),
        }
      : null,
});

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

/** Source: docs/domain/requests.md#limits. */
export const startLimits: ReadHandler<'start_limits', { starts: Pick<CampaignStarts, 'live'> }> = async (
  ctx,
  _input,
  { starts },
) => {
  const live = await starts.live(ctx);
  const [oldest] = live;

  return {
    limits: [
      {
        name: 'daily_campaign_limit',
        scope: 'brand',
        unit: 'campaigns',
        limit: CAMPAIGN_STARTS,
        left: Math.max(0, CAMPAIGN_STARTS - live.length),
        refills: 'one_by_one',
        resets_at: oldest === undefined ? null : new Date(oldest.getTime() + START_WINDOW_MS).toISOString(),
      },
    ],
  };
};

/** Source: docs/domain/plans.md#campaign-input, docs/domain/requests.md#order-of-errors, check 10. */
export const campaignInputProblems: ReadHandler<'campaign_input_problems', { contexts: Contexts }> = async (
  ctx,
  input,
  { contexts },
) => {
  const context = await contexts.inForce(ctx.principal.workspace);

  return { problems: inputProblems(input.sent, context, todayOf(ctx)) };
};
