import { LINE_STAGES, type Note, PLAN_CHANNELS, type Policy, type QuoteLine, type QuotePart } from '@cds/contracts';
import { currentTotal, overBudget } from '../domain/edits/repricing.js';
import { type Line, type LineCreator, type PlanWithCampaign, totalOf, type UnitMap } from '../domain/plan.js';
import { beforePayment, reasonOf } from '../domain/quote/line-texts.js';
import { notesOf, type Shared } from '../domain/quote/notes.js';
import { isOnSale } from '../domain/quote/on-sale.js';
import { isLost, isPaid, launchPostToCome, replacementNotes } from '../domain/quote/paid-notes.js';
import { lineStage, lineStatus } from '../domain/quote/stage.js';
import { totalsOf } from '../domain/quote/totals.js';
import { type LineViews, progressOf } from './campaign.js';
import type { Revealed } from './revealed.js';

export type QuoteView = PlanWithCampaign & {
  units: UnitMap;
  lines: LineViews;
  revealed: Revealed;
  policy: Policy;
  today: string;
  now: Date;
  shared?: readonly Shared[] | undefined;
};

/** A signed plan stays as signed; its lines name who posts now (docs/domain/plans.md#quote). */
export const quotePart = (view: QuoteView): QuotePart => {
  const { plan, campaign, units } = view;
  const lines = isPaid(plan) ? plan.lines : beforePayment(plan.lines, units, campaign.goal);
  return {
    plan_id: plan._id,
    campaign_id: plan.campaign_id,
    version: plan.version,
    status: plan.status,
    currency: plan.currency,
    launch_window_start: plan.launch_window_start,
    launch_window_end: plan.launch_window_end,
    terms_fingerprint: plan.terms_fingerprint,
    total_cents: totalOf(plan.lines),
    totals: totalsOf(plan.lines, campaign.budget_cents, isSigned(view) ? undefined : currentTotal(plan.lines, units)),
    lines: lines.map((line) => quoteLine(line, view)),
    policy: view.policy,
    blocked_lines: plan.lines.filter((line) => statusOf(line, view) === 'blocked').map((line) => line.id),
    over_budget: overBudget(plan, units, campaign.budget_cents),
    valid_while: 'terms_fingerprint_unchanged',
    notes: [...notesOf({ campaign, plan, shared: view.shared ?? [], now: view.now }), ...signedNotes(view)],
  };
};

const signedNotes = ({ campaign, plan, lines }: QuoteView): Note[] => [
  ...launchPostToCome(campaign, plan, lines),
  ...(isPaid(plan) ? replacementNotes(plan.lines.flatMap(({ id }) => lines.get(id) ?? [])) : []),
];

const isSigned = ({ plan }: QuoteView): boolean => plan.status === 'approved';

const onSale = (line: Line, view: QuoteView): boolean =>
  isOnSale(line, view.units, { signed: isSigned(view), today: view.today });

const statusOf = (line: Line, view: QuoteView) =>
  lineStatus(progressOf(line, view.lines), view.plan.order?.payment_state ?? null, {
    signed: isSigned(view),
    onSale: onSale(line, view),
  });

type Filled = Pick<
  Line,
  'creator_id' | 'deliverable' | 'vetting' | 'reason' | 'match_score' | 'views_low' | 'views_high'
> & { creator: Omit<LineCreator, 'reach_band'> | null };

const lostReason = (chooseUntil: string | null): string =>
  `This creator no longer takes the post. ${
    chooseUntil === null
      ? 'A replacement is being looked for.'
      : `Choose a replacement before ${chooseUntil}, or the search takes the first candidate.`
  }`;

const filledLine = (line: Line, view: QuoteView): Filled => {
  const filled = takenOver(line, view) ?? line;
  if (!isPaid(view.plan) || !isLost(progressOf(line, view.lines))) return filled;
  return { ...filled, reason: lostReason(view.lines.get(line.id)?.ahead.search?.choose_until ?? null) };
};

const takenOver = (line: Line, { lines, units, revealed }: QuoteView): Filled | null => {
  const { proposal = null, filled } = lines.get(line.id) ?? {};
  if (proposal === null || line.creator_id === null || proposal.creator_id === line.creator_id) return null;
  const unit = units.get(filled?.unit_id ?? '');
  const views = { views_low: filled?.views_low ?? null, views_high: filled?.views_high ?? null };
  const why = reasonOf({ match_label: unit?.match_label ?? null, match_topic: unit?.match_topic, ...views }, false);
  return {
    creator_id: proposal.creator_id,
    creator: {
      name: unit?.name ?? revealed.name(proposal.creator_id),
      avatar_url: unit?.avatar_url ?? null,
      followers: unit?.followers ?? null,
    },
    deliverable: filled?.deliverable ?? line.deliverable,
    vetting: unit?.vetting ?? null,
    reason: `Replaces the creator who was signed. ${why}`,
    match_score: unit?.match_score ?? null,
    ...views,
  };
};

const quoteLine = (line: Line, view: QuoteView): QuoteLine => {
  const filled = filledLine(line, view);
  const stage = lineStage(progressOf(line, view.lines), view.plan.order?.payment_state ?? null);
  return {
    id: line.id,
    creator: creatorOf(filled, view.revealed),
    creator_id: filled.creator_id,
    unit_id: line.unit_id,
    stage_id: stage,
    stage: LINE_STAGES[stage],
    channel: line.channel,
    channel_label: channelLabel(line.channel),
    format: line.format,
    deliverable: filled.deliverable,
    scheduled_date: line.scheduled_date,
    price_cents: line.price_cents,
    vetting: filled.vetting,
    reason: filled.reason,
    match_score: filled.match_score ?? null,
    expected_views_low: filled.views_low,
    expected_views_high: filled.views_high,
    on_sale: onSale(line, view),
  };
};

const creatorOf = (line: Filled, revealed: Revealed): QuoteLine['creator'] => {
  if (line.creator_id === null || line.creator === null) return null;
  const { name, avatar_url, followers } = line.creator;
  return {
    id: line.creator_id,
    name,
    handle: revealed.handle(line.creator_id),
    profile_url: revealed.profileUrl(line.creator_id),
    ...(avatar_url === null ? {} : { avatar_url }),
    ...(followers === null ? {} : { followers }),
  };
};

export const channelLabel = (channel: string): string =>
  Object.entries(PLAN_CHANNELS).find(([id]) => id === channel)?.[1] ?? PLAN_CHANNELS.other;
