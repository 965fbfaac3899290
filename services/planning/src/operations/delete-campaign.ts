import { asksOf } from '@cds/rules';
import { actorOf, change, type MandateChecks, type WriteHandler } from '@cds/service';
import { deletionRefusal } from '../domain/campaign/campaign-writes.js';
import { campaignNamed } from '../load/campaigns.js';
import { campaignDeleted } from '../present/events.js';
import type { Campaigns } from '../store/campaigns.js';

/** Raises not_found, mandate_refused, conflict (has_plan, not_draft). Source: docs/domain/plans.md#states. */
export const deleteCampaign: WriteHandler<'delete_campaign', { campaigns: Campaigns; checks: MandateChecks }> = async (
  ctx,
  input,
  { campaigns, checks },
) => {
  const campaign = await campaignNamed(campaigns, ctx, input.id);
  const refusal = deletionRefusal({ campaign, mandate: ctx.principal.mandate, now: ctx.now });
  const asked = asksOf(ctx.now);
  if (refusal !== null) throw checks.refused(ctx, 'delete_campaign', refusal, asked);

  return change(
    { id: campaign._id, deleted: true as const },
    {
      save: async (tx) => {
        await campaigns.delete(tx, campaign);
        await checks.passed(tx, ctx, 'delete_campaign', asked);
      },
      events: [campaignDeleted(campaign)],
      audit: [
        {
          ws: campaign.ws,
          actor: actorOf(ctx),
          action: 'campaign.delete',
          object: campaign._id,
          payload: { name: campaign.name },
        },
      ],
    },
  );
};
