import type { ApprovalEvidence, ReceiptFigures, ReceiptRule, ReceiptRuleResult } from '@cds/contracts';
import type { MandateLimits } from '@cds/rules';
import type { Hold } from './authority.js';

// How each check of approve went (docs/domain/orders.md#receipts). Approve answers the first check that fails, so a
// refusal passed those before it.

export const passedRules = (hold: Hold, evidence: ApprovalEvidence | undefined): ReceiptRuleResult[] => [
  passed('plan_signed'),
  passed('archived'),
  passed('no_mandate', { mandate_version: hold.mandate_version }),
  ...permissions(hold),
  passed('terms_changed', { terms_fingerprint: hold.terms_fingerprint, version: hold.plan_version }),
  ...prices(evidence),
  ...amounts(hold),
  passed('payments_closed'),
  passed('rail_not_offered', {
    rail: hold.rail,
    offered: hold.facts.payment_options.map((option) => option.rail),
  }),
];

export const refusedRules = (
  hold: Hold,
  evidence: ApprovalEvidence | undefined,
  details: Record<string, unknown>,
): ReceiptRuleResult[] => {
  const every = passedRules(hold, evidence);
  const failed = figuresOf(details);
  const named = every.filter(({ rule }) => rule === details['reason']);
  // A child key has two caps; the refusal names the limit of one.
  const met = named.find(({ figures }) => isOfLimit(figures, failed)) ?? named[0];
  if (met === undefined) throw new Error(`${String(details['reason'])} is not a check of approve`);
  return [...every.slice(0, every.indexOf(met)), { rule: met.rule, passed: false, figures: failed }];
};

const passed = (rule: ReceiptRule, figures: ReceiptFigures = {}): ReceiptRuleResult => ({
  rule,
  passed: true,
  figures,
});

/** Without a mandate nothing after no_mandate was checked. */
const permissions = ({ principal: { mandate }, check, facts }: Hold): ReceiptRuleResult[] => [
  passed('mandate_expired', {
    ...(check !== undefined && { now: check.asked.now }),
    ...of(mandate, ({ expires_at }) => ({ expires_at })),
  }),
  passed('channel_not_allowed', {
    ...(check !== undefined && { channels: [...check.asked.channels] }),
    ...of(mandate, ({ channels }) => ({ allowed: channels })),
  }),
  passed(
    'approval_not_allowed',
    of(mandate, ({ may_approve }) => ({ may_approve })),
  ),
  passed('terms_not_accepted', {
    current_version: facts.current_terms?.version ?? null,
    ...of(mandate, ({ terms_version }) => ({ accepted_version: terms_version })),
  }),
];

const prices = (evidence: ApprovalEvidence | undefined): ReceiptRuleResult[] => {
  if (evidence === undefined) return [passed('over_budget'), passed('lines_blocked')];
  const { lines, budget_cents } = evidence;
  const total_cents = lines.reduce((sum, line) => sum + line.current_price_cents, 0);
  return [passed('over_budget', { budget_cents, total_cents }), passed('lines_blocked', { lines: lines.length })];
};

const amounts = ({ principal, check, facts, total_cents }: Hold): ReceiptRuleResult[] => {
  const { mandate, parent } = principal;
  const requested_cents = check?.asked.total_cents ?? total_cents;
  const spent_cents = facts.spent_cents;
  return [
    passed('over_max_plan_total', {
      ...of(mandate, ({ max_plan_cents }) => ({ limit_cents: max_plan_cents })),
      requested_cents,
    }),
    passed('over_monthly_cap', {
      key_id: principal.key,
      ...of(mandate, ({ monthly_cap_cents }) => ({ limit_cents: monthly_cap_cents })),
      spent_cents,
      requested_cents,
    }),
    ...(parent === undefined
      ? []
      : [
          passed('over_monthly_cap', {
            key_id: parent.key,
            limit_cents: parent.monthly_cap_cents,
            spent_cents: facts.parent_spent_cents ?? null,
            requested_cents,
          }),
        ]),
  ];
};

const of = (mandate: MandateLimits | null, figures: (mandate: MandateLimits) => ReceiptFigures): ReceiptFigures =>
  mandate === null ? {} : figures(mandate);

const isOfLimit = (figures: ReceiptFigures, failed: ReceiptFigures): boolean =>
  figures['limit_cents'] === failed['limit_cents'] && figures['spent_cents'] === failed['spent_cents'];

/** The details of a refusal that a receipt can hold; a mandate refuses with no others. */
const figuresOf = ({ reason: _reason, ...details }: Record<string, unknown>): ReceiptFigures =>
  Object.fromEntries(
    Object.entries(details).filter((entry): entry is [string, ReceiptFigures[string]] => isFigure(entry[1])),
  );

const isFigure = (value: unknown): boolean =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  Number.isSafeInteger(value) ||
  (Array.isArray(value) && value.every((one) => typeof one === 'string'));
