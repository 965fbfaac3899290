export { campaignArchive, campaignUnarchive } from './operations/campaign-archive.js';
export { campaignBudgetSet } from './operations/campaign-budget-set.js';
export { campaignChangeRequest, campaignChangeWithdraw } from './operations/campaign-change-request.js';
export { campaignBriefSet, campaignDraft, campaignSend } from './operations/campaign-draft.js';
export { campaignKnown, campaignTexts, creatorBrief } from './operations/campaign-facts.js';
export { campaignStatus } from './operations/campaign-status.js';
export { campaignsList } from './operations/campaigns-list.js';
export { contextRead } from './operations/context-read.js';
export { brainGet, contextConfirm, contextGet, contextPut, contextSet, contextVersion } from './operations/contexts.js';
export { campaignInputProblems, createCampaign, startLimits } from './operations/create-campaign.js';
export { deleteCampaign } from './operations/delete-campaign.js';
export { planningMandateTry, writeRefusalGet } from './operations/mandate-checks.js';
export {
  opsCampaignAnswer,
  opsCampaignPlan,
  opsCampaignScreening,
  opsCampaignsList,
} from './operations/ops-campaigns.js';
export { planAddCreator } from './operations/plan-add-creator.js';
export { planHistory } from './operations/plan-history.js';
export { planMoveDates } from './operations/plan-move-dates.js';
export { planPreflight } from './operations/plan-preflight.js';
export { planQuote } from './operations/plan-quote.js';
export { planRationale } from './operations/plan-rationale.js';
export { planRemoveCreator } from './operations/plan-remove-creator.js';
export { planSign, planSignClose } from './operations/plan-sign.js';
export { planSwapCreator } from './operations/plan-swap-creator.js';
export { planTerms } from './operations/plan-terms.js';
export { planningClockSet } from './operations/planning-clock-set.js';
export { renameCampaign } from './operations/rename-campaign.js';
export { replacementCandidates, replacementUnit } from './operations/replacements.js';
export { sandboxUnitClear, sandboxUnitSet } from './operations/sandbox-unit-set.js';
export { setCreatorGuidelines } from './operations/set-creator-guidelines.js';
