import { composeQuote, type Quote, type QuoteFacts } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { approvalRefusal, policyOf } from '../domain/approval.js';
import type { PlanWithCampaign, UnitMap } from '../domain/plan.js';
import type { LineProgress } from '../domain/stage.js';
import { orderOf } from '../present/campaign.js';
import { quotePart } from '../present/quote-part.js';
import { Revealed } from '../present/revealed.js';

const NOTHING_TOLD: ReadonlyMap<string, LineProgress> = new Map();

/**
 * The Quote of the asking key from a plan, current facts and billing's part. An approved plan shows its order also in the
 * moment before billing knows it, from the facts kept at signing (I58).
 */
export const quoteFor = (
  ctx: Ctx,
  pair: PlanWithCampaign,
  units: UnitMap,
  facts: QuoteFacts,
  told: { progress: ReadonlyMap<string, LineProgress>; revealed: Revealed } = {
    progress: NOTHING_TOLD,
    revealed: Revealed.nothing,
  },
): Quote => {
  const today = dayOf(ctx.now);
  const policy = policyOf(
    approvalRefusal({
      ...pair,
      units,
      mandate: ctx.principal.mandate,
      spentCents: facts.spent_this_month_cents,
      currentTerms: facts.current_terms,
      termsUrl: facts.terms_url,
      now: ctx.now,
      today,
    }),
  );
  const order = orderOf(pair.plan.order);
  const known = facts.order === null && order !== null ? { ...facts, order: { ...order, payment: null } } : facts;
  return composeQuote(quotePart({ ...pair, ...told, units, policy, today }), known, ctx.principal);
};
