import type { OverBudget } from '@cds/contracts';
import { withFingerprint } from '../approval/fingerprint.js';
import type { Campaign, Line, Plan, UnitMap } from '../plan.js';
import { reasonOf } from '../quote/line-texts.js';

/** In US cents; a line without a known unit keeps its own. */
export const currentPrice = (line: Pick<Line, 'unit_id' | 'price_cents'>, units: UnitMap): number =>
  line.unit_id === null ? line.price_cents : (units.get(line.unit_id)?.price_cents ?? line.price_cents);

export const currentTotal = (lines: readonly Line[], units: UnitMap): number =>
  lines.reduce((sum, line) => sum + currentPrice(line, units), 0);

/** Null within the budget, without one, or once signed (docs/domain/plans.md#repricing). */
export const overBudget = (plan: Plan, units: UnitMap, budgetCents: number | null): OverBudget | null => {
  if (budgetCents === null || plan.status !== 'awaiting_approval') return null;
  const total = currentTotal(plan.lines, units);
  if (total <= budgetCents) return null;
  return { budget_cents: budgetCents, total_cents: total, over_by_cents: total - budgetCents };
};

/** The quote reports `over_budget` where they stay unchanged (docs/domain/plans.md#repricing). */
export const repricedLines = (lines: readonly Line[], units: UnitMap, budgetCents: number | null): Line[] =>
  budgetCents !== null && currentTotal(lines, units) > budgetCents
    ? [...lines]
    : lines.map((line) => ({ ...line, price_cents: currentPrice(line, units) }));

export const pricesMoved = (plan: Plan, units: UnitMap, budgetCents: number | null): boolean =>
  plan.status === 'awaiting_approval' && totalChanges(plan.lines, repricedLines(plan.lines, units, budgetCents));

const totalChanges = (before: readonly Line[], after: readonly Line[]): boolean =>
  before.some((line, index) => line.price_cents !== after[index]?.price_cents);

/** Each new version takes catalog's current views and texts; signing freezes them (docs/domain/plans.md#repricing). */
export const refreshedLines = (lines: readonly Line[], units: UnitMap): Line[] =>
  lines.map((line) => {
    const unit = line.unit_id === null ? undefined : units.get(line.unit_id);
    if (unit === undefined) return line;
    return {
      ...line,
      expected_views: unit.expected_views,
      views_low: unit.views_low,
      views_high: unit.views_high,
      engagement_rate: unit.engagement_rate,
      vetting: unit.vetting,
      match_score: unit.match_score,
      reason: line.written_by === 'team' ? line.reason : reasonOf(unit, line.written_by === 'key'),
    };
  });

export const nextVersion = (plan: Plan, lines: readonly Line[], units: UnitMap): Plan =>
  withFingerprint({ ...plan, version: plan.version + 1, lines: refreshedLines(lines, units) });

export const repricedVersion = (
  plan: Plan,
  lines: readonly Line[],
  units: UnitMap,
  campaign: Pick<Campaign, 'budget_cents'>,
): Plan => nextVersion(plan, repricedLines(lines, units, campaign.budget_cents), units);
