import type { EventPayload, OrderLine, PaymentState } from '@cds/contracts';
import type { Chain, OfferLine, ProposalRow } from './chain.js';
import { openFirst, withdraw, withNewVersion } from './moves.js';

export type OrderChanged = EventPayload<'order.changed'>;
export type MaybeChain = { line: OfferLine; proposal: ProposalRow | null };

const isPayable = (state: PaymentState): boolean => state === 'paid' || state === 'partially_refunded';
const isEnded = (state: PaymentState): boolean => state === 'cancelled' || state === 'refunded';

/** Null when the event is not newer, or the team places the line. Exactly one chain begins per line (I29). */
export const followOrder = (
  order: OrderChanged,
  signed: OrderLine,
  before: MaybeChain | null,
  newId: () => string,
): MaybeChain | null => {
  if (signed.creator_id === null) return null;
  if (before !== null && before.line.order_version >= order.version) return null;

  const seen = { order_version: order.version, order_state: order.payment_state };
  const line: OfferLine =
    before === null ? { ...asSigned(order, signed, signed.creator_id), ...seen } : { ...before.line, ...seen };
  const proposal = before?.proposal ?? null;
  if (isPayable(order.payment_state) && proposal === null && !line.cancelled) {
    return openFirst(line, newId(), instant(order.paid_at ?? order.signed_at));
  }
  if (isEnded(order.payment_state) && !line.cancelled) {
    const at = instant(order.cancelled_at ?? order.refunded_at ?? order.signed_at);
    return proposal === null
      ? { line: { ...line, cancelled: true, rev: line.rev + 1 }, proposal }
      : withdraw({ line, proposal }, at, cancelCents(order, signed));
  }
  return { line: agreed(order, line), proposal };
};

/** What a line's cancellation is credited with, in US cents; whatever became of those credits, the line owed them. */
const cancelCents = ({ books }: OrderChanged, { line_id }: Pick<OrderLine, 'line_id'>): number =>
  (books?.credits ?? []).reduce(
    (sum, credit) => (credit.line_id === line_id && credit.cause === 'cancelled' ? sum + credit.amount_cents : sum),
    0,
  );

/**
 * A cancelled line owes what billing credits: a repayment may leave room for a part of it, or for nothing. No credit is
 * an answer once billing knows that the line has ended (I76).
 */
const agreed = (order: OrderChanged, line: OfferLine): OfferLine => {
  const cents = cancelCents(order, { line_id: line._id });
  const { credits = [] } = line;
  const known = credits.find(({ cause }) => cause === 'cancelled');
  const isAnswered = cents > 0 || order.ended_lines?.includes(line._id) === true;
  if (!line.cancelled || !isAnswered || (known?.amount_cents ?? 0) === cents) return { ...line, rev: line.rev + 1 };
  const at = known?.at ?? instant(order.cancelled_at ?? order.signed_at);
  const others = credits.filter((one) => one !== known);
  return withNewVersion(line, { credits: [...others, { cause: 'cancelled', amount_cents: cents, at }] });
};

export const shouldEmit = (before: MaybeChain | null, after: MaybeChain): after is Chain =>
  after.proposal !== null && after.line.version > (before?.line.version ?? 0);

const instant = (iso: string): Date => new Date(iso);

const asSigned = (order: OrderChanged, signed: OrderLine, creatorId: string): OfferLine => ({
  _id: signed.line_id,
  ws: order.workspace,
  sandbox: order.sandbox,
  order_id: order.order_id,
  order_version: 0,
  order_state: order.payment_state,
  plan_id: order.plan_id,
  campaign_id: order.campaign.campaign_id,
  campaign_number: order.campaign.campaign_number,
  ...(order.campaign.seed === undefined ? {} : { seed: order.campaign.seed }),
  number: signed.number,
  channel: signed.channel,
  slot: signed.slot,
  launch_window_start: order.campaign.launch_window_start,
  launch_window_end: order.campaign.launch_window_end,
  creator_id: creatorId,
  unit_id: signed.unit_id,
  format: signed.format,
  deliverable: signed.deliverable,
  price_cents: signed.price_cents,
  expected_views: signed.expected_views,
  views_low: signed.views_low,
  views_high: signed.views_high,
  engagement_rate: signed.engagement_rate,
  scheduled_date: signed.scheduled_date,
  booked: false,
  cancelled: false,
  attempts: 0,
  open_attempt: null,
  tried: [],
  post: null,
  version: 0,
  rev: 0,
});
