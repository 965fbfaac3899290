import { AppError, type Candidate, type QuoteFacts } from '@cds/contracts';
import { acceptUrl, parentMonthOf } from '@cds/rules';
import type { Client, Ctx, ReadHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { ApprovalFacts } from '../domain/approval/approval.js';
import { type FailedRule, failedRules, isSameRule, type Openness } from '../domain/approval/preflight.js';
import {
  applied,
  type Edit,
  type Goal,
  goalOf,
  goalOfAll,
  mayEdit,
  NO_OFFERS,
  Offers,
  smallestEdits,
} from '../domain/approval/smallest-edits.js';
import { ANYONE, selected } from '../domain/campaign/selection.js';
import type { Campaign, PlanWithCampaign } from '../domain/plan.js';
import { planNamed } from '../load/campaigns.js';
import type { CurrentUnits } from '../load/current-units.js';
import { presentPreflight } from '../present/preflight.js';
import type { Campaigns } from '../store/campaigns.js';
import type { OfferAnswers } from '../store/offer-answers.js';
import type { Plans } from '../store/plans.js';

type Deps = {
  plans: Plans;
  campaigns: Campaigns;
  units: CurrentUnits;
  offerAnswers: OfferAnswers;
  billing: Client<'quote_facts'>;
};

/** Raises not_found. Source: docs/domain/orders.md#preflight, beyond the specification. */
export const planPreflight: ReadHandler<'plan_preflight', Deps> = async (ctx, input, deps) => {
  const pair = await planNamed(deps, ctx.principal.workspace, input.id);
  const [units, billing] = await Promise.all([
    deps.units.ofPlan(ctx, pair),
    deps.billing.quote_facts(ctx, { order_id: null }),
  ]);
  const facts = { ...factsOf(ctx, pair, billing), units };
  const open = {
    maySign: ctx.principal.scopes.includes('plans:approve'),
    writesOpen: ctx.switches.writes_open,
    paymentsOpen: billing.payments_open,
    ...railsOf(billing),
  };
  const failed = failedRules(facts, open);

  const suggestions = await suggested(ctx, facts, { failed, open }, deps);
  return presentPreflight(pair.plan, failed, suggestions);
};

const factsOf = (ctx: Ctx, pair: PlanWithCampaign, billing: QuoteFacts): Omit<ApprovalFacts, 'units'> => ({
  ...pair,
  mandate: ctx.principal.mandate,
  spentCents: billing.spent_this_month_cents,
  parentMonth: parentMonthOf(ctx.principal, billing.parent_spent_cents),
  currentTerms: billing.current_terms,
  termsUrl: acceptUrl(billing.terms_url, ctx.principal.key),
  now: ctx.now,
  today: dayOf(ctx.now),
});

/** Only card payments have a smallest and a largest total. */
const railsOf = (facts: QuoteFacts): Pick<Openness, 'railsBeginAtCents' | 'railsEndAtCents'> => {
  const { payment_options: options, cards_begin_at_cents: begin = 0, cards_end_at_cents: end } = facts;
  return options.some(({ rail }) => rail !== 'checkout')
    ? { railsBeginAtCents: 0, railsEndAtCents: Number.POSITIVE_INFINITY }
    : { railsBeginAtCents: begin, railsEndAtCents: end ?? Number.POSITIVE_INFINITY };
};

const suggested = async (
  ctx: Ctx,
  facts: ApprovalFacts,
  { failed, open }: { failed: readonly FailedRule[]; open: Openness },
  deps: Pick<Deps, 'units' | 'offerAnswers'>,
) => {
  const goals = failed.map((rule) => goalOf(rule, facts));
  const mayWrite = ctx.principal.scopes.includes('campaigns:write');
  if (!mayWrite || !mayEdit(facts) || goals.every((goal) => goal === null))
    return { each: goals.map(() => null), all: failed.length === 0 ? [] : null, units: facts.units };

  const { campaign } = facts;
  const offers = new Offers(await candidatesOf(ctx, campaign, deps), facts.mandate);
  const all = goalOfAll(failed, facts);
  const wanted = [...goals, all].map((goal) => goal && smallestEdits(facts, goal, offers));
  const units = await deps.units.ofPlan(ctx, facts, unitsIn(wanted));

  // An offer may have changed since candidates were listed; then lines are only dropped.
  const tried = (goal: Goal | null, edits: Edit[] | null, passes: (after: readonly FailedRule[]) => boolean) => {
    const works = (given: Edit[] | null): boolean => {
      const plan = given && applied({ ...facts, units }, given);
      return plan !== null && passes(failedRules({ ...facts, units, plan }, open));
    };
    if (works(edits)) return edits;
    const drops = goal && smallestEdits(facts, goal, NO_OFFERS);
    return works(drops) ? drops : null;
  };
  return {
    each: failed.map((rule, at) =>
      tried(goals[at] ?? null, wanted[at] ?? null, (after) => !after.some((other) => isSameRule(rule, other))),
    ),
    all: tried(all, wanted.at(-1) ?? null, (after) => after.length === 0),
    units,
  };
};

/** Without those who declined lately. None while catalog cannot list them; then lines are only dropped. */
const candidatesOf = async (
  ctx: Ctx,
  { ws, audience, geography, selection = ANYONE }: Campaign,
  { units, offerAnswers }: Pick<Deps, 'units' | 'offerAnswers'>,
): Promise<Candidate[]> => {
  try {
    const { candidates: all } = await units.candidates(ctx, audience, geography);
    const candidates = selected(all, selection);
    const answers = await offerAnswers.of(
      ws,
      candidates.map(({ creator_id }) => creator_id),
      ctx.now,
    );
    return candidates.filter(({ creator_id }) => !answers.declinedLately(creator_id));
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return [];
    throw error;
  }
};

const unitsIn = (wanted: readonly (Edit[] | null)[]): string[] =>
  wanted.flatMap((edits) => edits ?? []).flatMap(({ unitId }) => unitId ?? []);
