import type { ReceiptFigures, ReceiptRuleResult, WriteRefusal } from '@cds/contracts';
import { type MandateAsked, type MandateLimits, mandateVerdict } from '@cds/rules';
import type { Ctx } from '../bus/context.js';
import type { MandateCheck, MandateChecks } from './mandate-checks.js';

/**
 * A write of the workspace that a mandate refused, for its receipt; null when the service recorded none under this id.
 */
export const refusedWrite = async (ctx: Ctx, id: string, checks: MandateChecks): Promise<WriteRefusal | null> => {
  const check = await checks.refusedById(ctx.principal.workspace, id);
  return check === null ? null : writeRefusalOf(check);
};

/** A refused write as its receipt: the checks up to the one that failed. Source: docs/domain/orders.md#receipts. */
const writeRefusalOf = (check: MandateCheck): WriteRefusal => ({
  id: check._id,
  operation: check.operation,
  request_id: check.request_id,
  key_id: check.key,
  parent_key_id: check.parent_key ?? null,
  mandate_version: check.mandate_version,
  total_cents: check.asked.total_cents,
  rules: rulesOf(check),
  at: check.asked.now,
});

const rulesOf = ({ mandate, mandate_version, asked }: MandateCheck): ReceiptRuleResult[] => {
  const refusal = mandateVerdict(mandate, asked);
  if (refusal === null) throw new Error('a recorded refusal is one that its mandate does not make');
  const tested = testsOf(mandate, mandate_version, asked);
  const failed = tested.findIndex(({ rule }) => rule === refusal.reason);
  if (failed < 0) throw new Error(`${refusal.reason} is not a check of an edit`);
  return [
    ...tested.slice(0, failed),
    { rule: refusal.reason, passed: false, figures: refusal.details as ReceiptFigures },
  ];
};

const testsOf = (mandate: MandateLimits | null, version: number, asked: MandateAsked): ReceiptRuleResult[] => {
  const passed = (rule: ReceiptRuleResult['rule'], figures: ReceiptFigures): ReceiptRuleResult => ({
    rule,
    passed: true,
    figures,
  });
  const exists = passed('no_mandate', { mandate_version: version });
  if (mandate === null) return [exists];
  const { now, channels, total_cents } = asked;
  return [
    exists,
    passed('mandate_expired', { now, expires_at: mandate.expires_at }),
    ...(channels.length === 0
      ? []
      : [passed('channel_not_allowed', { channels: [...channels], allowed: [...mandate.channels] })]),
    ...(total_cents === null
      ? []
      : [passed('over_max_plan_total', { limit_cents: mandate.max_plan_cents, requested_cents: total_cents })]),
  ];
};
