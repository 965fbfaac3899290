import { acceptUrl, parentMonthOf } from '@cds/rules';
import type { ReadHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { approvalRefusal, channelsOf } from '../domain/approval/approval.js';
import { evidenceOf, evidenceOnWire } from '../domain/approval/evidence.js';
import { totalOf } from '../domain/plan.js';
import { planNamed } from '../load/campaigns.js';
import type { CurrentUnits } from '../load/current-units.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Plans } from '../store/plans.js';

type Deps = { plans: Plans; campaigns: Campaigns; units: CurrentUnits };

/** At current prices. Raises not_found. Source: docs/domain/orders.md#approve-checks, docs/reliability.md#signing. */
export const planTerms: ReadHandler<'plan_terms', Deps> = async (ctx, input, deps) => {
  const pair = await planNamed(deps, ctx.principal.workspace, input.id);
  const units = await deps.units.ofPlan(ctx, pair);

  const facts = {
    ...pair,
    units,
    mandate: ctx.principal.mandate,
    spentCents: input.spent_cents,
    parentMonth: parentMonthOf(ctx.principal, input.parent_spent_cents),
    currentTerms: input.current_terms,
    termsUrl: input.terms_url === undefined ? null : acceptUrl(input.terms_url, ctx.principal.key),
    now: ctx.now,
    today: dayOf(ctx.now),
    fingerprint: input.terms_fingerprint,
    ...(input.expected_total_cents !== undefined && { expectedTotalCents: input.expected_total_cents }),
  };
  const refusal = approvalRefusal(facts);

  const { plan } = pair;
  return {
    plan_id: plan._id,
    campaign_id: plan.campaign_id,
    version: plan.version,
    terms_fingerprint: plan.terms_fingerprint,
    total_cents: totalOf(plan.lines),
    channels: channelsOf(plan),
    refusal,
    evidence: evidenceOnWire(evidenceOf(facts, ctx.networkNow)),
  };
};
