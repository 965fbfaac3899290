import type { WriteHandler } from '@cds/service';
import { type ArchivingDeps, archiving } from '../changes/archiving.js';

/** Raises not_found. Source: docs/domain/plans.md#states. */
export const campaignUnarchive: WriteHandler<'campaign_unarchive', ArchivingDeps> = (ctx, input, deps) =>
  archiving(ctx, input.id, null, deps);
