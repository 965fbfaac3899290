import {
  ARCHIVED_LABEL,
  CAMPAIGN_STAGES,
  type CampaignStage,
  type CampaignStarted,
  type CampaignSummary,
  type Proposal,
  type Quote,
} from '@cds/contracts';
import { noPlanMessage } from '../domain/campaign/campaign-input.js';
import { displayName } from '../domain/campaign/campaign-writes.js';
import type { Campaign, Line, Plan, StagedPlan } from '../domain/plan.js';
import type { LineAhead } from '../domain/quote/line-next.js';
import { notesOf, type Shared } from '../domain/quote/notes.js';
import { campaignStage, type LineProgress, lineStage, NO_PROGRESS, waitsOnYou } from '../domain/quote/stage.js';

export type ProposalView = {
  state: Proposal['state'];
  creator_id: string;
  replaced_creator_id: string | null;
  updated_at: string;
};

export type LineView = {
  progress: LineProgress;
  proposal: ProposalView | null;
  scheduled_date: string | null;
  ahead: LineAhead;
  /** What the newest proposal's creator sells; absent in facts of older events. */
  filled?: { unit_id: string | null; deliverable: string; views_low: number | null; views_high: number | null };
};

export type LineViews = ReadonlyMap<string, LineView>;

export type CampaignView = { campaign: Campaign; plan: Plan | null; lines: LineViews };

export type StageView = { campaign: Campaign; plan: StagedPlan | null; progress: readonly LineProgress[] };

export const progressOf = (line: Pick<Line, 'id'>, lines: LineViews): LineProgress =>
  lines.get(line.id)?.progress ?? NO_PROGRESS;

export const stageView = ({ campaign, plan, lines }: CampaignView): StageView => ({
  campaign,
  plan,
  progress: (plan?.lines ?? []).map((line) => progressOf(line, lines)),
});

export const stageOf = ({ campaign, plan, progress }: StageView): CampaignStage => {
  const order = plan?.order?.payment_state ?? null;
  return campaignStage({
    plan: plan?.status ?? null,
    order,
    lines: progress.map((line) => lineStage(line, order)),
    sentToTeam: campaign.sent_to_team_at !== null,
  });
};

export const stageWords = (stage: CampaignStage, campaign: Campaign): Pick<CampaignSummary, 'stage_id' | 'stage'> => ({
  stage_id: stage,
  stage: campaign.archived_at === null ? CAMPAIGN_STAGES[stage] : ARCHIVED_LABEL,
});

export const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const campaignSummary = (view: CampaignView): CampaignSummary => summaryOfStage(stageView(view));

export const summaryOfStage = (view: StageView): CampaignSummary => {
  const { campaign, plan } = view;
  const stage = stageOf(view);
  return {
    id: campaign._id,
    display_name: displayName(campaign),
    company: campaign.company,
    product: campaign.product,
    objective: campaign.desired_outcome,
    created_at: campaign.created_at.toISOString(),
    plan_status: plan?.status ?? null,
    open_change: campaign.open_change,
    intent_status: campaign.intent_status,
    ...stageWords(stage, campaign),
    waits_on_you: waitsOnYou({
      stage,
      archived: campaign.archived_at !== null,
      openChange: campaign.open_change,
      order: plan?.order?.payment_state ?? null,
    }),
    refunded_at: iso(plan?.order?.refunded_at ?? null),
    archived_at: iso(campaign.archived_at),
  };
};

export const campaignStarted = (
  campaign: Campaign,
  plan: Plan | null,
  quote: Quote | null,
  defaults: CampaignStarted['defaults'],
  { now, shared }: { now: Date; shared: readonly Shared[] },
): CampaignStarted => {
  const cents = campaign.budget_cents ?? 0;
  return {
    id: campaign._id,
    campaign: campaign.name,
    display_name: displayName(campaign),
    ...stageWords(stageOf(stageView({ campaign, plan, lines: new Map() })), campaign),
    created_at: campaign.created_at.toISOString(),
    budget_usd: cents / 100,
    budget_cents: cents,
    defaults,
    plan: quote,
    no_plan:
      campaign.no_plan === null
        ? null
        : { reason: campaign.no_plan, message: noPlanMessage(campaign.no_plan, campaign) },
    notes: notesOf({ campaign, plan, shared, now }),
  };
};
