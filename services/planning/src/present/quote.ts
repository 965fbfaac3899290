import { composeQuote, type Quote, type QuoteFacts } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import { approvalRefusal, policyOf } from '../domain/approval/approval.js';
import { dayOf } from '../domain/days.js';
import type { PlanWithCampaign, UnitMap } from '../domain/plan.js';
import type { LineProgress } from '../domain/quote/stage.js';
import { orderOf } from './campaign.js';
import { quotePart } from './quote-part.js';
import { Revealed } from './revealed.js';

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
