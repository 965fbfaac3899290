import type { Candidate, PrincipalMandate, UnitFacts } from '@cds/contracts';
import { type EditFacts, editGate, removeLine, swapLine } from '../edits/edits.js';
import { currentPrice } from '../edits/repricing.js';
import { type Line, type Plan, totalOf, type UnitMap } from '../plan.js';
import type { ApprovalFacts } from './approval.js';
import type { FailedRule } from './preflight.js';

export type Edit = { line: Line; unitId: string | null };

/** Lines that may not stay, and amounts in US cents that the rest must not exceed. */
export type Goal = { out: ReadonlySet<string>; budgetCents: number; totalCents: number };

type Offer = { unitId: string; creatorId: string; cents: number; views: number };

/** Sets of lines tried, per size. A plan of 40 lines has 9,880 sets of three. */
const MOST_SETS = 10_000;

const ANY: Goal = { out: new Set(), budgetCents: Number.POSITIVE_INFINITY, totalCents: Number.POSITIVE_INFINITY };

/** Null when no edit helps. */
export const goalOf = ({ reason, details }: FailedRule, facts: ApprovalFacts): Goal | null => {
  const { plan, mandate } = facts;
  switch (reason) {
    case 'over_budget':
      return { ...ANY, budgetCents: facts.campaign.budget_cents ?? Number.POSITIVE_INFINITY };
    case 'lines_blocked':
      return { ...ANY, out: new Set(details['line_ids'] as string[]) };
    case 'channel_not_allowed': {
      const refused = plan.lines.filter(({ channel }) => mandate?.channels.includes(channel) !== true);
      return { ...ANY, out: new Set(refused.map(({ id }) => id)) };
    }
    case 'over_max_plan_total':
      return { ...ANY, totalCents: details['limit_cents'] as number };
    case 'over_monthly_cap':
      return { ...ANY, totalCents: (details['limit_cents'] as number) - (details['spent_cents'] as number) };
    case 'payments_closed': {
      // A smallest total cannot be reached: edits only make it smaller.
      const limit = details['limit_cents'];
      return typeof limit === 'number' && totalOf(plan.lines) > limit ? { ...ANY, totalCents: limit } : null;
    }
    default:
      return null;
  }
};

/** Null when one rule is beyond edits. */
export const goalOfAll = (rules: readonly FailedRule[], facts: ApprovalFacts): Goal | null => {
  const goals = rules.filter(({ reason }) => reason !== 'terms_changed').map((rule) => goalOf(rule, facts));
  if (goals.includes(null)) return null;
  const { mandate, spentCents, parentMonth, campaign } = facts;
  const given = goals as Goal[];
  return {
    out: new Set(given.flatMap(({ out }) => [...out])),
    budgetCents: campaign.budget_cents ?? Number.POSITIVE_INFINITY,
    // An edit brings current prices, so the limits of now apply too.
    totalCents: Math.min(
      ...given.map(({ totalCents }) => totalCents),
      mandate?.max_plan_cents ?? 0,
      (mandate?.monthly_cap_cents ?? 0) - spentCents,
      parentMonth ? parentMonth.cap_cents - parentMonth.spent_cents : Number.POSITIVE_INFINITY,
    ),
  };
};

export const mayEdit = (facts: ApprovalFacts): boolean => editGate(facts) === null;

/**
 * The fewest edits that reach a goal; among as few, those that give up the least expected views. A line is swapped, not
 * dropped, if a unit for no more money fits. Swaps come first, so a plan never runs out of lines on the way.
 */
export const smallestEdits = (facts: ApprovalFacts, goal: Goal, offers: Offers): Edit[] | null => {
  const { lines } = facts.plan;
  if (goal.budgetCents <= 0 || goal.totalCents <= 0) return null;
  const forced = lines.filter(({ id }) => goal.out.has(id));
  const free = lines.filter(({ id }) => !goal.out.has(id));
  // A failing rule needs an edit, even if it would pass at prices that the plan does not have yet.
  for (let more = forced.length === 0 ? 1 : 0; more <= free.length; more += 1) {
    const given = cheapestLoss(facts, goal, free, more);
    if (given === null) continue;
    const edited = [...forced, ...given];
    const kept = lines.filter((line) => !edited.includes(line));
    const edits = withSwaps(facts, goal, edited, kept, offers);
    if (edits !== null) return edits;
  }
  return null;
};

type Amounts = { current: number; frozen: number };

const amountsOf = (lines: readonly Line[], units: UnitMap): Amounts =>
  lines.reduce(
    ({ current, frozen }, line) => ({
      current: current + currentPrice(line, units),
      frozen: frozen + line.price_cents,
    }),
    { current: 0, frozen: 0 },
  );

const reaches = ({ campaign }: ApprovalFacts, goal: Goal, { current, frozen }: Amounts): boolean => {
  const isOver = campaign.budget_cents !== null && current > campaign.budget_cents;
  return current <= goal.budgetCents && (isOver ? frozen : current) <= goal.totalCents;
};

const plus = ({ current, frozen }: Amounts, cents: number): Amounts => ({
  current: current + cents,
  frozen: frozen + cents,
});

/** Of those that reach the goal, the ones with the least expected views; of too many sets, the dearest lines. */
const cheapestLoss = (facts: ApprovalFacts, goal: Goal, free: readonly Line[], count: number): Line[] | null => {
  const lines = free.map((line) => ({ line, views: viewsOf(line, facts.units), ...amountsOf([line], facts.units) }));
  const all = amountsOf(free, facts.units);
  if (setsOf(free.length, count) > MOST_SETS) {
    const dearest = lines.sort((a, b) => b.current - a.current).slice(0, count);
    const kept = lines.slice(count).map(({ line }) => line);
    return reaches(facts, goal, amountsOf(kept, facts.units)) ? dearest.map(({ line }) => line) : null;
  }

  let best: Line[] | null = null;
  let least = Number.POSITIVE_INFINITY;
  const given: Line[] = [];
  const visit = (from: number, kept: Amounts, loss: number): void => {
    if (loss >= least) return;
    if (given.length === count) {
      if (!reaches(facts, goal, kept)) return;
      best = [...given];
      least = loss;
      return;
    }
    for (let at = from; at <= lines.length - (count - given.length); at += 1) {
      const { line, views, current, frozen } = lines[at] as (typeof lines)[number];
      given.push(line);
      visit(at + 1, { current: kept.current - current, frozen: kept.frozen - frozen }, loss + views);
      given.pop();
    }
  };
  visit(0, all, 0);
  return best;
};

const setsOf = (of: number, count: number): number => {
  let sets = 1;
  for (let at = 0; at < count; at += 1) sets = (sets * (of - at)) / (at + 1);
  return sets;
};

const viewsOf = (line: Line, units: UnitMap): number =>
  (line.unit_id === null ? undefined : units.get(line.unit_id)?.expected_views) ?? line.expected_views ?? 0;

/** Swaps what may be swapped, dearest loss first, and drops the rest; null when no line would be left. */
const withSwaps = (
  facts: ApprovalFacts,
  goal: Goal,
  edited: readonly Line[],
  kept: readonly Line[],
  offers: Offers,
): Edit[] | null => {
  const creators = new Set(facts.plan.lines.map(({ creator_id }) => creator_id ?? ''));
  const swaps: Edit[] = [];
  const drops: Edit[] = [];
  let amounts = amountsOf(kept, facts.units);
  const byLoss = [...edited].sort((a, b) => viewsOf(b, facts.units) - viewsOf(a, facts.units));
  for (const line of byLoss) {
    const offer =
      line.scheduled_date < facts.today
        ? undefined
        : // A swap for no more than either price passes every amount, also after an edit has repriced the line.
          offers.best(Math.min(line.price_cents, currentPrice(line, facts.units)), creators, (cents) =>
            reaches(facts, goal, plus(amounts, cents)),
          );
    if (offer === undefined) {
      drops.push({ line, unitId: null });
      continue;
    }
    swaps.push({ line, unitId: offer.unitId });
    creators.add(offer.creatorId);
    amounts = plus(amounts, offer.cents);
  }
  return kept.length + swaps.length === 0 ? null : [...swaps, ...drops];
};

export class Offers {
  private readonly offers: readonly Offer[];

  constructor(candidates: readonly Candidate[], mandate: Pick<PrincipalMandate, 'channels'> | null) {
    const allowed = mandate?.channels.includes('x_creators') === true ? candidates : [];
    this.offers = allowed
      .flatMap(({ creator_id, units }) =>
        units.map(
          (unit): Offer => ({
            unitId: unit.unit_id,
            creatorId: creator_id,
            cents: unit.price_cents,
            views: unit.expected_views,
          }),
        ),
      )
      .sort((a, b) => b.views - a.views || a.cents - b.cents || (a.unitId < b.unitId ? -1 : 1));
  }

  best(mostCents: number, taken: ReadonlySet<string>, fits: (cents: number) => boolean): Offer | undefined {
    return this.offers.find(({ cents, creatorId }) => cents <= mostCents && !taken.has(creatorId) && fits(cents));
  }
}

/** The plan after edits, by the rules of the edits themselves; null when one of them is refused. */
export const applied = (facts: ApprovalFacts, edits: readonly Edit[]): Plan | null => {
  let { plan } = facts;
  for (const { line, unitId } of edits) {
    const now: EditFacts = { ...facts, plan };
    const current = plan.lines.find(({ id }) => id === line.id);
    if (current === undefined) return null;
    const edited = unitId === null ? removeLine(now, current) : swapped(now, current, unitId);
    if (edited === null || edited.refusal !== null) return null;
    plan = edited.plan;
  }
  return plan;
};

const swapped = (facts: EditFacts, line: Line, unitId: string) => {
  const unit: UnitFacts | undefined = facts.units.get(unitId);
  return unit === undefined || !unit.listed ? null : swapLine(facts, line, unit, unitId);
};

export const NO_OFFERS = new Offers([], null);
