import type { CampaignStage, LineStage, LineStatus, PaymentState, PlanStatus } from '@cds/contracts';

/** Null where no event has come yet. */
export type LineProgress = {
  booked: boolean;
  cancelled: boolean;
  proposal_state: 'sending' | 'sent' | 'accepted' | 'declined' | 'no_reply' | 'unfilled' | null;
  post: { status: 'booked' | 'live' | 'blocked' | 'completed'; blocked_reason: string | null } | null;
};

/** Events of older releases name no attempt. */
export const countedPost = <P extends { attempt?: number | undefined }>(
  line: { booked: boolean; attempt?: number | undefined },
  post: P | null,
): P | null => {
  if (!line.booked || post === null) return null;
  const known = line.attempt !== undefined && post.attempt !== undefined;
  return known && line.attempt !== post.attempt ? null : post;
};

export const NO_PROGRESS: LineProgress = { booked: false, cancelled: false, proposal_state: null, post: null };

const ENDED: readonly (PaymentState | null)[] = ['cancelled', 'refunded'];
const PAID: readonly (PaymentState | null)[] = ['paid', 'partially_refunded'];

/** The stage of a line; the first rule that fits wins (docs/domain/orders.md#line-stage). */
export const lineStage = (line: LineProgress, order: PaymentState | null): LineStage => {
  if (line.cancelled || ENDED.includes(order)) return 'cancelled';
  if (line.post?.status === 'completed') return 'proof_attached';
  if (isLive(line.post)) return 'live';
  if (line.booked) return 'scheduled';
  if (line.proposal_state === 'accepted') return 'creator_confirmed';
  if (line.proposal_state === 'sent') return 'offered';
  return 'planned';
};

const isLive = (post: LineProgress['post']): boolean =>
  post !== null && (post.status === 'live' || (post.status === 'blocked' && post.blocked_reason === 'no_disclosure'));

/** Source: docs/domain/orders.md#line-status. */
export const lineStatus = (
  line: LineProgress,
  order: PaymentState | null,
  { signed, onSale }: { signed: boolean; onSale: boolean },
): LineStatus => {
  if (line.cancelled || ENDED.includes(order)) return 'cancelled';
  if (!signed) return onSale ? 'planned' : 'blocked';
  return line.post?.status ?? (line.booked ? 'booked' : 'planned');
};

/** The stage of a campaign; the first row that fits wins (docs/domain/orders.md#campaign-stage). */
export const campaignStage = (of: {
  plan: PlanStatus | null;
  order: PaymentState | null;
  lines: readonly LineStage[];
  sentToTeam: boolean;
}): CampaignStage => {
  if (ENDED.includes(of.order)) return 'cancelled';
  if (PAID.includes(of.order)) return paidStage(of.lines);
  if (of.plan === 'approved') return 'approved';
  if (of.plan === 'awaiting_approval') return 'plan_ready';
  return of.sentToTeam ? 'sent' : 'draft';
};

const paidStage = (lines: readonly LineStage[]): CampaignStage => {
  const kept = lines.filter((stage) => stage !== 'cancelled');
  if (kept.length > 0 && kept.every((stage) => stage === 'proof_attached')) return 'complete';
  return kept.some((stage) => stage === 'scheduled' || stage === 'live' || stage === 'proof_attached')
    ? 'running'
    : 'paid';
};

/** Never for a draft or an archived campaign (docs/domain/orders.md#campaign-stage). */
export const waitsOnYou = (of: {
  stage: CampaignStage;
  archived: boolean;
  openChange: boolean;
  order: PaymentState | null;
}): boolean =>
  !of.archived && ((of.stage === 'plan_ready' && !of.openChange) || (of.stage === 'approved' && of.order === 'unpaid'));
