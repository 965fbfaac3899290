import type { Candidate, Goal, NoPlanReason, UnitFacts } from '@cds/contracts';
import { type Choice, choose } from './build.js';
import type { CreatorAnswers } from './value.js';
import { daysBetween } from '../days.js';
import { withFingerprint } from '../approval/fingerprint.js';
import { reasonOf, slotOf } from '../quote/line-texts.js';
import { momentDay } from '../schedule/moment.js';
import { hasTwoDays, programDates } from '../schedule/pair-dates.js';
import type { Campaign, Line, Plan, PlanReasons, UnitMap } from '../plan.js';
import { datesFor, type Window } from '../schedule/schedule.js';

/** A plan built for a campaign with the facts it stands on, or the reason there is none (domain 2-plans 3). */
export type Built = { plan: Plan; units: UnitMap; noPlan: null } | { plan: null; units: null; noPlan: NoPlanReason };

/** A unit's facts, as a line of it is made from them. */
export type LineUnit = Pick<
  UnitFacts,
  | 'unit_id'
  | 'creator_id'
  | 'channel'
  | 'format'
  | 'deliverable'
  | 'price_cents'
  | 'name'
  | 'avatar_url'
  | 'followers'
  | 'reach_band'
  | 'vetting'
  | 'expected_views'
  | 'views_low'
  | 'views_high'
  | 'engagement_rate'
  | 'match_label'
>;

/** A new line of a plan on a day; `key` marks one that the brand's key added or swapped in. */
export const lineOf = (
  unit: LineUnit,
  of: {
    id: string;
    date: string;
    writtenBy: 'builder' | 'key';
    plan: Pick<Plan, 'launch_window_start' | 'moment_offset'>;
    campaign: Pick<Campaign, 'goal' | 'segments'>;
  },
): Line => ({
  id: of.id,
  channel: unit.channel,
  slot: slotOf({
    date: of.date,
    windowStart: of.plan.launch_window_start,
    momentOffset: of.plan.moment_offset,
    goal: of.campaign.goal,
    format: unit.format,
  }),
  scheduled_date: of.date,
  price_cents: unit.price_cents,
  creator_id: unit.creator_id,
  unit_id: unit.unit_id,
  format: unit.format,
  deliverable: unit.deliverable,
  creator: { name: unit.name, avatar_url: unit.avatar_url, followers: unit.followers, reach_band: unit.reach_band },
  vetting: unit.vetting,
  reason: reasonOf(unit, of.campaign.segments, of.writtenBy === 'key'),
  written_by: of.writtenBy,
  expected_views: unit.expected_views,
  views_low: unit.views_low,
  views_high: unit.views_high,
  engagement_rate: unit.engagement_rate,
});

/** Version 1 of a plan over the campaign's window, without lines. */
export const emptyPlan = (campaign: Campaign, of: { id: string; writtenBy: 'builder' | 'key'; now: Date }): Plan => {
  const moment = momentDay(campaign.moment, campaign.window_start, campaign.window_end);
  return withFingerprint({
    _id: of.id,
    ws: campaign.ws,
    campaign_id: campaign._id,
    version: 1,
    status: 'awaiting_approval',
    terms_fingerprint: '',
    currency: 'USD',
    launch_window_start: campaign.window_start,
    launch_window_end: campaign.window_end,
    moment_offset: daysBetween(campaign.window_start, moment),
    lines: [],
    written_by: of.writtenBy,
    sent_at: of.now,
    approved_at: null,
    order: null,
    gap: null,
  } satisfies Plan);
};

/**
 * Builds the plan of a campaign from catalog's candidates: total at most `capCents`, distinct creators but for two posts
 * in a program, dates inside the window and none before the first day (domain 2-plans 3, 4). `newId` gives the ids of
 * plan and lines, `answers` what is known of creators' answers to offers.
 */
export const buildPlan = (
  campaign: Campaign,
  candidates: readonly Candidate[],
  of: { capCents: number; now: Date; today: string; newId: () => string; answers?: CreatorAnswers },
): Built => {
  const none = (noPlan: NoPlanReason): Built => ({ plan: null, units: null, noPlan });
  const empty = emptyPlan(campaign, { id: of.newId(), writtenBy: 'builder', now: of.now });
  const window = { start: campaign.window_start, end: campaign.window_end, momentOffset: empty.moment_offset };
  const goal = campaign.goal ?? 'program';
  const { choice, noPlan } = choose(
    candidates,
    {
      goal,
      audience: campaign.segments,
      capCents: of.capCents,
      postTwice: goal === 'program' && hasTwoDays(window, of.today),
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
    }),
    units: new Map(units.map((unit) => [unit.unit_id, unit])),
    noPlan: null,
  };
};

/** The ids of candidates. */
export const creatorsOf = (candidates: readonly Candidate[]): string[] =>
  candidates.map((candidate) => candidate.creator_id);

/** What is kept of a choice to explain it: figures and ids, no words of creators and no price. */
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

/** The dates of each option chosen. */
const datesOf = ({ options }: Choice, goal: Goal, window: Window, today: string): string[][] =>
  goal === 'program'
    ? programDates(
        options.map(({ lines }) => lines),
        window,
        today,
      )
    : datesFor(goal, options.length, window, today).map((date) => [date]);

/** A candidate's unit as unit facts: candidates are listed, and only their buyable units are told. */
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
});

/** Lines stand in the order of their dates; within a day in the order they were dealt. */
const inOrder = (lines: readonly Line[]): Line[] =>
  [...lines].sort((one, other) =>
    one.scheduled_date < other.scheduled_date ? -1 : one.scheduled_date > other.scheduled_date ? 1 : 0,
  );
