import type { Candidate, Goal, NoPlanReason, UnitFacts } from '@cds/contracts';
import { withFingerprint } from '../approval/fingerprint.js';
import { ANYONE, selected } from '../campaign/selection.js';
import { emptyPlan, lineOf } from '../lines.js';
import type { BuiltUnder, Campaign, Line, Plan, PlanReasons, UnitMap } from '../plan.js';
import { hasTwoDays, programDates } from '../schedule/pair-dates.js';
import { datesFor, type Window } from '../schedule/schedule.js';
import { type Choice, choose } from './build.js';
import type { CreatorAnswers } from './value.js';

export type Built = { plan: Plan; units: UnitMap; noPlan: null } | { plan: null; units: null; noPlan: NoPlanReason };

/** `newId` gives ids of plan and lines. Source: docs/domain/plans.md#plan-builder, docs/domain/plans.md#dates. */
export const buildPlan = (
  campaign: Campaign,
  candidates: readonly Candidate[],
  of: {
    /** The most that one plan of the key may cost, in US cents; null without a limit. */
    mandateCents: number | null;
    regions?: readonly string[] | undefined;
    now: Date;
    today: string;
    newId: () => string;
    answers?: CreatorAnswers;
  },
): Built => {
  const none = (noPlan: NoPlanReason): Built => ({ plan: null, units: null, noPlan });
  const empty = emptyPlan(campaign, { id: of.newId(), writtenBy: 'builder', now: of.now });
  const window = { start: campaign.window_start, end: campaign.window_end, momentOffset: empty.moment_offset };
  const goal = campaign.goal ?? 'program';
  const selection = campaign.selection ?? ANYONE;
  const { choice, noPlan } = choose(
    selected(candidates, selection),
    {
      goal,
      audience: campaign.segments,
      capCents: capOf(campaign, of.mandateCents),
      postTwice: goal === 'program' && hasTwoDays(window, of.today),
      ...(selection.max_creators === null ? {} : { maxCreators: selection.max_creators }),
    },
    of.answers === undefined ? {} : { answers: of.answers },
  );
  if (choice === null) return none(noPlan);

  const dates = datesOf(choice, goal, window, of.today);
  const units = choice.options.map(({ candidate, unit }) => unitOfCandidate(candidate, unit));
  const dealt = units.flatMap((unit, index) =>
    (dates[index] ?? []).map((date) => ({
      line: lineOf(unit, { id: of.newId(), date, writtenBy: 'builder', plan: empty, campaign }),
      marginal: choice.marginal[index] ?? 0,
    })),
  );
  if (dealt.length === 0) return none('no_candidates');
  return {
    plan: withFingerprint({
      ...empty,
      lines: inOrder(dealt.map(({ line }) => line)),
      gap: choice.gap,
      reasons: reasonsOf(choice, dealt, empty),
      built_under: {
        mandate_cents:
          of.mandateCents !== null && of.mandateCents < (campaign.budget_cents ?? Number.POSITIVE_INFINITY)
            ? of.mandateCents
            : null,
        geography: geographyOf(campaign.geography, of.regions, choice),
        left: choice.full,
      },
    }),
    units: new Map(units.map((unit) => [unit.unit_id, unit])),
    noPlan: null,
  };
};

const capOf = ({ budget_cents }: Campaign, mandateCents: number | null): number =>
  Math.min(budget_cents ?? Number.POSITIVE_INFINITY, mandateCents ?? Number.POSITIVE_INFINITY);

const EVERYWHERE_WORDS = /\b(world|worldwide|global|globally|everywhere|anywhere|international|internationally)\b/i;

const geographyOf = (
  text: string,
  regions: readonly string[] | undefined,
  { options }: Choice,
): BuiltUnder['geography'] => {
  if (regions === undefined) return 'everywhere';
  if (regions.includes('Worldwide')) return EVERYWHERE_WORDS.test(text) ? 'everywhere' : 'not_understood';
  return options.some(({ candidate }) => candidate.in_regions === true) ? 'shown' : 'not_shown';
};

export const creatorsOf = (candidates: readonly Candidate[]): string[] =>
  candidates.map((candidate) => candidate.creator_id);

/** Figures and ids only: no words of creators, no price. */
const reasonsOf = (
  choice: Choice,
  dealt: readonly { line: Line; marginal: number }[],
  { version, sent_at }: Plan,
): PlanReasons => ({
  version,
  built_at: sent_at,
  value: choice.value,
  lines: dealt.flatMap(({ line, marginal }) =>
    line.creator_id === null || line.format === null
      ? []
      : [
          {
            line_id: line.id,
            creator_id: line.creator_id,
            format: line.format,
            marginal_value: marginal,
            expected_views: line.expected_views ?? 0,
            views_low: line.views_low ?? 0,
            views_high: line.views_high ?? 0,
          },
        ],
  ),
  left_out: choice.leftOut.map(({ option: { candidate, unit }, value, reason, limit }) => ({
    creator_id: candidate.creator_id,
    unit_id: unit.unit_id,
    format: unit.format,
    value,
    reason,
    limit,
  })),
});

const datesOf = ({ options }: Choice, goal: Goal, window: Window, today: string): string[][] =>
  goal === 'program'
    ? programDates(
        options.map(({ lines }) => lines),
        window,
        today,
      )
    : datesFor(goal, options.length, window, today).map((date) => [date]);

const unitOfCandidate = (candidate: Candidate, unit: Candidate['units'][number]): UnitFacts => ({
  unit_id: unit.unit_id,
  creator_id: candidate.creator_id,
  channel: 'x_creators',
  format: unit.format,
  deliverable: unit.deliverable,
  price_cents: unit.price_cents,
  buyable: true,
  listed: true,
  name: candidate.name,
  avatar_url: candidate.avatar_url,
  followers: candidate.followers,
  reach_band: candidate.reach_band,
  vetting: candidate.vetting,
  expected_views: unit.expected_views,
  views_low: unit.views_low,
  views_high: unit.views_high,
  engagement_rate: candidate.engagement_rate,
  match_score: candidate.match_score,
  match_label: candidate.match_label,
  ...(candidate.match_topic !== undefined && { match_topic: candidate.match_topic }),
});

const inOrder = (lines: readonly Line[]): Line[] =>
  [...lines].sort((one, other) =>
    one.scheduled_date < other.scheduled_date ? -1 : one.scheduled_date > other.scheduled_date ? 1 : 0,
  );
