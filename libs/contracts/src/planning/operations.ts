import { clockSet } from '../clock.js';
import { mandateTry } from '../mandate-try.js';
import { shellOperations } from '../shell-operations.js';
import { briefOperations } from './briefs.js';
import { campaignInputOperations } from './campaign-input.js';
import { campaignStatusOperations } from './campaign-status.js';
import { campaignOperations } from './campaigns.js';
import { contextOperations } from './context.js';
import { guidelineOperations } from './guidelines.js';
import { historyOperations } from './history.js';
import { opsCampaignOperations } from './ops-campaigns.js';
import { planEditOperations } from './plan-edits.js';
import { preflightOperations } from './preflight.js';
import { quoteOperations } from './quote.js';
import { rationaleOperations } from './rationale.js';
import { replacementOperations } from './replacements.js';
import { sandboxUnitOperations } from './sandbox-units.js';
import { screeningOperations } from './screening.js';
import { signingOperations } from './signing.js';
import { startLimitOperations } from './start-limits.js';
import { writeRefusalOperations } from './write-refusals.js';

export const planningOperations = {
  ...campaignOperations,
  ...campaignInputOperations,
  ...campaignStatusOperations,
  ...startLimitOperations,
  ...briefOperations,
  ...guidelineOperations,
  ...screeningOperations,
  ...opsCampaignOperations,
  ...quoteOperations,
  ...preflightOperations,
  ...rationaleOperations,
  ...historyOperations,
  ...planEditOperations,
  ...signingOperations,
  ...replacementOperations,
  ...writeRefusalOperations,
  ...contextOperations,
  ...sandboxUnitOperations,
  ...mandateTry('planning'),
  ...clockSet('planning'),
  ...shellOperations('planning'),
} as const;
