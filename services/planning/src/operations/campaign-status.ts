import { notFound } from '@cds/contracts';
import type { Client, ReadHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { type CurrentUnits, NO_UNITS } from '../load/current-units.js';
import { lineViews, NO_LINE_FACTS } from '../load/line-views.js';
import { revealFor } from '../load/reveal.js';
import { campaignStatus as present } from '../present/campaign-status.js';
import type { Campaigns } from '../store/campaigns.js';
import type { LineFactsStore } from '../store/line-facts.js';
import type { Plans } from '../store/plans.js';

type Deps = {
  plans: Plans;
  campaigns: Campaigns;
  lineFacts: LineFactsStore;
  units: CurrentUnits;
  catalog: Client<'identity_reveal'>;
};

/** Raises not_found. Source: docs/specification.md#campaignstatus, docs/domain/plans.md#states. */
export const campaignStatus: ReadHandler<'campaign_status', Deps> = async (ctx, input, deps) => {
  const ws = ctx.principal.workspace;
  const [campaign, plan] = await Promise.all([deps.campaigns.byId(ws, input.id), deps.plans.byCampaign(ws, input.id)]);
  if (campaign === null) throw notFound('campaign');
  const awaits = plan?.status === 'awaiting_approval';
  const [units, facts, shared] = await Promise.all([
    plan !== null && awaits ? deps.units.ofPlan(ctx, { plan, campaign }) : NO_UNITS,
    plan !== null && !awaits ? deps.lineFacts.byPlans(ws, [plan._id]) : NO_LINE_FACTS,
    plan !== null && awaits ? deps.plans.alsoIn(plan) : [],
  ]);
  const lines = lineViews(facts);
  const offered = [...lines.values()].flatMap(({ proposal }) =>
    proposal === null ? [] : [proposal.creator_id, proposal.replaced_creator_id],
  );
  const order = plan?.order ?? null;
  const revealed = await revealFor(
    ctx,
    deps.catalog,
    order && { order_id: order.order_id, paid: order.paid_at !== null },
    offered,
  );

  return present({ campaign, plan, lines, units, revealed, shared, today: dayOf(ctx.now), now: ctx.now });
};
