import type { EventPayload } from '@cds/contracts';
import { displayName } from '../domain/campaign/campaign-writes.js';
import { type ContextVersion, inForce } from '../domain/campaign/context.js';
import { type Campaign, type Plan, totalOf } from '../domain/plan.js';

/** `rev` is the aggregate's version. */
export const campaignChanged = (
  campaign: Campaign,
): { name: 'campaign.changed'; payload: EventPayload<'campaign.changed'> } => ({
  name: 'campaign.changed',
  payload: {
    aggregate: campaign._id,
    version: campaign.rev,
    workspace: campaign.ws,
    campaign_id: campaign._id,
    campaign: campaign.name,
    display_name: displayName(campaign),
    company: campaign.company,
    product: campaign.product,
    window_start: campaign.window_start,
    window_end: campaign.window_end,
    archived_at: campaign.archived_at?.toISOString() ?? null,
    guidelines: campaign.guidelines,
    status: {
      objective: campaign.desired_outcome,
      created_at: campaign.created_at.toISOString(),
      intent_status: campaign.intent_status,
      open_change: campaign.open_change,
      sent_to_team_at: campaign.sent_to_team_at?.toISOString() ?? null,
      budget_cents: campaign.budget_cents,
      moment: campaign.moment,
      launch_post_url: campaign.launch_post_url ?? null,
      replacements: campaign.replacements ?? 'auto',
      no_plan: campaign.no_plan,
    },
  },
});

/** Signing keeps the plan's version, so its event counts one more; consumers would drop it as a repeat. */
export const planChanged = (plan: Plan): { name: 'plan.changed'; payload: EventPayload<'plan.changed'> } => ({
  name: 'plan.changed',
  payload: {
    aggregate: plan._id,
    version: plan.status === 'approved' ? plan.version + 1 : plan.version,
    workspace: plan.ws,
    campaign_id: plan.campaign_id,
    status: plan.status,
    terms_fingerprint: plan.terms_fingerprint,
    total_cents: totalOf(plan.lines),
    creator_ids: [...new Set(plan.lines.flatMap((line) => (line.creator_id === null ? [] : [line.creator_id])))],
    plan: {
      version: plan.version,
      currency: plan.currency,
      launch_window_start: plan.launch_window_start,
      launch_window_end: plan.launch_window_end,
      sent_at: plan.sent_at.toISOString(),
      approved_at: plan.approved_at?.toISOString() ?? null,
      lines: plan.lines.map((line) => ({
        id: line.id,
        channel: line.channel,
        slot: line.slot,
        scheduled_date: line.scheduled_date,
        price_cents: line.price_cents,
        creator_id: line.creator_id,
        unit_id: line.unit_id,
        format: line.format,
        expected_views_low: line.views_low,
        expected_views_high: line.views_high,
      })),
    },
  },
});

export const campaignDeleted = (
  campaign: Campaign,
): { name: 'campaign.changed'; payload: EventPayload<'campaign.changed'> } => {
  const { name, payload } = campaignChanged({ ...campaign, rev: campaign.rev + 1 });
  return { name, payload: { ...payload, deleted: true } };
};

export const contextChanged = (
  workspace: string,
  versions: readonly ContextVersion[],
): EventPayload<'context.changed'> => {
  const { version, name, audience } = inForce(versions);
  return { aggregate: workspace, version, workspace, name, audience };
};
