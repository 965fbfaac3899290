import type { BriefSaved, CampaignSummary } from '@cds/contracts';
import type { Brief } from '../domain/plan.js';

/** A stored brief, with its campaign's row and the fields still missing (docs/domain/access.md#developers-area). */
export const briefSaved = (campaign: CampaignSummary, brief: Brief, missing: string[]): BriefSaved => ({
  campaign,
  brief: Object.fromEntries(Object.entries(brief).filter(([, value]) => value !== undefined)),
  missing,
});
