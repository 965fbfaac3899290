import { notFound } from '@cds/contracts';
import type { Client, ReadHandler } from '@cds/service';
import type { CurrentUnits } from '../load/current-units.js';
import { lineViews, NO_LINE_FACTS } from '../load/line-views.js';
import { revealFor } from '../load/reveal.js';
import { quoteFor } from '../present/quote.js';
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

/** Raises not_found. Source: docs/specification.md#quote, docs/domain/plans.md#quote. */
export const planQuote: ReadHandler<'plan_quote', Deps> = async (ctx, input, deps) => {
  const found = await deps.plans.withCampaignAndShared(ctx.principal.workspace, input.id);
  if (found === null) throw notFound('plan');
  const { shared, ...pair } = found;
  const { plan } = pair;
  const lines = lineViews(
    plan.status === 'approved' ? await deps.lineFacts.byPlans(plan.ws, [plan._id]) : NO_LINE_FACTS,
  );
  const seen = [...lines.values()];
  const [units, facts] = await Promise.all([
    deps.units.ofPlan(
      ctx,
      pair,
      seen.flatMap(({ filled }) => filled?.unit_id ?? []),
    ),
    deps.billing.quote_facts(ctx, { order_id: plan.order?.order_id ?? null }),
  ]);
  const revealed = await revealFor(
    ctx,
    deps.catalog,
    plan.order && { order_id: plan.order.order_id, paid: (facts.order?.paid_at ?? plan.order.paid_at) !== null },
    [...plan.lines.map((line) => line.creator_id), ...seen.map(({ proposal }) => proposal?.creator_id ?? null)],
  );

  const fresh =
    plan.order === null || facts.order === null
      ? plan
      : { ...plan, order: { ...plan.order, payment_state: facts.order.payment_state } };
  return quoteFor(ctx, { ...pair, plan: fresh }, units, facts, { lines, revealed }, shared);
};
