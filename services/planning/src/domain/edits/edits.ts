import type { PrincipalMandate, Refusal, UnitFacts } from '@cds/contracts';
import { asksOf, type MandateAsked, mandateVerdict } from '@cds/rules';
import { addDays, daysBetween } from '@cds/service/calendar';
import { slotOf } from '@cds/service/slot';
import { archivedRefusal, signedRefusal } from '../approval/approval.js';
import { withFingerprint } from '../approval/fingerprint.js';
import { PLAN_LINES } from '../constants.js';
import { earlierOf } from '../days.js';
import { lineOf } from '../lines.js';
import { type Campaign, type Line, type Plan, type PlanWithCampaign, totalOf, type UnitMap } from '../plan.js';
import { conflictRefusal } from '../refusals.js';
import { emptiestDay, firstDay } from '../schedule/schedule.js';
import { sameDayNextYear, startProblem, todayInWords } from '../schedule/window.js';
import { currentTotal, refreshedLines, repricedVersion } from './repricing.js';

/** The first failing check, and what the edit asked of the mandate beyond the gate. */
export type Declined = { refusal: Refusal; asked?: MandateAsked };

export type Edited = Declined | { refusal: null; plan: Plan; asked?: MandateAsked };

export type EditFacts = PlanWithCampaign & {
  units: UnitMap;
  mandate: PrincipalMandate | null;
  now: Date;
  today: string;
  /** Only wording depends on it. */
  sandbox?: boolean;
};

/** Checks 2 to 4 of every edit (docs/domain/plans.md#edits). A date move also refuses team plans. */
export const editGate = (
  facts: PlanWithCampaign & { mandate: PrincipalMandate | null; now: Date },
  edit: 'lines' | 'dates' = 'lines',
): Refusal | null =>
  signedRefusal(facts) ??
  (edit === 'dates' && facts.plan.written_by === 'team' ? teamPlan() : null) ??
  archivedRefusal(facts) ??
  mandateVerdict(facts.mandate, asksOf(facts.now));

const teamPlan = (): Refusal =>
  conflictRefusal(
    'plan_signed',
    'The team wrote this plan, so its dates cannot be moved here. Ask the team for a change.',
  );

export const addAsks = ({ lines }: Pick<Plan, 'lines'>, unit: UnitFacts, now: Date): MandateAsked =>
  asksOf(now, { channels: [unit.channel], total_cents: totalOf(lines) + unit.price_cents });

export const addLine = (facts: EditFacts, unit: UnitFacts, line: { id: string; date: string | undefined }): Edited => {
  const { plan, campaign, today } = facts;
  const asked = addAsks(plan, unit, facts.now);
  const refusal = unitRefusal(facts, unit, asked);
  if (refusal !== null) return { refusal, asked };
  if (plan.lines.length >= PLAN_LINES)
    return {
      refusal: conflictRefusal(
        'plan_full',
        `A plan takes ${PLAN_LINES} lines. Swap one, remove one first, or start another campaign.`,
        { limit: PLAN_LINES },
      ),
    };

  const date = line.date ?? chosenDay(facts);
  if (date === null || date < today || date < plan.launch_window_start || date > plan.launch_window_end)
    return {
      refusal: badDates(
        `The date must be today or later and inside the launch window, ${plan.launch_window_start} to ${plan.launch_window_end}; ${todayInWords({ day: today, sandbox: facts.sandbox === true })}. Choose another date or move the dates.`,
      ),
    };

  const amount = amountRefusal(facts, plan.lines, unit, asked);
  if (amount !== null) return { refusal: amount, asked };

  const added = lineOf(unit, { id: line.id, date, writtenBy: 'key', plan, campaign });
  return { refusal: null, plan: repricedVersion(plan, [...plan.lines, added], facts.units, campaign), asked };
};

/** A price at or under the removed one passes every amount check. */
export const swapLine = (facts: EditFacts, removed: Line, unit: UnitFacts, id: string): Edited => {
  const { plan, campaign } = facts;
  const dearer = unit.price_cents > removed.price_cents;
  const asked = asksOf(facts.now, {
    channels: [unit.channel],
    total_cents: dearer ? totalOf(plan.lines) - removed.price_cents + unit.price_cents : null,
  });
  const kept = plan.lines.filter((line) => line.id !== removed.id);
  const refusal = unitRefusal(facts, unit, asked) ?? amountRefusal(facts, kept, unit, asked);
  if (refusal !== null) return { refusal, asked };

  const swapped = lineOf(unit, { id, date: removed.scheduled_date, writtenBy: 'key', plan, campaign });
  const lines = plan.lines.map((line) => (line.id === removed.id ? swapped : line));
  return { refusal: null, plan: repricedVersion(plan, lines, facts.units, campaign), asked };
};

export const removeLine = (facts: EditFacts, removed: Line): Edited => {
  const { plan, campaign } = facts;
  if (plan.lines.length <= 1)
    return {
      refusal: conflictRefusal(
        'last_creator',
        'A plan needs at least one creator. Swap this one, or add another first.',
      ),
    };
  const lines = plan.lines.filter((line) => line.id !== removed.id);
  return { refusal: null, plan: repricedVersion(plan, lines, facts.units, campaign) };
};

export type Moved = Declined | { refusal: null; plan: Plan; campaign: Campaign; linesMoved: number };

/** Each line keeps its offset from the window's start, at most the new end's (docs/domain/plans.md#edits). */
export const moveDates = (facts: EditFacts, to: { start: string; end: string }): Moved => {
  const { plan, campaign, today, units } = facts;
  const start = startProblem(to.start, { day: today, sandbox: facts.sandbox === true });
  if (start !== null) return { refusal: badDates(`The start ${start}.`) };
  if (to.end < to.start) return { refusal: badDates('The end must be on or after the start.') };
  if (to.end > sameDayNextYear(to.start))
    return { refusal: badDates('The end must be at most one year after the start.') };

  const place = (offset: number): string => earlierOf(addDays(to.start, Math.max(0, offset)), to.end);
  const offsetOf = (line: Line): number => daysBetween(plan.launch_window_start, line.scheduled_date);
  const momentOffset = daysBetween(to.start, place(plan.moment_offset));
  const moved = plan.lines.map((line): Line => {
    const date = place(offsetOf(line));
    const slot =
      line.written_by === 'team'
        ? line.slot
        : slotOf({ date, windowStart: to.start, momentOffset, goal: campaign.goal, format: line.format });
    return { ...line, scheduled_date: date, slot };
  });
  if (sharesADay(moved))
    return {
      refusal: conflictRefusal('same_day', 'Two posts of one creator would land on one day. Choose a longer window.'),
    };

  return {
    refusal: null,
    linesMoved: moved.filter((line, index) => line.scheduled_date !== plan.lines[index]?.scheduled_date).length,
    plan: withFingerprint({
      ...plan,
      version: plan.version + 1,
      launch_window_start: to.start,
      launch_window_end: to.end,
      moment_offset: momentOffset,
      lines: refreshedLines(moved, units),
    }),
    campaign: { ...campaign, window_start: to.start, window_end: to.end },
  };
};

const badDates = (message: string): Refusal => conflictRefusal('bad_dates', message);

const unitRefusal = ({ plan, mandate }: EditFacts, unit: UnitFacts, asked: MandateAsked): Refusal | null => {
  if (!unit.buyable)
    return {
      code: 'unprocessable',
      reason: 'unprocessable',
      message: `This format is not on sale now${unit.stale === true ? ': its price is older than 30 days' : ''}. Choose one that is.`,
      details: { problems: [{ field: 'unit_id', message: 'must be a format that is on sale now' }] },
    };
  const channel = mandateVerdict(mandate, { ...asked, total_cents: null });
  if (channel !== null) return channel;
  if (plan.lines.some((line) => line.creator_id === unit.creator_id))
    return conflictRefusal(
      'already_in_plan',
      'This creator is already on the plan. To change the format, remove the line and add the new format.',
    );
  return null;
};

/** The budget counts current prices: prices that rose past it leave no room (docs/domain/plans.md#edits). */
const amountRefusal = (
  { campaign, mandate, units }: EditFacts,
  kept: readonly Line[],
  { price_cents: priceCents }: UnitFacts,
  asked: MandateAsked,
): Refusal | null => {
  if (asked.total_cents === null) return null;
  const after = Math.max(asked.total_cents, currentTotal(kept, units) + priceCents);
  const budget = campaign.budget_cents;
  if (budget !== null && after > budget)
    return conflictRefusal(
      'over_budget',
      "This creator would take the plan over the campaign's budget. Choose a cheaper one, or remove a creator first.",
      {
        budget_cents: budget,
        remaining_cents: Math.max(0, budget - (after - priceCents)),
        price_cents: priceCents,
        over_by_cents: after - budget,
      },
    );
  return mandateVerdict(mandate, asked);
};

const chosenDay = ({ plan, campaign, today }: EditFacts): string | null => {
  const window = {
    start: plan.launch_window_start,
    end: plan.launch_window_end,
    momentOffset: plan.moment_offset,
  };
  return emptiestDay(
    plan.lines.map((line) => line.scheduled_date),
    firstDay(campaign.goal, window, today),
    window.end,
  );
};

export const sharesADay = (lines: readonly Line[]): boolean => {
  const places = lines.flatMap((line) =>
    line.creator_id === null ? [] : [`${line.creator_id}|${line.scheduled_date}`],
  );
  return new Set(places).size < places.length;
};
