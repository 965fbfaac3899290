import { clockSet } from '../clock.js';
import { eventOperations } from '../event-operations.js';
import { briefOperations } from './briefs.js';
import { campaignInputOperations } from './campaign-input.js';
import { campaignStatusOperations } from './campaign-status.js';
import { campaignOperations } from './campaigns.js';
import { contextOperations } from './context.js';
import { guidelineOperations } from './guidelines.js';
import { historyOperations } from './history.js';
import { planEditOperations } from './plan-edits.js';
import { quoteOperations } from './quote.js';
import { rationaleOperations } from './rationale.js';
import { sandboxUnitOperations } from './sandbox-units.js';
import { screeningOperations } from './screening.js';
import { signingOperations } from './signing.js';

/** Every operation of planning, by resource. */
export const planningOperations = {
  ...campaignOperations,
  ...campaignInputOperations,
  ...campaignStatusOperations,
  ...briefOperations,
  ...guidelineOperations,
  ...screeningOperations,
  ...quoteOperations,
  ...rationaleOperations,
  ...historyOperations,
  ...planEditOperations,
  ...signingOperations,
  ...contextOperations,
  ...sandboxUnitOperations,
  ...clockSet('planning'),
  ...eventOperations('planning'),
} as const;
