import { asksOf } from '@cds/contracts';
import type { MandateChecks, WriteHandler } from '@cds/service';
import { campaignChange } from '../changes/campaign-change.js';
import { campaignGate } from '../domain/campaign/campaign-writes.js';
import { displayName } from '../domain/campaign/names.js';
import { campaignNamed } from '../load/named.js';
import type { Campaigns } from '../store/campaigns.js';

/**
 * Replaces a campaign's stored name, which lists then show. Raises not_found, conflict (archived), mandate_refused.
 * Source: docs/specification.md#rename-a-campaign, docs/domain/plans.md#names, docs/domain/plans.md#edits.
 */
export const renameCampaign: WriteHandler<'rename_campaign', { campaigns: Campaigns; checks: MandateChecks }> = async (
  ctx,
  input,
  { campaigns, checks },
) => {
  const campaign = await campaignNamed(campaigns, ctx, input.id);
  const gate = campaignGate({ campaign, mandate: ctx.principal.mandate, now: ctx.now });
  const asked = asksOf(ctx.now);
  if (gate !== null) throw checks.refused(ctx, 'rename_campaign', gate, asked);

  const set = { name: input.name, renamed_to: input.name };

  return campaignChange(
    { id: campaign._id, campaign: set.name, display_name: displayName({ ...campaign, ...set }) },
    {
      ctx,
      campaigns,
      before: campaign,
      set,
      action: 'campaign.rename',
      details: { name: input.name },
      passed: (tx) => checks.passed(tx, ctx, 'rename_campaign', asked),
    },
  );
};
