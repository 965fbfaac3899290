import type { CampaignStage, OpsCampaign } from '@cds/contracts';
import { type Campaign, type Plan, totalOf } from '../domain/plan.js';

export const presentOpsCampaign = (campaign: Campaign, plan: Plan | null, stage: CampaignStage): OpsCampaign => ({
  id: campaign._id,
  workspace: campaign.ws,
  company: campaign.company,
  campaign: campaign.name,
  product: campaign.product,
  audience: campaign.audience,
  geography: campaign.geography,
  budget_cents: campaign.budget_cents,
  stage_id: stage,
  open_change: campaign.open_change,
  change_request:
    campaign.change_request === null
      ? null
      : {
          message: campaign.change_request.message,
          asked_at: campaign.change_request.asked_at.toISOString(),
        },
  plan:
    plan === null
      ? null
      : {
          id: plan._id,
          version: plan.version,
          status: plan.status,
          total_cents: totalOf(plan.lines),
          lines: plan.lines.map(({ id, creator_id, unit_id, format, scheduled_date, price_cents }) => ({
            id,
            creator_id,
            unit_id,
            format,
            scheduled_date,
            price_cents,
          })),
        },
  launch_window_start: campaign.window_start,
  launch_window_end: campaign.window_end,
  sent_to_team_at: campaign.sent_to_team_at?.toISOString() ?? null,
  archived_at: campaign.archived_at?.toISOString() ?? null,
  created_at: campaign.created_at.toISOString(),
});
