import { OrderHoldings } from './order-holdings.js';
import {
  addDays,
  type Campaign,
  daysBetween,
  type Key,
  type Line,
  lineOn,
  type NewLine,
  type Plan,
  type Refused,
  totalOf,
  yearAfter,
} from './plans.js';
import {
  amountRefusal,
  campaignRefusal,
  conflict,
  MAX_PLAN_CENTS,
  mandate,
  NOT_FOUND,
  planRefusal,
  termsChanged,
  unitRefusal,
} from './refusals.js';

const STARTS_A_DAY = 3;

/**
 * Campaigns and plans as docs/domain/plans.md, docs/domain/orders.md#approve-checks describe them, written from those
 * pages alone and independent of the services. It holds what one sandbox workspace should hold, predicts how each write
 * must end, and adopts ids that only the system can assign. Money is integer US cents, days are YYYY-MM-DD.
 */
export class Reference extends OrderHoldings {
  private starts = 0;

  /** Approves: null, or a refusal. A price that moved within the budget makes a new version and is terms_changed. */
  approve(key: Key, plan: Plan | undefined, fingerprint: string): { refused: Refused | null; repriced: boolean } {
    if (plan === undefined) return { refused: NOT_FOUND, repriced: false };
    const refused = this.approval(key, plan, fingerprint);
    if (refused !== null) return { refused, repriced: false };
    if (this.reprice(plan)) return { refused: termsChanged(plan), repriced: true };
    plan.signed = true;
    const totalCents = totalOf(plan.lines);
    this.spent.set(this.month(key), this.spentBy(key) + totalCents);
    plan.order = {
      id: '',
      key,
      month: this.month(key),
      signedOn: this.today,
      totalCents,
      lines: plan.lines,
      state: 'unpaid',
      wasPaid: false,
      refundedCents: 0,
      credits: [],
    };
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
    const gate = planRefusal(key, plan);
    if (gate !== null) return { refused: gate };
    const unit = this.unit(unitId);
    const unfit = unitRefusal(plan, unit);
    if (unfit !== null || unit === undefined) return { refused: unfit ?? NOT_FOUND };
    const day = date ?? this.emptiestDay(plan);
    if (day === null || day < this.today || day < plan.start || day > plan.end)
      return { refused: conflict('bad_dates') };
    const amount = amountRefusal(plan, this.costOf(plan.lines), unit.priceCents, this.mostOf(key));
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
    const gate = planRefusal(key, plan);
    if (gate !== null) return { refused: gate };
    const unit = this.unit(unitId);
    const unfit = unitRefusal(plan, unit);
    if (unfit !== null || unit === undefined) return { refused: unfit ?? NOT_FOUND };
    if (unit.priceCents > removed.priceCents) {
      const amount = amountRefusal(
        plan,
        this.costOf(plan.lines.filter((line) => line !== removed)),
        unit.priceCents,
        this.mostOf(key),
      );
      if (amount !== null) return { refused: amount };
    }
    return { line: lineOn(unit, removed.date) };
  }

  remove(key: Key, plan: Plan | undefined, line: Line | undefined): Refused | null {
    if (plan === undefined || line === undefined) return NOT_FOUND;
    return planRefusal(key, plan) ?? (plan.lines.length === 1 ? conflict('last_creator') : null);
  }

  /** The lines of a plan's next version after an add, swap or removal: at current prices when these fit the budget. */
  applyLines(plan: Plan, lines: Line[]): void {
    plan.lines = lines;
    this.reprice(plan, false);
    plan.version += 1;
  }

  dates(key: Key, plan: Plan | undefined, start: string, end: string): { refused: Refused } | { moved: number } {
    if (plan === undefined) return { refused: NOT_FOUND };
    const gate = planRefusal(key, plan);
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
    const refused = campaignRefusal(key, campaign);
    if (refused !== null || campaign === undefined) return refused;
    campaign.name = name;
    campaign.displayName = name;
    return null;
  }

  guidelines(key: Key, campaign: Campaign | undefined): Refused | null {
    return campaignRefusal(key, campaign);
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

  /** Lines take current prices unless these exceed the budget; returns whether one differed. */
  private reprice(plan: Plan, counts = true): boolean {
    const { budgetCents } = plan.campaign;
    if (budgetCents !== null && this.currentTotal(plan.lines) > budgetCents) return false;
    const moved = plan.lines.some((line) => this.priceNow(line) !== line.priceCents);
    plan.lines = plan.lines.map((line) => ({ ...line, priceCents: this.priceNow(line) }));
    if (moved && counts) plan.version += 1;
    return moved;
  }

  private costOf(lines: readonly Line[]): { cents: number; now: number } {
    return { cents: totalOf(lines), now: this.currentTotal(lines) };
  }

  private mostOf(key: Key): number {
    return key === 'full' ? this.limits.maxPlanCents : MAX_PLAN_CENTS;
  }

  private noStartLeft(): Refused | null {
    if (this.starts < STARTS_A_DAY) return null;
    return { status: 429, code: 'rate_limited', reason: 'daily_campaign_limit' };
  }
}
