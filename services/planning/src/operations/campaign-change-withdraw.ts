import type { WriteHandler } from '@cds/service';
import type { ArchivingDeps } from '../changes/archiving.js';
import { campaignChange, unchanged } from '../changes/campaign-change.js';
import { summaryOf } from '../load/campaign-summary.js';
import { campaignNamed } from '../load/named.js';

/** Changes nothing when there is none. Raises not_found. Source: docs/domain/plans.md#states. */
export const campaignChangeWithdraw: WriteHandler<'campaign_change_withdraw', ArchivingDeps> = async (
  ctx,
  input,
  deps,
) => {
  const campaign = await campaignNamed(deps.campaigns, ctx, input.id);
  const { row } = await summaryOf(deps, campaign);
  if (!campaign.open_change) return unchanged(row(campaign));

  const set = { open_change: false, change_request: null };

  return campaignChange(row({ ...campaign, ...set }), {
    ctx,
    campaigns: deps.campaigns,
    before: campaign,
    set,
    action: 'campaign.change_withdraw',
    details: {},
    archive: 'either',
  });
};
