import type { WriteHandler } from '@cds/service';
import { type ArchivingDeps, archiving } from '../changes/archiving.js';

/**
 * Takes a campaign out of the archive, in the stage it is in. Raises not_found. Source: docs/domain/plans.md#states.
 */
export const campaignUnarchive: WriteHandler<'campaign_unarchive', ArchivingDeps> = (ctx, input, deps) =>
  archiving(ctx, input.id, null, deps);
