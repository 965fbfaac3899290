import type { Policy, PrincipalMandate, Refusal } from '@cds/contracts';
import { asksOf, type MandateAsked, mandateVerdict, type ParentMonth } from '@cds/rules';
import { currentPrice, overBudget } from '../edits/repricing.js';
import { type Line, type Plan, type PlanWithCampaign, totalOf, type UnitMap } from '../plan.js';
import { isOnSale } from '../quote/on-sale.js';

export type ApprovalFacts = PlanWithCampaign & {
  units: UnitMap;
  mandate: PrincipalMandate | null;
  spentCents: number;
  parentMonth?: ParentMonth | null;
  currentTerms: { version: string } | null;
  termsUrl: string | null;
  now: Date;
  today: string;
  /** What approve was sent; absent for a quote, which binds to none. */
  fingerprint?: string;
  expectedTotalCents?: number;
};

/** Checks 2 to 8, for the quote's policy, approve and the signing alike (docs/domain/orders.md#approve-checks). */
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
        // In a quote over_budget counts as a reason of the mandate, and these escalate
        // (docs/domain/orders.md#refusal-details).
        refusal: {
          code: refusal.code,
          reason: refusal.reason,
          ...refusal.details,
          ...(refusal.reason === 'over_budget' ? { escalate: true } : {}),
        } as NonNullable<Policy['refusal']>,
      };

export const signedRefusal = ({ plan }: Pick<PlanWithCampaign, 'plan'>): Refusal | null =>
  plan.status === 'awaiting_approval'
    ? null
    : {
        code: 'conflict',
        reason: 'plan_signed',
        message: 'This plan is signed and can no longer change. Read its campaign for the current state.',
        details: plan.approved_at === null ? {} : { approved_at: plan.approved_at.toISOString() },
      };

export const archivedRefusal = ({ campaign }: Pick<PlanWithCampaign, 'campaign'>): Refusal | null =>
  campaign.archived_at === null
    ? null
    : {
        code: 'conflict',
        reason: 'archived',
        message: 'This campaign is archived. Ask a person of the brand to unarchive it.',
        details: {},
      };

/** With the plan's version, never with the valid fingerprint: whoever signs has read the quote (check 5). */
export const termsChanged = (plan: { version: number }): Refusal => ({
  code: 'conflict',
  reason: 'terms_changed',
  message:
    'These are not the terms of the current quote. Read the quote, decide again, and send its terms_fingerprint and total.',
  details: { version: plan.version },
});

export const asksOfApproval = ({
  plan,
  now,
  currentTerms,
  termsUrl,
  spentCents,
  parentMonth,
}: ApprovalFacts): MandateAsked =>
  asksOf(now, {
    channels: channelsOf(plan),
    signing: { current_terms: currentTerms?.version ?? null, terms_url: termsUrl },
    total_cents: totalOf(plan.lines),
    spent_cents: spentCents,
    parent: parentMonth ?? null,
  });

export const channelsOf = ({ lines }: Pick<Plan, 'lines'>): string[] => [...new Set(lines.map((line) => line.channel))];

const permissionRefusal = (facts: ApprovalFacts): Refusal | null =>
  mandateVerdict(facts.mandate, { ...asksOfApproval(facts), total_cents: null });

const termsRefusal = ({ plan, fingerprint, expectedTotalCents }: ApprovalFacts): Refusal | null => {
  const isSame = fingerprint === undefined || fingerprint === plan.terms_fingerprint;
  const isExpected = expectedTotalCents === undefined || expectedTotalCents === totalOf(plan.lines);
  if (isSame && isExpected) return null;
  return isSame ? { ...termsChanged(plan), message: OTHER_TOTAL } : termsChanged(plan);
};

const OTHER_TOTAL =
  "The terms_fingerprint is current, but expected_total_cents is not the plan's total. Read the quote, decide again, and send its total_cents.";

export const budgetRefusal = ({ plan, campaign, units }: ApprovalFacts): Refusal | null => {
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

export const blockedRefusal = (facts: ApprovalFacts): Refusal | null => {
  const { plan, units, today } = facts;
  const blocked = plan.lines.filter((line) => !isOnSale(line, units, { signed: false, today }));
  if (blocked.length === 0) return null;
  return {
    code: 'conflict',
    reason: 'lines_blocked',
    message: blockedAdvice(facts, blocked),
    details: { line_ids: blocked.map((line) => line.id) },
  };
};

/** New dates help only where a date has passed, other creators only where none is on sale. */
const blockedAdvice = ({ units, today }: ApprovalFacts, blocked: readonly Line[]): string => {
  const late = blocked.filter(({ scheduled_date }) => scheduled_date < today).length;
  const unsold = blocked.filter((line) => !isOnSale(line, units, { signed: true, today })).length;
  if (unsold === 0) return 'The date of some lines has passed. Move the dates, or remove these lines.';
  return late === 0
    ? 'Some lines are not on sale now. Remove or swap them.'
    : 'Some lines are not on sale now; remove or swap them. The date of some has passed; move the dates.';
};

const amountRefusal = (facts: ApprovalFacts): Refusal | null => mandateVerdict(facts.mandate, asksOfApproval(facts));
