import type { AdvanceClock, BaseShell, Begin, Client, Clocks, Handlers, MandateChecks, RowRunner } from '@cds/service';
import type { Plan } from './domain/plan.js';
import type { CurrentUnits } from './load/current-units.js';
import { brainGet } from './operations/brain-get.js';
import { campaignArchive } from './operations/campaign-archive.js';
import { campaignBriefSet } from './operations/campaign-brief-set.js';
import { campaignBudgetSet } from './operations/campaign-budget-set.js';
import { campaignChangeRequest } from './operations/campaign-change-request.js';
import { campaignChangeWithdraw } from './operations/campaign-change-withdraw.js';
import { campaignDraft } from './operations/campaign-draft.js';
import { campaignInputProblems } from './operations/campaign-input-problems.js';
import { campaignKnown } from './operations/campaign-known.js';
import { campaignSend } from './operations/campaign-send.js';
import { campaignStatus } from './operations/campaign-status.js';
import { campaignTexts } from './operations/campaign-texts.js';
import { campaignUnarchive } from './operations/campaign-unarchive.js';
import { campaignsList } from './operations/campaigns-list.js';
import { contextConfirm } from './operations/context-confirm.js';
import { contextGet } from './operations/context-get.js';
import { contextPut } from './operations/context-put.js';
import { contextRead } from './operations/context-read.js';
import { contextSet } from './operations/context-set.js';
import { contextVersion } from './operations/context-version.js';
import { createCampaign } from './operations/create-campaign.js';
import { creatorBrief } from './operations/creator-brief.js';
import { deleteCampaign } from './operations/delete-campaign.js';
import { opsCampaignAnswer } from './operations/ops-campaign-answer.js';
import { opsCampaignPlan } from './operations/ops-campaign-plan.js';
import { opsCampaignScreening } from './operations/ops-campaign-screening.js';
import { opsCampaignsList } from './operations/ops-campaigns-list.js';
import { planAddCreator } from './operations/plan-add-creator.js';
import { planHistory } from './operations/plan-history.js';
import { planMoveDates } from './operations/plan-move-dates.js';
import { planPreflight } from './operations/plan-preflight.js';
import { planQuote } from './operations/plan-quote.js';
import { planRationale } from './operations/plan-rationale.js';
import { planRemoveCreator } from './operations/plan-remove-creator.js';
import { planSign } from './operations/plan-sign.js';
import { planSignClose } from './operations/plan-sign-close.js';
import { planSwapCreator } from './operations/plan-swap-creator.js';
import { planTerms } from './operations/plan-terms.js';
import { planningClockSet } from './operations/planning-clock-set.js';
import { planningMandateTry } from './operations/planning-mandate-try.js';
import { renameCampaign } from './operations/rename-campaign.js';
import { replacementCandidates } from './operations/replacement-candidates.js';
import { replacementUnit } from './operations/replacement-unit.js';
import { sandboxUnitClear } from './operations/sandbox-unit-clear.js';
import { sandboxUnitSet } from './operations/sandbox-unit-set.js';
import { setCreatorGuidelines } from './operations/set-creator-guidelines.js';
import { startLimits } from './operations/start-limits.js';
import { writeRefusalGet } from './operations/write-refusal-get.js';
import type { CampaignStarts } from './store/campaign-starts.js';
import type { Campaigns } from './store/campaigns.js';
import type { Contexts } from './store/contexts.js';
import type { LineFactsStore } from './store/line-facts.js';
import type { OfferAnswers } from './store/offer-answers.js';
import type { Plans } from './store/plans.js';
import type { PriceMoves } from './store/price-moves.js';
import type { Repricings } from './store/repricings.js';
import type { SignVerdicts } from './store/sign-verdicts.js';
import type { UnitOverrides } from './store/unit-overrides.js';
import type { FetchPage } from './website/read-website.js';

/** Everything that planning's operations use; each names what it needs. */
export type Deps = {
  campaigns: Campaigns;
  plans: Plans;
  starts: CampaignStarts;
  contexts: Contexts;
  fetchPage: FetchPage;
  verdicts: SignVerdicts;
  lineFacts: LineFactsStore;
  offerAnswers: OfferAnswers;
  overrides: UnitOverrides;
  priceMoves: PriceMoves;
  repricings: Repricings;
  rows: RowRunner;
  checks: MandateChecks;
  units: CurrentUnits;
  catalog: Client<'identity_reveal' | 'audience_resolve'>;
  billing: Client<'quote_facts'>;
  advanceClock: AdvanceClock;
  clocks: Pick<Clocks, 'now'>;
  /** Starts building the plans of a workspace that are due. */
  beginBuilding: Begin;
  /** Reprices a plan that was just stored when a price moved while it was built. */
  followPrices: (plan: Plan) => Promise<void>;
  shell: Pick<BaseShell, 'store' | 'outbox' | 'audit' | 'failpoints' | 'commands' | 'log'>;
};

/** Every operation that planning answers. */
export const handlers = {
  brainGet,
  campaignArchive,
  campaignBriefSet,
  campaignBudgetSet,
  campaignChangeRequest,
  campaignChangeWithdraw,
  campaignDraft,
  campaignInputProblems,
  campaignKnown,
  campaignSend,
  campaignStatus,
  campaignTexts,
  creatorBrief,
  campaignUnarchive,
  campaignsList,
  contextConfirm,
  contextGet,
  contextPut,
  contextRead,
  contextSet,
  contextVersion,
  createCampaign,
  deleteCampaign,
  opsCampaignAnswer,
  opsCampaignPlan,
  opsCampaignScreening,
  opsCampaignsList,
  planAddCreator,
  planHistory,
  planMoveDates,
  planPreflight,
  planQuote,
  planRationale,
  planRemoveCreator,
  planSign,
  planSignClose,
  planSwapCreator,
  planTerms,
  planningClockSet,
  planningMandateTry,
  renameCampaign,
  replacementCandidates,
  replacementUnit,
  sandboxUnitClear,
  sandboxUnitSet,
  setCreatorGuidelines,
  startLimits,
  writeRefusalGet,
} satisfies Handlers<'planning', Deps>;
