import type { BriefSaved, CampaignSummary } from '@cds/contracts';
import type { Brief } from '../domain/plan.js';

export const briefSaved = (campaign: CampaignSummary, brief: Brief, missing: string[]): BriefSaved => ({
  campaign,
  brief: Object.fromEntries(Object.entries(brief).filter(([, value]) => value !== undefined)),
  missing,
});
