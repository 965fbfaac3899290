import type { Refusal } from '@cds/contracts';
import { type MandateAsked, mandateRefusals } from '@cds/rules';
import { pricesMoved, repricedVersion } from '../edits/repricing.js';
import { totalOf } from '../plan.js';
import {
  type ApprovalFacts,
  archivedRefusal,
  asksOfApproval,
  blockedRefusal,
  budgetRefusal,
  signedRefusal,
  termsChanged,
} from './approval.js';

export type Openness = {
  maySign: boolean;
  writesOpen: boolean;
  paymentsOpen: boolean;
  railsBeginAtCents: number;
  railsEndAtCents: number;
};

type ClosedRefusal = Omit<Refusal, 'code'> & { code: 'forbidden' | 'unavailable' };

export type FailedRule = Refusal | ClosedRefusal;

/** In the order of approve; a signed plan is checked no further. Source: docs/domain/orders.md#preflight. */
export const failedRules = (facts: ApprovalFacts, open: Openness): FailedRule[] => {
  const closed = [...(open.maySign ? [] : [MISSING_SCOPE]), ...(open.writesOpen ? [] : [WRITES_CLOSED])];
  const signed = signedRefusal(facts);
  if (signed !== null) return [...closed, signed];
  const asked: MandateAsked = asksOfApproval(facts);
  const permissions = mandateRefusals(facts.mandate, { ...asked, total_cents: null });
  const all = mandateRefusals(facts.mandate, asked);
  return [
    ...closed,
    ...some(archivedRefusal(facts)),
    ...permissions,
    ...some(budgetRefusal(facts)),
    ...some(blockedRefusal(facts)),
    ...all.slice(permissions.length),
    ...some(paymentsRefusal(facts, open)),
    ...movedRefusals(facts, all),
  ];
};

const some = <T>(one: T | null): T[] => (one === null ? [] : [one]);

/** Approve answers terms_changed first and checks the next version's amounts after it, so those come last. */
const movedRefusals = (facts: ApprovalFacts, now: readonly Refusal[]): Refusal[] => {
  const { plan, campaign, units, mandate } = facts;
  if (!pricesMoved(plan, units, campaign.budget_cents)) return [];
  const repriced = repricedVersion(plan, plan.lines, units, campaign);
  const moved = {
    ...termsChanged(plan),
    message: `Prices moved within the budget, so approve would first take the plan from ${totalOf(plan.lines)} to ${totalOf(repriced.lines)} cents. Then read the quote and approve with its terms_fingerprint.`,
    details: {},
  };
  const later = mandateRefusals(mandate, asksOfApproval({ ...facts, plan: repriced }));
  return [moved, ...later.filter((rule) => !now.some((one) => isSameRule(one, rule)))];
};

/** A key's cap and its parent's have one reason and differ in the figures. */
export const isSameRule = (one: FailedRule, other: FailedRule): boolean =>
  one.reason === other.reason &&
  one.details['limit_cents'] === other.details['limit_cents'] &&
  one.details['spent_cents'] === other.details['spent_cents'];

const paymentsRefusal = ({ plan }: ApprovalFacts, open: Openness): ClosedRefusal | null => {
  if (!open.paymentsOpen) return PAYMENTS_CLOSED;
  const total = totalOf(plan.lines);
  if (total < open.railsBeginAtCents) return { ...TOO_LITTLE_TO_PAY, details: { limit_cents: open.railsBeginAtCents } };
  return total > open.railsEndAtCents ? { ...TOO_MUCH_TO_PAY, details: { limit_cents: open.railsEndAtCents } } : null;
};

const MISSING_SCOPE: ClosedRefusal = {
  code: 'forbidden',
  reason: 'missing_scope',
  message: 'This key lacks the scope plans:approve. Use a key that has it, or ask a person of the brand to add it.',
  details: {},
};

const WRITES_CLOSED: ClosedRefusal = {
  code: 'unavailable',
  reason: 'writes_closed',
  message: 'Writes are closed at the moment. Retry later.',
  details: {},
};

const PAYMENTS_CLOSED: ClosedRefusal = {
  code: 'unavailable',
  reason: 'payments_closed',
  message: 'Payments are not open at the moment. Retry later.',
  details: {},
};

const TOO_MUCH_TO_PAY: ClosedRefusal = {
  ...PAYMENTS_CLOSED,
  message:
    'No rail that is offered takes this total. Ask the team to open payment by invoice, or make the plan smaller.',
};

const TOO_LITTLE_TO_PAY: ClosedRefusal = {
  ...PAYMENTS_CLOSED,
  message: 'No rail that is offered takes so little. Ask the team to open payment by invoice, or make the plan larger.',
};
