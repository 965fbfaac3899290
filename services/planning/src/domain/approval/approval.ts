import type { Policy, PrincipalMandate, Refusal } from '@cds/contracts';
import { currentPrice, overBudget } from '../edits/repricing.js';
import { type PlanWithCampaign, totalOf, type UnitMap } from '../plan.js';
import { isOnSale } from '../quote/on-sale.js';
import { mandateRefusal, mandateRefused, monthlyCapRefusal, planTotalRefusal } from './mandate.js';

/** Everything that approval is decided on. */
export type ApprovalFacts = PlanWithCampaign & {
  units: UnitMap;
  mandate: PrincipalMandate | null;
  spentCents: number;
  currentTerms: { version: string } | null;
  termsUrl: string | null;
  now: Date;
  today: string;
  /** The fingerprint that approve was sent; absent for a quote, which binds to none. */
  fingerprint?: string;
};

/**
 * The first failing test of approval, in its order (docs/domain/orders.md#approve-checks, tests 2 to 8): plan_signed,
 * archived, the mandate's permissions, terms_changed when a fingerprint was sent, over_budget, lines_blocked, the
 * mandate's amounts. One function for the quote's policy, for approve and for the signing, so that the three always
 * agree.
 */
export const approvalRefusal = (facts: ApprovalFacts): Refusal | null =>
  signedRefusal(facts) ??
  archivedRefusal(facts) ??
  permissionRefusal(facts) ??
  termsRefusal(facts) ??
  budgetRefusal(facts) ??
  blockedRefusal(facts) ??
  amountRefusal(facts);

/** The policy of a quote: the first refusal, as approve would answer it (docs/domain/orders.md#policy-in-the-quote). */
export const policyOf = (refusal: Refusal | null): Policy =>
  refusal === null
    ? { allowed: true, refusal: null }
    : {
        allowed: false,
        // In a quote over_budget is one of the mandate's reasons, and these escalate
        // (docs/domain/orders.md#refusal-details).
        refusal: {
          code: refusal.code,
          reason: refusal.reason,
          ...refusal.details,
          ...(refusal.reason === 'over_budget' ? { escalate: true } : {}),
        } as NonNullable<Policy['refusal']>,
      };

/** 409 plan_signed: a signed plan never changes (docs/domain/orders.md#approve-checks, test 2). */
export const signedRefusal = ({ plan }: Pick<PlanWithCampaign, 'plan'>): Refusal | null =>
  plan.status === 'awaiting_approval'
    ? null
    : {
        code: 'conflict',
        reason: 'plan_signed',
        message: 'This plan is signed and can no longer change. Read its campaign for the current state.',
        details: plan.approved_at === null ? {} : { approved_at: plan.approved_at.toISOString() },
      };

/** 409 archived: an archived campaign cannot be edited or signed (test 3). */
export const archivedRefusal = ({ campaign }: Pick<PlanWithCampaign, 'campaign'>): Refusal | null =>
  campaign.archived_at === null
    ? null
    : {
        code: 'conflict',
        reason: 'archived',
        message: 'This campaign is archived. Ask a person of the brand to unarchive it.',
        details: {},
      };

/** 409 terms_changed with the plan's current fingerprint and version (test 5). */
export const termsChanged = (plan: { terms_fingerprint: string; version: number }): Refusal => ({
  code: 'conflict',
  reason: 'terms_changed',
  message: 'The terms changed since the quote. Read the quote again and send its terms_fingerprint.',
  details: { terms_fingerprint: plan.terms_fingerprint, version: plan.version },
});

const permissionRefusal = ({ plan, mandate, now, currentTerms, termsUrl }: ApprovalFacts): Refusal | null => {
  const channels = plan.lines.map((line) => line.channel);
  const refusal = mandateRefusal(mandate, now, channels);
  if (refusal !== null || mandate === null) return refusal;
  if (!mandate.may_approve)
    return mandateRefused(
      'approval_not_allowed',
      'This key may not sign. Ask a person of the brand to sign, or to let this key approve.',
    );
  if (currentTerms !== null && mandate.terms_version !== currentTerms.version)
    return mandateRefused(
      'terms_not_accepted',
      'The current brand terms are not accepted for this key. Ask a person of the brand to accept them in Developers.',
      {
        current_version: currentTerms.version,
        accepted_version: mandate.terms_version,
        ...(termsUrl === null ? {} : { url: termsUrl }),
      },
    );
  return null;
};

const termsRefusal = ({ plan, fingerprint }: ApprovalFacts): Refusal | null =>
  fingerprint === undefined || fingerprint === plan.terms_fingerprint ? null : termsChanged(plan);

const budgetRefusal = ({ plan, campaign, units }: ApprovalFacts): Refusal | null => {
  const over = overBudget(plan, units, campaign.budget_cents);
  if (over === null) return null;
  return {
    code: 'conflict',
    reason: 'over_budget',
    message: "At current prices the plan is over the campaign's budget. Remove a creator, or ask a person to raise it.",
    details: {
      ...over,
      lines: plan.lines.map((line) => ({
        line_id: line.id,
        price_cents: line.price_cents,
        current_price_cents: currentPrice(line, units),
      })),
    },
  };
};

const blockedRefusal = ({ plan, units, today }: ApprovalFacts): Refusal | null => {
  const blocked = plan.lines.filter((line) => !isOnSale(line, units, { signed: false, today }));
  if (blocked.length === 0) return null;
  return {
    code: 'conflict',
    reason: 'lines_blocked',
    message: 'Some lines are not on sale, or their date has passed. Remove or swap them, or move the dates.',
    details: { line_ids: blocked.map((line) => line.id) },
  };
};

const amountRefusal = ({ plan, mandate, spentCents }: ApprovalFacts): Refusal | null => {
  if (mandate === null) return null;
  const total = totalOf(plan.lines);
  return planTotalRefusal(mandate, total) ?? monthlyCapRefusal(mandate, spentCents, total);
};
