import type { WriteHandler } from '@cds/service';
import { type ArchivingDeps, archiving } from '../changes/archiving.js';

/** Archives a campaign: edits, signing, rename and guidelines end, paid work goes on. Raises not_found. Source: 2-plans 7. */
export const campaignArchive: WriteHandler<'campaign_archive', ArchivingDeps> = (ctx, input, deps) =>
  archiving(ctx, input.id, ctx.now, deps);
