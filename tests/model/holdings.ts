import type { Order } from './orders.js';
import {
  addDays,
  type Campaign,
  fingerprintOf,
  type Key,
  type Line,
  latest,
  type Plan,
  type Refused,
  totalOf,
  type Unit,
} from './plans.js';
import { conflict, MAX_PLAN_CENTS, MONTHLY_CAP_CENTS, mandate, overMaxPlan, termsChanged } from './refusals.js';

const LEAD_DAYS = 2;

/**
 * What one sandbox workspace should hold, and how it must read: its campaigns and plans, units at their current prices,
 * the policy of an approval, the days that are free. `Reference` adds the writes.
 */
export class Holdings {
  readonly campaigns: Campaign[] = [];
  limits = { maxPlanCents: MAX_PLAN_CENTS, capCents: MONTHLY_CAP_CENTS };
  protected readonly overrides = new Map<string, { priceCents: number | null; offSale: boolean }>();
  protected readonly spent = new Map<string, number>();

  constructor(
    readonly units: Map<string, Unit>,
    public today: string,
  ) {}

  get plans(): Plan[] {
    return this.campaigns.flatMap((campaign) => (campaign.plan === null ? [] : [campaign.plan]));
  }

  get orders(): Order[] {
    return this.plans.flatMap(({ order }) => order ?? []);
  }

  /**
   * The plan that `current` means: the newest that awaits approval outside the archive
   * (docs/domain/plans.md#plan-current).
   */
  current(): Plan | undefined {
    return this.plans.findLast((plan) => !plan.signed && !plan.campaign.archived);
  }

  unit(id: string): Unit | undefined {
    const unit = this.units.get(id);
    const override = this.overrides.get(id);
    if (unit === undefined || override === undefined) return unit;
    return {
      ...unit,
      priceCents: override.priceCents ?? unit.priceCents,
      buyable: unit.buyable && !override.offSale,
    };
  }

  stage(campaign: Campaign): string {
    if (campaign.plan === null) return 'draft';
    const state = campaign.plan.order?.state;
    if (state === 'cancelled' || state === 'refunded') return 'cancelled';
    if (state === 'paid' || state === 'partially_refunded') return 'paid';
    return campaign.plan.signed ? 'approved' : 'plan_ready';
  }

  /** A plan waits for its approval, then for its payment. */
  waits(campaign: Campaign): boolean {
    if (campaign.archived || campaign.plan === null) return false;
    return !campaign.plan.signed || campaign.plan.order?.state === 'unpaid';
  }

  spentBy(key: Key): number {
    return this.spent.get(this.month(key)) ?? 0;
  }

  /** C of 5.3: the plan's total at current prices. */
  currentTotal(lines: readonly Line[]): number {
    return lines.reduce((sum, line) => sum + this.priceNow(line), 0);
  }

  overBudget({ signed, lines, campaign }: Plan): Record<string, number> | null {
    const [budget, total] = [campaign.budgetCents, this.currentTotal(lines)];
    if (signed || budget === null || total <= budget) return null;
    return { budget_cents: budget, total_cents: total, over_by_cents: total - budget };
  }

  isOnSale(plan: Plan, line: Line): boolean {
    return this.unit(line.unit)?.buyable === true && (plan.signed || line.date >= this.today);
  }

  blocked(plan: Plan): string[] {
    return plan.signed ? [] : plan.lines.filter((line) => !this.isOnSale(plan, line)).map((line) => line.id);
  }

  /** Tests 2 to 4 and 6 to 8 of docs/domain/orders.md#approve-checks; `fingerprint` adds test 5. */
  approval(key: Key | 'person', plan: Plan, fingerprint?: string): Refused | null {
    if (plan.signed) return conflict('plan_signed');
    if (plan.campaign.archived) return conflict('archived');
    if (key === 'bare' || key === 'person') return mandate('no_mandate');
    if (key === 'muted') return mandate('approval_not_allowed');
    if (fingerprint !== undefined && fingerprint !== fingerprintOf(plan)) return termsChanged(plan);
    const over = this.overBudget(plan);
    if (over !== null) return conflict('over_budget', over);
    const blocked = this.blocked(plan);
    if (blocked.length > 0) return conflict('lines_blocked', { line_ids: blocked });
    const total = totalOf(plan.lines);
    const { maxPlanCents, capCents } = this.limits;
    if (total > maxPlanCents) return overMaxPlan(total, maxPlanCents);
    const spent = this.spentBy(key);
    if (spent + total > capCents)
      return mandate('over_monthly_cap', {
        limit_cents: capCents,
        spent_cents: spent,
        requested_cents: total,
        over_by_cents: spent + total - capCents,
      });
    return null;
  }

  /**
   * First day (docs/domain/plans.md#dates): two days ahead, or today when that is past the end; not before M, program
   * and no goal apart.
   */
  firstDay({ start, end, moment, campaign }: Pick<Plan, 'start' | 'end' | 'moment' | 'campaign'>): string {
    const ahead = latest(start, addDays(this.today, LEAD_DAYS));
    const base = ahead > end ? latest(start, this.today) : ahead;
    return campaign.goal === null || campaign.goal === 'program' ? base : latest(base, addDays(start, moment));
  }

  protected emptiestDay(plan: Plan): string | null {
    const days = [];
    for (let day = this.firstDay(plan); day <= plan.end; day = addDays(day, 1)) days.push(day);
    const lines = (day: string): number => plan.lines.filter((line) => line.date === day).length;
    const least = Math.min(...days.map(lines));
    return days.find((day) => lines(day) === least) ?? null;
  }

  protected month(key: Key): string {
    return `${key} ${this.today.slice(0, 7)}`;
  }

  protected priceNow(line: Line): number {
    return this.unit(line.unit)?.priceCents ?? line.priceCents;
  }
}
