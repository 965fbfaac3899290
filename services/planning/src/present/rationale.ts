import type { PlanRationale } from '@cds/contracts';
import type { PlanReasons, PlanWithCampaign, UnitMap } from '../domain/plan.js';
import { notesOf, type Shared } from '../domain/quote/notes.js';
import { gapOf, noteOf, shownLeftOut, whyOf } from '../domain/quote/rationale.js';

/** No prices of units off sale, unlisted creators or handles. */
export const presentRationale = (
  { plan, campaign }: PlanWithCampaign,
  units: UnitMap,
  of: { now: Date; shared: readonly Shared[] },
): PlanRationale => {
  const { reasons } = plan;
  const onPlan = new Set(plan.lines.map(({ id }) => id));
  const explained = new Set((reasons?.lines ?? []).map(({ line_id }) => line_id));
  const added = plan.lines.filter(({ id }) => !explained.has(id)).map(({ id }) => id);
  const kept = [...explained].filter((id) => onPlan.has(id)).length;
  return {
    plan_id: plan._id,
    campaign_id: plan.campaign_id,
    plan_version: plan.version,
    reasons_version: reasons?.version ?? null,
    built_at: reasons?.built_at.toISOString() ?? null,
    note: noteOf(plan, reasons, kept, added.length),
    value: reasons === undefined ? null : views(reasons.value),
    lines: (reasons?.lines ?? []).map((line) => presentLine(line, onPlan.has(line.line_id), reasons?.value ?? 0)),
    added_since: added,
    left_out: reasons === undefined ? [] : shownLeftOut(reasons, plan, units).map((one) => presentLeftOut(one, units)),
    gap: reasons === undefined || plan.gap === null ? null : gapOf(plan.gap),
    notes: notesOf({ plan, campaign, ...of }),
  };
};

const presentLine = (
  line: PlanReasons['lines'][number],
  onPlan: boolean,
  value: number,
): PlanRationale['lines'][number] => ({
  line_id: line.line_id,
  on_plan: onPlan,
  creator_id: line.creator_id,
  format: line.format,
  marginal_value: views(line.marginal_value),
  share: value === 0 ? 0 : Math.round((line.marginal_value / value) * 10_000) / 10_000,
  expected_views: line.expected_views,
  expected_views_low: line.views_low,
  expected_views_high: line.views_high,
});

const presentLeftOut = (
  { creator_id, unit_id, format, value, reason, limit }: PlanReasons['left_out'][number],
  units: UnitMap,
): PlanRationale['left_out'][number] => {
  const unit = units.get(unit_id);
  return {
    creator_id,
    unit_id,
    name: unit?.name ?? null,
    reach_band: unit?.reach_band ?? '',
    format,
    value: views(value),
    reason,
    limit,
    why: whyOf({ reason, limit }),
    price_cents: unit?.buyable === true ? unit.price_cents : null,
  };
};

const views = (value: number): number => Math.round(value * 10) / 10;
