import type { UnitFacts } from '@cds/contracts';
import { dayOf, daysBetween } from '@cds/service/calendar';
import { slotOf } from '@cds/service/slot';
import { withFingerprint } from './approval/fingerprint.js';
import { earlierOf } from './days.js';
import type { Campaign, Line, Plan } from './plan.js';
import { deliverableOf, reasonOf } from './quote/line-texts.js';
import { momentOf } from './schedule/moment.js';
import { firstDay } from './schedule/schedule.js';

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
  | 'match_score'
  | 'match_label'
  | 'match_topic'
>;

export const lineOf = (
  unit: LineUnit,
  of: {
    id: string;
    date: string;
    writtenBy: Line['written_by'];
    plan: Pick<Plan, 'launch_window_start' | 'moment_offset'>;
    campaign: Pick<Campaign, 'goal'>;
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
  deliverable: deliverableOf(unit, of.campaign.goal),
  creator: { name: unit.name, avatar_url: unit.avatar_url, followers: unit.followers, reach_band: unit.reach_band },
  vetting: unit.vetting,
  reason: reasonOf(unit, of.writtenBy === 'key'),
  match_score: unit.match_score,
  written_by: of.writtenBy,
  expected_views: unit.expected_views,
  views_low: unit.views_low,
  views_high: unit.views_high,
  engagement_rate: unit.engagement_rate,
});

/** A moment without a date is the first day on which a post may be (docs/domain/plans.md#dates). */
export const momentOffset = (
  { goal, moment, window_start, window_end }: Pick<Campaign, 'goal' | 'moment' | 'window_start' | 'window_end'>,
  now: Date,
): number => {
  const { day, words } = momentOf(moment, window_start, window_end);
  const window = { start: window_start, end: window_end, momentOffset: 0 };
  return daysBetween(window_start, words === null ? earlierOf(firstDay(goal, window, dayOf(now)), window_end) : day);
};

export const emptyPlan = (campaign: Campaign, of: { id: string; writtenBy: Line['written_by']; now: Date }): Plan => {
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
    moment_offset: momentOffset(campaign, of.now),
    lines: [],
    written_by: of.writtenBy,
    sent_at: of.now,
    approved_at: null,
    order: null,
    gap: null,
  } satisfies Plan);
};
