import type { WriteHandler } from '@cds/service';
import { type ArchivingDeps, archiving } from '../changes/archiving.js';

/**
 * Archives a campaign: no more edits, signing, rename or guidelines; paid work continues. Raises not_found. Source:
 * docs/domain/plans.md#states.
 */
export const campaignArchive: WriteHandler<'campaign_archive', ArchivingDeps> = (ctx, input, deps) =>
  archiving(ctx, input.id, ctx.now, deps);
