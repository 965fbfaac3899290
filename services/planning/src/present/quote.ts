import type { Quote, QuoteFacts } from '@cds/contracts';
import { acceptUrl, composeQuote, parentMonthOf } from '@cds/rules';
import { dayOf } from '@cds/service/calendar';
import { approvalRefusal, policyOf } from '../domain/approval/approval.js';
import type { PlanWithCampaign, UnitMap } from '../domain/plan.js';
import type { Shared } from '../domain/quote/notes.js';
import type { LineViews } from './campaign.js';
import { orderOf } from './campaign-status.js';
import { quotePart } from './quote-part.js';
import { Revealed } from './revealed.js';

type Asker = { principal: Parameters<typeof composeQuote>[2]; now: Date };

type AfterSigning = { lines: LineViews; revealed: Revealed };

const NOT_SIGNED: AfterSigning = { lines: new Map(), revealed: Revealed.nothing };

/** Until billing knows the order of an approved plan, the order kept on the plan is shown (I58). */
export const quoteFor = (
  { principal, now }: Asker,
  pair: PlanWithCampaign,
  units: UnitMap,
  facts: QuoteFacts,
  afterSigning = NOT_SIGNED,
  shared?: readonly Shared[],
): Quote => {
  const today = dayOf(now);
  const policy = policyOf(
    approvalRefusal({
      ...pair,
      units,
      mandate: principal.mandate,
      spentCents: facts.spent_this_month_cents,
      parentMonth: parentMonthOf(principal, facts.parent_spent_cents),
      currentTerms: facts.current_terms,
      termsUrl: acceptUrl(facts.terms_url, principal.key),
      now,
      today,
    }),
  );
  const order = orderOf(pair.plan.order);
  const withOrder = facts.order === null && order !== null ? { ...facts, order: { ...order, payment: null } } : facts;
  return composeQuote(quotePart({ ...pair, ...afterSigning, units, policy, today, now, shared }), withOrder, principal);
};
