import { refused } from '@cds/contracts';
import { actorOf, type Begin, type Client, change, type WriteHandler } from '@cds/service';
import { campaignChange } from '../changes/campaign-change.js';
import { writtenBy } from '../changes/plan-edit.js';
import { archivedRefusal, signedRefusal } from '../domain/approval/approval.js';
import { restartedBuild } from '../domain/builder/retry.js';
import { missingOf } from '../domain/campaign/brief.js';
import { pricesMoved, repricedVersion } from '../domain/edits/repricing.js';
import type { Campaign } from '../domain/plan.js';
import { campaignNamed } from '../load/campaigns.js';
import type { CurrentUnits } from '../load/current-units.js';
import { campaignChanged, planChanged } from '../present/events.js';
import { quoteFor } from '../present/quote.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Contexts } from '../store/contexts.js';
import type { Plans } from '../store/plans.js';

type Deps = {
  campaigns: Campaigns;
  plans: Plans;
  contexts: Contexts;
  units: CurrentUnits;
  billing: Client<'quote_facts'>;
  beginBuilding: Begin;
};

/** Null without a plan. Raises not_found, conflict (plan_signed, archived). Source: docs/domain/plans.md#repricing. */
export const campaignBudgetSet: WriteHandler<'campaign_budget_set', Deps> = async (ctx, input, deps) => {
  const { campaigns, plans } = deps;
  const campaign = await campaignNamed(campaigns, ctx, input.id);
  // Read after its campaign: a later change of the plan raises the campaign's `rev`, and then this save loses the race.
  const plan = await plans.byCampaign(campaign.ws, campaign._id);
  const refusal = (plan === null ? null : signedRefusal({ plan })) ?? archivedRefusal({ campaign });
  if (refusal !== null) throw refused(refusal);

  const restarted = campaign.no_plan === 'budget_too_small' ? restartedBuild(campaign) : null;
  const set = {
    budget_cents: Math.round(input.budget_usd * 100),
    ...(await briefAfter(campaign, input.budget_usd, deps)),
    // A larger budget may buy something now, so the next try does not wait for the morning.
    ...restarted,
  };
  const details = { budget_cents: set.budget_cents, before_cents: campaign.budget_cents };
  if (plan === null)
    return campaignChange(null, {
      ctx,
      campaigns,
      before: campaign,
      set,
      action: 'campaign.budget',
      details,
      ...(restarted === null ? {} : { committed: () => deps.beginBuilding(campaign.ws) }),
    });

  const [units, facts] = await Promise.all([
    deps.units.ofPlan(ctx, { plan, campaign }),
    deps.billing.quote_facts(ctx, { order_id: null }),
  ]);
  const after = { ...campaign, ...set, rev: campaign.rev + 1 };
  const moved = pricesMoved(plan, units, set.budget_cents);
  const next = moved ? repricedVersion(plan, plan.lines, units, after) : plan;

  return change(quoteFor(ctx, { plan: next, campaign: after }, units, facts), {
    save: async (tx) => {
      if (moved) await plans.replaceAwaiting(tx, plan, next, writtenBy(ctx, 'campaign.budget'));
      await campaigns.touch(tx, campaign, set);
    },
    events: [campaignChanged(after), ...(moved ? [planChanged(next)] : [])],
    audit: [
      {
        ws: campaign.ws,
        actor: actorOf(ctx),
        action: 'campaign.budget',
        object: campaign._id,
        payload: { ...details, version: next.version },
      },
    ],
  });
};

/** The brief of a person's draft takes the budget too, which may complete it. */
const briefAfter = async (
  { ws, brief }: Campaign,
  budgetUsd: number,
  { contexts }: Pick<Deps, 'contexts'>,
): Promise<Partial<Pick<Campaign, 'brief' | 'intent_status'>>> => {
  if (brief === null) return {};
  const written = { ...brief, budget_usd: budgetUsd };
  const missing = missingOf(written, await contexts.inForce(ws));
  return { brief: written, intent_status: missing.length === 0 ? 'ready' : 'draft' };
};
