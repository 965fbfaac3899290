import {
  ARCHIVED_LABEL,
  CAMPAIGN_STAGES,
  type CampaignPlan,
  type CampaignStage,
  type CampaignStarted,
  type CampaignStatus,
  type CampaignSummary,
  LINE_STAGES,
  type LineStage,
  type LineStatus,
  type Order,
  type PlanLine,
  type Proposal,
  type Quote,
} from '@cds/contracts';
import { NO_PLAN_MESSAGES } from '../domain/campaign/campaign-input.js';
import { displayName } from '../domain/campaign/names.js';
import { type Campaign, type Line, type Plan, type PlanOrder, totalOf, type UnitMap } from '../domain/plan.js';
import { isOnSale } from '../domain/quote/on-sale.js';
import {
  campaignStage,
  type LineProgress,
  lineStage,
  lineStatus,
  NO_PROGRESS,
  waitsOnYou,
} from '../domain/quote/stage.js';
import { channelLabel } from './quote-part.js';
import type { Revealed } from './revealed.js';

/** What a line's newest proposal says, before its creators are named. */
export type ProposalView = {
  state: Proposal['state'];
  creator_id: string;
  replaced_creator_id: string | null;
  updated_at: string;
};

/** What events told of a paid line: its progress, its newest proposal, and the day it was booked for. */
export type LineView = { progress: LineProgress; proposal: ProposalView | null; scheduled_date: string | null };

export type LineViews = ReadonlyMap<string, LineView>;

/** A campaign with its plan, as lists and its own page show it. */
export type CampaignView = { campaign: Campaign; plan: Plan | null; lines: LineViews };

const progressOf = (line: Pick<Line, 'id'>, lines: LineViews): LineProgress =>
  lines.get(line.id)?.progress ?? NO_PROGRESS;

const stageOf = ({ campaign, plan, lines }: CampaignView): CampaignStage => {
  const order = plan?.order?.payment_state ?? null;
  return campaignStage({
    plan: plan?.status ?? null,
    order,
    lines: (plan?.lines ?? []).map((line) => lineStage(progressOf(line, lines), order)),
    sentToTeam: campaign.sent_to_team_at !== null,
  });
};

const stageWords = (stage: CampaignStage, campaign: Campaign): Pick<CampaignSummary, 'stage_id' | 'stage'> => ({
  stage_id: stage,
  stage: campaign.archived_at === null ? CAMPAIGN_STAGES[stage] : ARCHIVED_LABEL,
});

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** A row of GET /campaigns (spec, "CampaignSummary"). */
export const campaignSummary = (view: CampaignView): CampaignSummary => {
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

/** GET /campaigns/{id} (spec, "CampaignStatus"). `units` tells what is on sale while the plan waits for approval. */
export const campaignStatus = (
  view: CampaignView & { units: UnitMap; revealed: Revealed; today: string },
): CampaignStatus => {
  const { campaign, plan } = view;
  return {
    id: campaign._id,
    campaign: campaign.name,
    created_at: campaign.created_at.toISOString(),
    refunded_at: iso(plan?.order?.refunded_at ?? null),
    archived_at: iso(campaign.archived_at),
    intent_status: campaign.intent_status,
    plan_status: plan?.status ?? null,
    open_change: campaign.open_change,
    ...stageWords(stageOf(view), campaign),
    plan: plan === null ? null : campaignPlan(plan, view),
    order: orderOf(plan?.order ?? null),
    creator_guidelines: campaign.guidelines,
  };
};

/** An order's facts as the wire spells them. */
export const orderOf = (order: PlanOrder | null): Order | null =>
  order === null
    ? null
    : {
        payment_state: order.payment_state,
        total_cents: order.total_cents,
        currency: order.currency,
        signed_at: order.signed_at.toISOString(),
        paid_at: iso(order.paid_at),
      };

type LinesView = { lines: LineViews; units: UnitMap; revealed: Revealed; today: string };

const campaignPlan = (plan: Plan, view: LinesView): CampaignPlan => {
  const lines = plan.lines.map((line) => planLine(line, plan, view));
  return {
    id: plan._id,
    version: plan.version,
    status: plan.status,
    launch_window_start: plan.launch_window_start,
    launch_window_end: plan.launch_window_end,
    currency: plan.currency,
    sent_at: plan.sent_at.toISOString(),
    approved_at: iso(plan.approved_at),
    total_cents: totalOf(plan.lines),
    lines,
    lines_by_status: countedBy(lines, (line) => line.status, NO_STATUSES),
    lines_by_stage: countedBy(lines, (line) => line.stage_id, NO_STAGES),
  };
};

const NO_STATUSES: Record<LineStatus, number> = {
  planned: 0,
  booked: 0,
  live: 0,
  completed: 0,
  blocked: 0,
  cancelled: 0,
};

const NO_STAGES: Record<LineStage, number> = {
  planned: 0,
  offered: 0,
  creator_confirmed: 0,
  scheduled: 0,
  live: 0,
  proof_attached: 0,
  cancelled: 0,
};

const countedBy = <K extends string>(
  lines: readonly PlanLine[],
  key: (line: PlanLine) => K,
  none: Record<K, number>,
): Record<K, number> => {
  const counts = { ...none };
  for (const line of lines) counts[key(line)] += 1;
  return counts;
};

const planLine = (line: Line, plan: Plan, { lines, units, revealed, today }: LinesView): PlanLine => {
  const told = lines.get(line.id);
  const order = plan.order?.payment_state ?? null;
  const progress = progressOf(line, lines);
  const signed = plan.status === 'approved';
  const stage = lineStage(progress, order);
  return {
    id: line.id,
    channel: line.channel,
    channel_label: channelLabel(line.channel),
    slot: line.slot,
    scheduled_date: told?.scheduled_date ?? line.scheduled_date,
    price_cents: line.price_cents,
    status: lineStatus(progress, order, { signed, onSale: signed || isOnSale(line, units, { signed, today }) }),
    stage_id: stage,
    stage: LINE_STAGES[stage],
    proposal: proposalOf(told?.proposal ?? null, revealed),
  };
};

/** A proposal names its creator, so it shows once catalog has revealed that creator for the paid order. */
const proposalOf = (proposal: ProposalView | null, revealed: Revealed): Proposal | null => {
  if (proposal === null) return null;
  const handle = revealed.handle(proposal.creator_id);
  if (handle === null) return null;
  return {
    state: proposal.state,
    creator_handle: handle,
    replaced_handle: revealed.handle(proposal.replaced_creator_id),
    updated_at: proposal.updated_at,
  };
};

/** The answer of POST /campaigns (domain 2-plans 1). */
export const campaignStarted = (
  campaign: Campaign,
  plan: Plan | null,
  quote: Quote | null,
  defaults: CampaignStarted['defaults'],
): CampaignStarted => {
  const cents = campaign.budget_cents ?? 0;
  return {
    id: campaign._id,
    campaign: campaign.name,
    display_name: displayName(campaign),
    ...stageWords(stageOf({ campaign, plan, lines: new Map() }), campaign),
    created_at: campaign.created_at.toISOString(),
    budget_usd: cents / 100,
    budget_cents: cents,
    defaults,
    plan: quote,
    no_plan:
      campaign.no_plan === null ? null : { reason: campaign.no_plan, message: NO_PLAN_MESSAGES[campaign.no_plan] },
  };
};
