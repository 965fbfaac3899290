import type { CampaignSummary } from '@cds/contracts';
import type { Change, Ctx, WriteHandler } from '@cds/service';
import { campaignChange, unchanged } from '../changes/campaign-change.js';
import { campaignNamed, type SummaryDeps, summaryOf } from '../load/campaigns.js';
import type { Campaigns } from '../store/campaigns.js';

/** Raises not_found. Source: docs/domain/plans.md#states. */
export const campaignArchive: WriteHandler<'campaign_archive', ArchivingDeps> = (ctx, input, deps) =>
  archiving(ctx, input.id, ctx.now, deps);

/** Raises not_found. Source: docs/domain/plans.md#states. */
export const campaignUnarchive: WriteHandler<'campaign_unarchive', ArchivingDeps> = (ctx, input, deps) =>
  archiving(ctx, input.id, null, deps);

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
