import { LINE_STAGES, PLAN_CHANNELS, type Policy, type QuoteLine, type QuotePart } from '@cds/contracts';
import { overBudget } from '../domain/edits/repricing.js';
import { type Line, type PlanWithCampaign, totalOf, type UnitMap } from '../domain/plan.js';
import { notesOf, type Shared } from '../domain/quote/notes.js';
import { isOnSale } from '../domain/quote/on-sale.js';
import { type LineProgress, lineStage, lineStatus, NO_PROGRESS } from '../domain/quote/stage.js';
import { totalsOf } from '../domain/quote/totals.js';
import type { Revealed } from './revealed.js';

/** What a quote is presented from. `progress` is what events said about paid lines. */
export type QuoteView = PlanWithCampaign & {
  units: UnitMap;
  progress: ReadonlyMap<string, LineProgress>;
  revealed: Revealed;
  policy: Policy;
  today: string;
  now: Date;
  /** Creators who are in other plans too; absent where nobody looked. */
  shared?: readonly Shared[] | undefined;
};

/**
 * Planning's part of the quote; lines of a signed plan stay as signed (docs/specification.md#quote,
 * docs/domain/plans.md#quote, docs/domain/plans.md#where-fields-come-from).
 */
export const quotePart = (view: QuoteView): QuotePart => {
  const { plan, campaign, units } = view;
  return {
    plan_id: plan._id,
    campaign_id: plan.campaign_id,
    version: plan.version,
    status: plan.status,
    currency: plan.currency,
    launch_window_start: plan.launch_window_start,
    launch_window_end: plan.launch_window_end,
    terms_fingerprint: plan.terms_fingerprint,
    total_cents: totalOf(plan.lines),
    totals: totalsOf(plan.lines, campaign.budget_cents),
    lines: plan.lines.map((line) => quoteLine(line, view)),
    policy: view.policy,
    blocked_lines: plan.lines.filter((line) => statusOf(line, view) === 'blocked').map((line) => line.id),
    over_budget: overBudget(plan, units, campaign.budget_cents),
    valid_while: 'terms_fingerprint_unchanged',
    notes: notesOf({ campaign, plan, shared: view.shared ?? [], now: view.now }),
  };
};

const isSigned = ({ plan }: QuoteView): boolean => plan.status === 'approved';

const onSale = (line: Line, view: QuoteView): boolean =>
  isOnSale(line, view.units, { signed: isSigned(view), today: view.today });

const statusOf = (line: Line, view: QuoteView) =>
  lineStatus(view.progress.get(line.id) ?? NO_PROGRESS, view.plan.order?.payment_state ?? null, {
    signed: isSigned(view),
    onSale: onSale(line, view),
  });

const quoteLine = (line: Line, view: QuoteView): QuoteLine => {
  const stage = lineStage(view.progress.get(line.id) ?? NO_PROGRESS, view.plan.order?.payment_state ?? null);
  return {
    id: line.id,
    creator: creatorOf(line, view.revealed),
    creator_id: line.creator_id,
    unit_id: line.unit_id,
    stage_id: stage,
    stage: LINE_STAGES[stage],
    channel: line.channel,
    channel_label: channelLabel(line.channel),
    format: line.format,
    deliverable: line.deliverable,
    scheduled_date: line.scheduled_date,
    price_cents: line.price_cents,
    vetting: line.vetting,
    reason: line.reason,
    match_score: line.match_score ?? null,
    expected_views_low: line.views_low,
    expected_views_high: line.views_high,
    on_sale: onSale(line, view),
  };
};

const creatorOf = (line: Line, revealed: Revealed): QuoteLine['creator'] => {
  if (line.creator_id === null || line.creator === null) return null;
  const { name, avatar_url, followers } = line.creator;
  return {
    id: line.creator_id,
    name,
    handle: revealed.handle(line.creator_id),
    profile_url: revealed.profileUrl(line.creator_id),
    ...(avatar_url === null ? {} : { avatar_url }),
    ...(followers === null ? {} : { followers }),
  };
};

/** The label of a channel for display; Other for a channel without one. */
export const channelLabel = (channel: string): string =>
  Object.entries(PLAN_CHANNELS).find(([id]) => id === channel)?.[1] ?? PLAN_CHANNELS.other;
