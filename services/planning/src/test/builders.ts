import { randomUUID } from 'node:crypto';
import type { Candidate, Input, QuoteFacts, UnitFacts } from '@cds/contracts';
import { withFingerprint } from '../domain/approval/fingerprint.js';
import { type Campaign, type Line, NO_GUIDELINES, type Plan, type PlanOrder } from '../domain/plan.js';

/** The day of tests unless they say otherwise, the same as in `aCtx`. */
export const TODAY = '2026-11-21';
export const NOW = new Date(`${TODAY}T12:00:00.000Z`);

/** An audience that resolved to one segment. */
export const FOUNDERS = [{ id: 'startup-founders', label: 'Startup founders', weight: 1 }];

/** A creator's format on sale for $450. */
export const aUnit = (over: Partial<UnitFacts> = {}): UnitFacts => ({
  unit_id: randomUUID(),
  creator_id: randomUUID(),
  channel: 'x_creators',
  format: 'post',
  deliverable: 'One post, with the paid partnership label and #ad',
  price_cents: 45_000,
  buyable: true,
  listed: true,
  name: 'Ada Example',
  avatar_url: null,
  followers: 28_000,
  reach_band: 'micro',
  vetting: 'Reviewed 12 November 2026: 11 of 11 checks passed.',
  expected_views: 18_000,
  views_low: 9_000,
  views_high: 27_000,
  engagement_rate: 2.1,
  match_score: 80,
  match_label: 'Strong match',
  match_topic: 'posts on startup founders in 14 of the last 30 posts',
  ...over,
});

/** A candidate that sells one post at a price. */
export const aCandidate = (
  over: Partial<Candidate> & { price_cents?: number; expected_views?: number } = {},
): Candidate => {
  const { price_cents = 45_000, expected_views = 18_000, ...rest } = over;
  return {
    creator_id: randomUUID(),
    name: 'Ada Example',
    avatar_url: null,
    followers: 28_000,
    reach_band: 'micro',
    country: null,
    posts_per_week: 7,
    views_source: 'network',
    vetting: null,
    engagement_rate: 2.1,
    match_score: 80,
    match_label: 'Strong match',
    match_topic: 'posts on startup founders in 14 of the last 30 posts',
    weights: [0.4],
    units: [
      {
        unit_id: randomUUID(),
        format: 'post',
        deliverable: 'One post',
        price_cents,
        expected_views,
        views_low: Math.round(expected_views / 2),
        views_high: Math.round(expected_views * 1.5),
      },
    ],
    ...rest,
  };
};

/** A line of a unit on the first day of the plan's window. */
export const aLine = (unit: UnitFacts, over: Partial<Line> = {}): Line => ({
  id: randomUUID(),
  channel: unit.channel,
  slot: 'Launch day, post',
  scheduled_date: '2026-12-01',
  price_cents: unit.price_cents,
  creator_id: unit.creator_id,
  unit_id: unit.unit_id,
  format: unit.format,
  deliverable: unit.deliverable,
  creator: {
    name: unit.name,
    avatar_url: unit.avatar_url,
    followers: unit.followers,
    reach_band: unit.reach_band,
  },
  vetting: unit.vetting,
  reason: 'Strong match: posts on startup founders in 14 of the last 30 posts; 9,000 to 27,000 expected views.',
  match_score: unit.match_score,
  written_by: 'builder',
  expected_views: unit.expected_views,
  views_low: unit.views_low,
  views_high: unit.views_high,
  engagement_rate: unit.engagement_rate,
  ...over,
});

/** A launch campaign of December 2026 with a budget of $5,000. */
export const aCampaign = (over: Partial<Campaign> = {}): Campaign => ({
  _id: randomUUID(),
  ws: randomUUID(),
  number: 1,
  rev: 1,
  goal: 'launch',
  product: 'Acme Rocket',
  moment: 'Goes live on 1 December 2026',
  window_start: '2026-12-01',
  window_end: '2026-12-20',
  budget_cents: 500_000,
  audience: 'Founders of young software companies',
  geography: 'Worldwide',
  company: 'Acme',
  company_summary: null,
  desired_outcome: 'Views and sign-ups on launch day',
  category: null,
  name: 'Acme, launch, December 2026',
  renamed_to: null,
  segments: FOUNDERS,
  unresolved: false,
  taxonomy_version: 1,
  guidelines: NO_GUIDELINES,
  intent_status: 'ready',
  open_change: false,
  sent_to_team_at: null,
  archived_at: null,
  created_at: NOW,
  plan_id: null,
  no_plan: null,
  build: null,
  brief: null,
  change_request: null,
  ...over,
});

/** The plan of a campaign, awaiting approval, with these lines. */
export const aPlan = (campaign: Campaign, lines: Line[], over: Partial<Plan> = {}): Plan =>
  withFingerprint({
    _id: randomUUID(),
    ws: campaign.ws,
    campaign_id: campaign._id,
    version: 1,
    status: 'awaiting_approval',
    terms_fingerprint: '',
    currency: 'USD',
    launch_window_start: campaign.window_start,
    launch_window_end: campaign.window_end,
    moment_offset: 0,
    lines,
    written_by: 'builder',
    sent_at: NOW,
    approved_at: null,
    order: null,
    gap: null,
    ...over,
  });

/** The unpaid order of a signed plan. */
export const aPlanOrder = (over: Partial<PlanOrder> = {}): PlanOrder => ({
  order_id: randomUUID(),
  version: 0,
  total_cents: 40_000,
  currency: 'USD',
  signed_at: NOW,
  payment_state: 'unpaid',
  paid_at: null,
  refunded_at: null,
  cancelled_at: null,
  ...over,
});

/** What proposals say about a line of a plan whose offer goes out, as far as planning reads it. */
export const aLineChange = (plan: Plan, over: object = {}, index = 0) => ({
  workspace: plan.ws,
  plan_id: plan._id,
  order_id: plan.order?.order_id ?? randomUUID(),
  line_id: plan.lines[index]?.id,
  version: 1,
  creator_id: plan.lines[index]?.creator_id,
  scheduled_date: '2026-12-01',
  booked: false,
  cancelled: false,
  proposal: { state: 'sending', replaced_creator_id: null, updated_at: NOW.toISOString() },
  ...over,
});

/** What metrics says about the post of a line that is booked, as far as planning reads it. */
export const aPostChange = (plan: Plan, over: object = {}, index = 0) => ({
  workspace: plan.ws,
  plan_id: plan._id,
  line_id: plan.lines[index]?.id,
  version: 1,
  status: 'booked',
  blocked_reason: null,
  published_at: null,
  still_up_at: null,
  ...over,
});

/** Billing's part of a quote while payments are open and nothing is spent. */
export const someQuoteFacts = (over: Partial<QuoteFacts> = {}): QuoteFacts => ({
  payment_options: [{ rail: 'checkout', label: 'Card checkout', clears: 'At once' }],
  agent_payment: 'checkout',
  payments_open: true,
  current_terms: { version: '2026-11-01', number: 1 },
  accepted_terms_number: 1,
  terms_url: 'http://localhost/terms/brand/2026-11-01',
  spent_this_month_cents: 0,
  order: null,
  ...over,
});

/** What a brand sends to begin a launch campaign of December 2026. */
export const A_LAUNCH = {
  goal: 'launch' as const,
  product: 'Acme Rocket',
  moment: 'Live on 5 December 2026',
  window_start: '2026-12-01',
  window_end: '2026-12-20',
  budget_usd: 1_000,
  audience: 'Founders of young software companies',
};

/** How billing asks for the signature of a plan. */
export const aSigning = (plan: Plan, over: Partial<Input<'plan_sign'>> = {}): Input<'plan_sign'> => ({
  signing_id: randomUUID(),
  id: plan._id,
  order_id: randomUUID(),
  version: plan.version,
  terms_fingerprint: plan.terms_fingerprint,
  total_cents: plan.lines.reduce((sum, line) => sum + line.price_cents, 0),
  approved_at: NOW.toISOString(),
  rail: 'checkout',
  pay_token: 'token',
  pay_expires_at: '2026-12-05T12:00:00.000Z',
  current_terms: { version: '2026-11-01', number: 1 },
  spent_cents: 0,
  ...over,
});
