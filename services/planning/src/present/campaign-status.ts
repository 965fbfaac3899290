import {
  type CampaignPlan,
  type CampaignStatus,
  LINE_STAGES,
  type LineStage,
  type LineStatus,
  type Order,
  type PaymentState,
  type PlanLine,
  type Proposal,
} from '@cds/contracts';
import { slotOf } from '@cds/service/slot';
import { type Campaign, type Line, type Plan, type PlanOrder, totalOf, type UnitMap } from '../domain/plan.js';
import { lineNext } from '../domain/quote/line-next.js';
import { notesOf, type Shared } from '../domain/quote/notes.js';
import { isOnSale } from '../domain/quote/on-sale.js';
import { launchPostToCome, paidNotes } from '../domain/quote/paid-notes.js';
import { lineStage, lineStatus } from '../domain/quote/stage.js';
import {
  type CampaignView,
  iso,
  type LineView,
  type LineViews,
  type ProposalView,
  progressOf,
  stageOf,
  stageView,
  stageWords,
} from './campaign.js';
import { channelLabel } from './quote-part.js';
import type { Revealed } from './revealed.js';

/** `units` says what is on sale while the plan awaits approval (docs/specification.md#campaignstatus). */
export const campaignStatus = (
  view: CampaignView & {
    units: UnitMap;
    revealed: Revealed;
    today: string;
    now: Date;
    shared: readonly Shared[];
  },
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
    ...stageWords(stageOf(stageView(view)), campaign),
    plan: plan === null ? null : campaignPlan(plan, view),
    order: orderOf(plan?.order ?? null),
    creator_guidelines: campaign.guidelines,
    moment: campaign.moment,
    launch_post_url: campaign.launch_post_url ?? null,
    replacements: campaign.replacements ?? 'auto',
    notes: [
      ...notesOf(view),
      ...launchPostToCome(campaign, plan, view.lines),
      ...paidNotes(
        (plan?.lines ?? []).flatMap((line) => view.lines.get(line.id) ?? []),
        plan?.order?.payment_state ?? null,
      ),
    ],
  };
};

type LinesView = { campaign: Campaign; lines: LineViews; units: UnitMap; revealed: Revealed; today: string };

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

const planLine = (line: Line, plan: Plan, view: LinesView): PlanLine => {
  const { lines, units, revealed, today } = view;
  const seen = lines.get(line.id);
  const date = seen?.scheduled_date ?? line.scheduled_date;
  const order = plan.order?.payment_state ?? null;
  const progress = progressOf(line, lines);
  const signed = plan.status === 'approved';
  const stage = lineStage(progress, order);
  return {
    id: line.id,
    channel: line.channel,
    channel_label: channelLabel(line.channel),
    slot: date === line.scheduled_date ? line.slot : slotOn(date, line, plan, view),
    scheduled_date: date,
    price_cents: line.price_cents,
    status: lineStatus(progress, order, { signed, onSale: signed || isOnSale(line, units, { signed, today }) }),
    stage_id: stage,
    stage: LINE_STAGES[stage],
    proposal: proposalOf(seen?.proposal ?? null, revealed),
    next: nextOf(seen, order),
  };
};

const nextOf = (seen: LineView | undefined, order: PaymentState | null): PlanLine['next'] => {
  const next = seen === undefined ? null : lineNext(seen.progress, seen.ahead, order);
  if (next === null) return null;
  const { candidates, ...said } = next;
  return candidates === undefined ? said : { ...said, candidates: [...candidates] };
};

const slotOn = (date: string, line: Line, plan: Plan, { campaign: { goal } }: LinesView): string =>
  line.written_by === 'team'
    ? line.slot
    : slotOf({
        date,
        windowStart: plan.launch_window_start,
        momentOffset: plan.moment_offset,
        goal,
        format: line.format,
      });

/** Names a creator, so it shows only once catalog has revealed that creator for the paid order. */
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
