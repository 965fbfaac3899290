import type { CampaignSummary } from '@cds/contracts';
import type { Change, Ctx } from '@cds/service';
import { type SummaryDeps, summaryOf } from '../load/campaign-summary.js';
import { campaignNamed } from '../load/named.js';
import type { Campaigns } from '../store/campaigns.js';
import { campaignChange, unchanged } from './campaign-change.js';

export type ArchivingDeps = SummaryDeps & { campaigns: Campaigns };

/** Works in any stage; changes nothing if the campaign is there already. */
export const archiving = async (
  ctx: Ctx,
  id: string,
  archivedAt: Date | null,
  deps: ArchivingDeps,
): Promise<Change<CampaignSummary>> => {
  const campaign = await campaignNamed(deps.campaigns, ctx, id);
  const { row } = await summaryOf(deps, campaign);
  if ((campaign.archived_at === null) === (archivedAt === null)) return unchanged(row(campaign));

  const set = { archived_at: archivedAt };

  return campaignChange(row({ ...campaign, ...set }), {
    ctx,
    campaigns: deps.campaigns,
    before: campaign,
    set,
    action: archivedAt === null ? 'campaign.unarchive' : 'campaign.archive',
    details: {},
    archive: 'either',
  });
};
