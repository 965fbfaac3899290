import type { Client, ReadHandler } from '@cds/service';
import type { CurrentUnits } from '../load/current-units.js';
import { lineViews, NOTHING_TOLD } from '../load/line-views.js';
import { planWithCampaign } from '../load/plan-with-campaign.js';
import { quoteFor } from '../present/quote.js';
import { revealFor } from '../load/reveal.js';
import type { Campaigns } from '../store/campaigns.js';
import type { LineFactsStore } from '../store/line-facts.js';
import type { Plans } from '../store/plans.js';

type Deps = {
  plans: Plans;
  campaigns: Campaigns;
  lineFacts: LineFactsStore;
  units: CurrentUnits;
  catalog: Client<'identity_reveal'>;
  billing: Client<'quote_facts'>;
};

/**
 * The quote of a plan for the asking key: prices and sale as they are now, policy, and the order once signed. Prices are
 * integer US cents; handles show once the order is paid. Raises not_found. Source: spec, "Quote"; domain 2-plans 5.
 */
export const planQuote: ReadHandler<'plan_quote', Deps> = async (ctx, input, deps) => {
  const pair = await planWithCampaign(deps, ctx.principal.workspace, input.id);
  const { plan } = pair;
  const [units, facts, told] = await Promise.all([
    deps.units.ofPlan(ctx, pair),
    deps.billing.quote_facts(ctx, { order_id: plan.order?.order_id ?? null }),
    plan.status === 'approved' ? deps.lineFacts.byPlans(plan.ws, [plan._id]) : NOTHING_TOLD,
  ]);
  const revealed = await revealFor(
    ctx,
    deps.catalog,
    plan.order && { order_id: plan.order.order_id, paid: (facts.order?.paid_at ?? plan.order.paid_at) !== null },
    plan.lines.map((line) => line.creator_id),
  );

  const fresh =
    plan.order === null || facts.order === null
      ? plan
      : { ...plan, order: { ...plan.order, payment_state: facts.order.payment_state } };
  const progress = new Map([...lineViews(told)].map(([id, view]) => [id, view.progress]));
  return quoteFor(ctx, { ...pair, plan: fresh }, units, facts, { progress, revealed });
};
