import type { PlanPreflight, PreflightFailure, SuggestedEdit } from '@cds/contracts';
import type { FailedRule } from '../domain/approval/preflight.js';
import type { Edit } from '../domain/approval/smallest-edits.js';
import { currentPrice } from '../domain/edits/repricing.js';
import { type Plan, totalOf, type UnitMap } from '../domain/plan.js';

export type Suggestions = { each: readonly (Edit[] | null)[]; all: Edit[] | null; units: UnitMap };

export const presentPreflight = (
  plan: Plan,
  failed: readonly FailedRule[],
  { each, all, units }: Suggestions,
): PlanPreflight => ({
  plan_id: plan._id,
  campaign_id: plan.campaign_id,
  plan_version: plan.version,
  terms_fingerprint: plan.terms_fingerprint,
  total_cents: totalOf(plan.lines),
  would_pass: failed.length === 0,
  failures: failed.map((rule, at) => presentFailure(rule, presentEdits(each[at] ?? null, units))),
  edits: presentEdits(all, units),
});

const presentFailure = (
  { code, reason, message, details }: FailedRule,
  edits: SuggestedEdit[] | null,
): PreflightFailure =>
  ({
    code,
    reason,
    message,
    ...details,
    ...(reason === 'over_budget' && { escalate: true }),
    edits,
  }) as PreflightFailure;

const presentEdits = (edits: Edit[] | null, units: UnitMap): SuggestedEdit[] | null =>
  edits === null
    ? null
    : edits.map(({ line, unitId }) => {
        const now = line.unit_id === null ? undefined : units.get(line.unit_id);
        const unit = unitId === null ? undefined : units.get(unitId);
        return {
          edit: unit === undefined ? 'drop' : 'swap',
          line_id: line.id,
          price_cents: currentPrice(line, units),
          expected_views: now?.expected_views ?? line.expected_views,
          instead:
            unit === undefined
              ? null
              : {
                  unit_id: unit.unit_id,
                  creator_id: unit.creator_id,
                  name: unit.name,
                  format: unit.format,
                  price_cents: unit.price_cents,
                  expected_views: unit.expected_views,
                },
        };
      });
