import { createHash } from 'node:crypto';

/**
 * Campaigns and plans as docs/domain/plans.md, docs/domain/orders.md#approve-checks describe them, written from those
 * pages alone and independent of the services. It holds what one sandbox workspace should hold, predicts how each write
 * must end, and adopts ids that only the system can assign. Money is integer US cents, days are YYYY-MM-DD.
 */
export type Key = 'full' | 'muted' | 'bare';
export type Goal = 'launch' | 'funding' | 'feature' | 'program';

export type Unit = { id: string; creator: string; format: string; priceCents: number; buyable: boolean };
export type Line = { id: string; unit: string; creator: string; format: string; priceCents: number; date: string };
/** A line before the system has assigned its id. */
export type NewLine = Omit<Line, 'id'>;
export type Plan = {
  id: string;
  campaign: Campaign;
  version: number;
  signed: boolean;
  start: string;
  end: string;
  /** M in days from the window's start (docs/domain/plans.md#dates). */
  moment: number;
  lines: Line[];
};
export type Campaign = {
  id: string;
  goal: Goal | null;
  name: string;
  displayName: string;
  budgetCents: number | null;
  archived: boolean;
  deleted: boolean;
  plan: Plan | null;
};

/** How a write must be refused; `numbers` are the details that carry figures. */
export type Refused = { status: number; code: string; reason?: string; numbers?: Record<string, unknown> };

/** The seeded keys' mandates: `full` signs, `muted` only writes, `bare` has none. */
const MAX_PLAN_CENTS = 2_500_000;
const MONTHLY_CAP_CENTS = 6_000_000;
const STARTS_A_DAY = 3;
const LEAD_DAYS = 2;
const UNPAID_DAYS = 14;

const NOT_FOUND: Refused = { status: 404, code: 'not_found' };
const conflict = (reason: string, numbers: Record<string, unknown> = {}): Refused => ({
  status: 409,
  code: 'conflict',
  reason,
  numbers,
});
const mandate = (reason: string, numbers: Record<string, unknown> = {}): Refused => ({
  status: 403,
  code: 'mandate_refused',
  reason,
  numbers: { ...numbers, escalate: true },
});

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;
const latest = (...days: string[]): string => days.reduce((one, other) => (one > other ? one : other));

/** The same day and month a year later; 29 February reads 28. */
export const yearAfter = (day: string): string => {
  const [year, rest] = [Number(day.slice(0, 4)) + 1, day.slice(4)];
  return `${year}${rest === '-02-29' ? '-02-28' : rest}`;
};

export const totalOf = (lines: readonly Pick<Line, 'priceCents'>[]): number =>
  lines.reduce((sum, line) => sum + line.priceCents, 0);

const lineOn = (unit: Unit, date: string): NewLine => ({
  unit: unit.id,
  creator: unit.creator,
  format: unit.format,
  priceCents: unit.priceCents,
  date,
});

/**
 * The terms fingerprint (docs/domain/plans.md#terms-fingerprint): the keys below are in the order of RFC 8785, so that
 * plain JSON is canonical.
 */
export const fingerprintOf = ({ start, end, lines }: Pick<Plan, 'start' | 'end' | 'lines'>): string => {
  const terms = {
    currency: 'USD',
    launch_window_end: end,
    launch_window_start: start,
    lines: lines
      .map((line) => ({
        channel: 'x_creators',
        format: line.format,
        id: line.id,
        price_cents: line.priceCents,
        scheduled_date: line.date,
        unit_id: line.unit,
      }))
      .sort((one, other) => (one.id < other.id ? -1 : 1)),
    v: 1,
  };
  return createHash('sha256').update(JSON.stringify(terms)).digest('base64url');
};

export class Reference {
  readonly campaigns: Campaign[] = [];
  private readonly overrides = new Map<string, { priceCents: number | null; offSale: boolean }>();
  private readonly spent = new Map<string, number>();
  private starts = 0;

  private readonly begun: string;

  constructor(
    readonly units: Map<string, Unit>,
    public today: string,
  ) {
    this.begun = today;
  }

  /**
   * Whether the clock may advance so far: an unpaid order would be cancelled after 14 days, which is not modelled here.
   */
  mayAdvance(days: number): boolean {
    return daysBetween(this.begun, this.today) + days < UNPAID_DAYS;
  }

  get plans(): Plan[] {
    return this.campaigns.flatMap((campaign) => (campaign.plan === null ? [] : [campaign.plan]));
  }

  campaign(id: string): Campaign | undefined {
    return this.campaigns.find((one) => one.id === id && !one.deleted);
  }

  plan(id: string): Plan | undefined {
    return this.plans.find((one) => one.id === id);
  }

  /**
   * The plan that `current` means: the newest that awaits approval outside the archive
   * (docs/domain/plans.md#plan-current).
   */
  current(): Plan | undefined {
    return this.plans.findLast((plan) => !plan.signed && !plan.campaign.archived);
  }

  /** A unit as this sandbox sees it now. */
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

  spentBy(key: Key): number {
    return this.spent.get(this.month(key)) ?? 0;
  }

  // Policy and quote (docs/domain/plans.md#quote)

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
    if (fingerprint !== undefined && fingerprint !== fingerprintOf(plan)) return this.termsChanged(plan);
    const over = this.overBudget(plan);
    if (over !== null) return conflict('over_budget', over);
    const blocked = this.blocked(plan);
    if (blocked.length > 0) return conflict('lines_blocked', { line_ids: blocked });
    const total = totalOf(plan.lines);
    if (total > MAX_PLAN_CENTS) return this.overMaxPlan(total);
    const spent = this.spentBy(key);
    if (spent + total > MONTHLY_CAP_CENTS)
      return mandate('over_monthly_cap', {
        limit_cents: MONTHLY_CAP_CENTS,
        spent_cents: spent,
        requested_cents: total,
        over_by_cents: spent + total - MONTHLY_CAP_CENTS,
      });
    return null;
  }

  // Writes: each returns its refusal, or null; `apply...` carries out a success.

  /** Approves: null, or a refusal. A price that moved within the budget makes a new version and is terms_changed. */
  approve(key: Key, plan: Plan | undefined, fingerprint: string): { refused: Refused | null; repriced: boolean } {
    if (plan === undefined) return { refused: NOT_FOUND, repriced: false };
    const refused = this.approval(key, plan, fingerprint);
    if (refused !== null) return { refused, repriced: false };
    if (this.reprice(plan)) return { refused: this.termsChanged(plan), repriced: true };
    plan.signed = true;
    this.spent.set(this.month(key), this.spentBy(key) + totalOf(plan.lines));
    return { refused: null, repriced: false };
  }

  create(key: Key): Refused | null {
    if (key === 'bare') return mandate('no_mandate');
    return this.noStartLeft();
  }

  /** Adopts a campaign that was started, with the plan built for it. */
  started(campaign: Omit<Campaign, 'archived' | 'deleted' | 'plan'>): Campaign {
    const made = { ...campaign, archived: false, deleted: false, plan: null };
    this.starts += 1;
    this.campaigns.push(made);
    return made;
  }

  add(key: Key, plan: Plan, unitId: string, date: string | undefined): { refused: Refused } | { line: NewLine } {
    const gate = this.gate(key, plan);
    if (gate !== null) return { refused: gate };
    const unit = this.unit(unitId);
    const unfit = this.unfit(plan, unit);
    if (unfit !== null || unit === undefined) return { refused: unfit ?? NOT_FOUND };
    const day = date ?? this.emptiestDay(plan);
    if (day === null || day < this.today || day < plan.start || day > plan.end)
      return { refused: conflict('bad_dates') };
    const amount = this.amount(plan, totalOf(plan.lines), unit.priceCents);
    if (amount !== null) return { refused: amount };
    return { line: lineOn(unit, day) };
  }

  /**
   * A first add to `current` starts a campaign of its own window (docs/domain/plans.md#plan-current); refused like an
   * add, then by the starts.
   */
  startWith(key: Key, unitId: string, date: string | undefined): { refused: Refused } | { line: NewLine; plan: Plan } {
    const campaign: Campaign = {
      id: '',
      goal: null,
      name: '',
      displayName: '',
      budgetCents: null,
      archived: false,
      deleted: false,
      plan: null,
    };
    const plan: Plan = {
      id: '',
      campaign,
      version: 0,
      signed: false,
      start: addDays(this.today, 3),
      end: addDays(this.today, 30),
      moment: 0,
      lines: [],
    };
    const added = this.add(key, plan, unitId, date);
    if ('refused' in added) return added;
    const none = this.noStartLeft();
    return none === null ? { ...added, plan } : { refused: none };
  }

  swap(
    key: Key,
    plan: Plan | undefined,
    removed: Line | undefined,
    unitId: string,
  ): { refused: Refused } | { line: NewLine } {
    if (plan === undefined || removed === undefined) return { refused: NOT_FOUND };
    const gate = this.gate(key, plan);
    if (gate !== null) return { refused: gate };
    const unit = this.unit(unitId);
    const unfit = this.unfit(plan, unit);
    if (unfit !== null || unit === undefined) return { refused: unfit ?? NOT_FOUND };
    if (unit.priceCents > removed.priceCents) {
      const amount = this.amount(plan, totalOf(plan.lines) - removed.priceCents, unit.priceCents);
      if (amount !== null) return { refused: amount };
    }
    return { line: lineOn(unit, removed.date) };
  }

  remove(key: Key, plan: Plan | undefined, line: Line | undefined): Refused | null {
    if (plan === undefined || line === undefined) return NOT_FOUND;
    return this.gate(key, plan) ?? (plan.lines.length === 1 ? conflict('last_creator') : null);
  }

  /** The lines of a plan's next version after an add, swap or removal: at current prices when these fit the budget. */
  applyLines(plan: Plan, lines: Line[]): void {
    plan.lines = lines;
    this.reprice(plan, false);
    plan.version += 1;
  }

  dates(key: Key, plan: Plan | undefined, start: string, end: string): { refused: Refused } | { moved: number } {
    if (plan === undefined) return { refused: NOT_FOUND };
    const gate = this.gate(key, plan);
    if (gate !== null) return { refused: gate };
    if (start < this.today || end < start || end > yearAfter(start)) return { refused: conflict('bad_dates') };
    const placed = plan.lines.map((line) => {
      const day = addDays(start, daysBetween(plan.start, line.date));
      return { ...line, date: day > end ? end : day };
    });
    if (new Set(placed.map((line) => `${line.creator} ${line.date}`)).size < placed.length)
      return { refused: conflict('same_day') };
    const moved = placed.filter((line, at) => line.date !== plan.lines[at]?.date).length;
    plan.lines = placed;
    plan.moment = Math.min(plan.moment, daysBetween(start, end));
    plan.start = start;
    plan.end = end;
    plan.version += 1;
    return { moved };
  }

  rename(key: Key, campaign: Campaign | undefined, name: string): Refused | null {
    const refused = this.campaignGate(key, campaign);
    if (refused !== null || campaign === undefined) return refused;
    campaign.name = name;
    campaign.displayName = name;
    return null;
  }

  guidelines(key: Key, campaign: Campaign | undefined): Refused | null {
    return this.campaignGate(key, campaign);
  }

  delete(key: Key, campaign: Campaign | undefined): Refused | null {
    if (campaign === undefined) return NOT_FOUND;
    if (key === 'bare') return mandate('no_mandate');
    if (campaign.plan !== null) return conflict('has_plan');
    campaign.deleted = true;
    return null;
  }

  archive(campaign: Campaign | undefined, archived: boolean): Refused | null {
    if (campaign === undefined) return NOT_FOUND;
    campaign.archived = archived;
    return null;
  }

  /**
   * The budget moves and takes the plan to current prices where these fit it; one that differs is a new version
   * (docs/domain/plans.md#repricing).
   */
  budget(campaign: Campaign | undefined, cents: number): Refused | null {
    if (campaign === undefined) return NOT_FOUND;
    if (campaign.plan?.signed === true) return conflict('plan_signed');
    if (campaign.archived) return conflict('archived');
    campaign.budgetCents = cents;
    if (campaign.plan !== null) this.reprice(campaign.plan);
    return null;
  }

  /**
   * A price or a sale moves: plans that await approval and hold the unit are repriced, in the archive too
   * (docs/domain/plans.md#repricing).
   */
  override(unitId: string, change: { priceCents?: number; offSale?: boolean } | null): void {
    const held = this.overrides.get(unitId) ?? { priceCents: null, offSale: false };
    if (change === null) this.overrides.delete(unitId);
    else
      this.overrides.set(unitId, {
        priceCents: change.priceCents ?? held.priceCents,
        offSale: change.offSale ?? held.offSale,
      });
    for (const plan of this.plans)
      if (!plan.signed && plan.lines.some((line) => line.unit === unitId)) this.reprice(plan);
  }

  stage(campaign: Campaign): string {
    if (campaign.plan === null) return 'draft';
    return campaign.plan.signed ? 'approved' : 'plan_ready';
  }

  // Shared by the writes

  private month(key: Key): string {
    return `${key} ${this.today.slice(0, 7)}`;
  }

  private priceNow(line: Line): number {
    return this.unit(line.unit)?.priceCents ?? line.priceCents;
  }

  /** Lines take current prices unless these exceed the budget; returns whether one differed. */
  private reprice(plan: Plan, counts = true): boolean {
    const { budgetCents } = plan.campaign;
    if (budgetCents !== null && this.currentTotal(plan.lines) > budgetCents) return false;
    const moved = plan.lines.some((line) => this.priceNow(line) !== line.priceCents);
    plan.lines = plan.lines.map((line) => ({ ...line, priceCents: this.priceNow(line) }));
    if (moved && counts) plan.version += 1;
    return moved;
  }

  private termsChanged(plan: Plan): Refused {
    return conflict('terms_changed', { version: plan.version });
  }

  /** Checks 2 to 4 of docs/domain/plans.md#edits. */
  private gate(key: Key, plan: Plan): Refused | null {
    if (plan.signed) return conflict('plan_signed');
    if (plan.campaign.archived) return conflict('archived');
    return key === 'bare' ? mandate('no_mandate') : null;
  }

  private campaignGate(key: Key, campaign: Campaign | undefined): Refused | null {
    if (campaign === undefined) return NOT_FOUND;
    if (campaign.archived) return conflict('archived');
    return key === 'bare' ? mandate('no_mandate') : null;
  }

  private unfit(plan: Plan, unit: Unit | undefined): Refused | null {
    if (unit === undefined) return NOT_FOUND;
    if (!unit.buyable) return { status: 422, code: 'unprocessable' };
    return plan.lines.some((line) => line.creator === unit.creator) ? conflict('already_in_plan') : null;
  }

  private amount({ campaign }: Plan, others: number, price: number): Refused | null {
    const [budget, after] = [campaign.budgetCents, others + price];
    if (budget !== null && after > budget)
      return conflict('over_budget', {
        budget_cents: budget,
        remaining_cents: Math.max(0, budget - others),
        price_cents: price,
        over_by_cents: after - budget,
      });
    return after > MAX_PLAN_CENTS ? this.overMaxPlan(after) : null;
  }

  private overMaxPlan(requested: number): Refused {
    return mandate('over_max_plan_total', {
      limit_cents: MAX_PLAN_CENTS,
      requested_cents: requested,
      over_by_cents: requested - MAX_PLAN_CENTS,
    });
  }

  private noStartLeft(): Refused | null {
    if (this.starts < STARTS_A_DAY) return null;
    return { status: 429, code: 'rate_limited', reason: 'daily_campaign_limit' };
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

  private emptiestDay(plan: Plan): string | null {
    const days = [];
    for (let day = this.firstDay(plan); day <= plan.end; day = addDays(day, 1)) days.push(day);
    const lines = (day: string): number => plan.lines.filter((line) => line.date === day).length;
    const least = Math.min(...days.map(lines));
    return days.find((day) => lines(day) === least) ?? null;
  }
}
