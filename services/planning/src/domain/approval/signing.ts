import type { OrderCampaign, OrderLine, Refusal } from '@cds/contracts';
import { displayName } from '../campaign/campaign-writes.js';
import { pricesMoved, repricedVersion } from '../edits/repricing.js';
import { type Campaign, type Plan, totalOf } from '../plan.js';
import { type ApprovalFacts, approvalRefusal, termsChanged } from './approval.js';

export type Signing = { kind: 'sign'; plan: Plan } | { kind: 'refuse'; refusal: Refusal; repriced: Plan | null };

/** On prices that were just read; a move within the budget reads as terms_changed (docs/reliability.md#signing). */
export const decideSigning = (
  facts: ApprovalFacts & { fingerprint: string },
  of: { orderId: string; approvedAt: Date; totalCents: number },
): Signing => {
  const { plan, campaign, units } = facts;
  const moved = pricesMoved(plan, units, campaign.budget_cents);
  const repriced = moved ? repricedVersion(plan, plan.lines, units, campaign) : null;
  const refusal = approvalRefusal({ ...facts, plan: repriced ?? plan });
  if (refusal !== null)
    return { kind: 'refuse', refusal, repriced: refusal.reason === 'terms_changed' ? repriced : null };
  if (totalOf(plan.lines) !== of.totalCents) return { kind: 'refuse', refusal: termsChanged(plan), repriced: null };
  return { kind: 'sign', plan: signed(plan, of) };
};

const signed = (plan: Plan, of: { orderId: string; approvedAt: Date }): Plan => ({
  ...plan,
  status: 'approved',
  approved_at: of.approvedAt,
  order: {
    order_id: of.orderId,
    version: 0,
    total_cents: totalOf(plan.lines),
    currency: plan.currency,
    signed_at: of.approvedAt,
    payment_state: 'unpaid',
    paid_at: null,
    refunded_at: null,
    cancelled_at: null,
  },
});

/** The lines as the order freezes them, numbered from 1 in the plan's order (docs/domain/orders.md#payment-states). */
export const orderLines = (plan: Plan): OrderLine[] =>
  plan.lines.map((line, index) => ({
    line_id: line.id,
    number: index + 1,
    channel: line.channel,
    slot: line.slot,
    ...(line.written_by === 'team' ? { team_slot: true as const } : {}),
    creator_id: line.creator_id,
    unit_id: line.unit_id,
    format: line.format,
    deliverable: line.deliverable,
    scheduled_date: line.scheduled_date,
    price_cents: line.price_cents,
    expected_views: line.expected_views,
    views_low: line.views_low,
    views_high: line.views_high,
    engagement_rate: line.engagement_rate,
  }));

/** `seed` is that of a sandbox's creators, null for a live workspace or before the first reset. */
export const orderCampaign = (campaign: Campaign, plan: Plan, seed: number | null): OrderCampaign => ({
  campaign_id: campaign._id,
  campaign_number: campaign.number,
  ...(seed === null ? {} : { seed }),
  campaign: displayName(campaign),
  company: campaign.company,
  product: campaign.product,
  launch_window_start: plan.launch_window_start,
  launch_window_end: plan.launch_window_end,
  goal: campaign.goal,
  moment_offset: plan.moment_offset,
});
