import type { WriteHandler } from '@cds/service';
import { type ArchivingDeps, archiving } from '../changes/archiving.js';

/** Raises not_found. Source: docs/domain/plans.md#states. */
export const campaignArchive: WriteHandler<'campaign_archive', ArchivingDeps> = (ctx, input, deps) =>
  archiving(ctx, input.id, ctx.now, deps);
