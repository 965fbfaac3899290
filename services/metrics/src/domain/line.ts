// What metrics knows about a line: its signed terms from billing, and its current creator from proposals.
import type { EventPayload, Goal, OrderLine, PaymentState, Problem } from '@cds/contracts';
import { slotOf } from '@cds/service/slot';

type Expected = {
  expected_views: number | null;
  views_low: number | null;
  views_high: number | null;
  engagement_rate: number | null;
};

export type Signed = Expected & {
  version: number;
  payment_state: PaymentState;
  campaign: string;
  currency: string;
  channel: string;
  slot: string;
  /** Null where the team wrote the slot. This and the next two are absent in lines of older releases. */
  slot_from?: { goal: Goal | null; moment_offset: number; format: string | null } | null;
  price_cents: number;
  scheduled_date: string;
  launch_window_end?: string;
  launch_window_start?: string;
  paid_at?: Date | null;
};

/** The line as offered: once a creator has agreed, booked at `booked_at` for `scheduled_date`. */
export type Offer = Expected & {
  version: number;
  attempt: number;
  creator_id: string;
  scheduled_date: string;
  booked: boolean;
  booked_at: Date | null;
  cancelled: boolean;
  /** What the line owes to the brand, in US cents. Absent in lines of older releases. */
  credits_cents?: number;
};

export type Line = {
  _id: string;
  ws: string;
  sandbox: boolean;
  order_id: string;
  plan_id: string;
  campaign_id: string;
  campaign_number: number;
  /** The seed of its sandbox's creators, where it is not the first one. */
  seed?: number;
  number: number;
  signed: Signed | null;
  offer: Offer | null;
  rev: number;
};

const expectedOf = (of: Expected): Expected => ({
  expected_views: of.expected_views,
  views_low: of.views_low,
  views_high: of.views_high,
  engagement_rate: of.engagement_rate,
});

const seedOf = ({ seed }: { seed?: number | undefined }): Pick<Line, 'seed'> => (seed === undefined ? {} : { seed });

const slotFrom = (
  { goal, moment_offset }: EventPayload<'order.changed'>['campaign'],
  { format, team_slot }: OrderLine,
): NonNullable<Signed['slot_from']> | null =>
  team_slot === true || goal === undefined || moment_offset === undefined ? null : { goal, moment_offset, format };

/** Null when the event is not newer than the last one applied. */
export const withSigned = (before: Line | null, order: EventPayload<'order.changed'>, line: OrderLine): Line | null => {
  if (before?.signed && before.signed.version >= order.version) return null;
  return {
    _id: line.line_id,
    ws: order.workspace,
    sandbox: order.sandbox,
    order_id: order.order_id,
    plan_id: order.plan_id,
    campaign_id: order.campaign.campaign_id,
    campaign_number: order.campaign.campaign_number,
    ...seedOf(order.campaign),
    number: line.number,
    signed: {
      version: order.version,
      payment_state: order.payment_state,
      campaign: order.campaign.campaign,
      currency: order.currency,
      channel: line.channel,
      slot: line.slot,
      slot_from: slotFrom(order.campaign, line),
      price_cents: line.price_cents,
      scheduled_date: line.scheduled_date,
      launch_window_end: order.campaign.launch_window_end,
      launch_window_start: order.campaign.launch_window_start,
      paid_at: order.paid_at === null ? null : new Date(order.paid_at),
      ...expectedOf(line),
    },
    offer: before?.offer ?? null,
    rev: (before?.rev ?? 0) + 1,
  };
};

/** Null when the event is not newer than the last one applied. */
export const withOffer = (before: Line | null, line: EventPayload<'line.changed'>): Line | null => {
  if (before?.offer && before.offer.version >= line.version) return null;
  return {
    _id: line.line_id,
    ws: line.workspace,
    sandbox: line.sandbox,
    order_id: line.order_id,
    plan_id: line.plan_id,
    campaign_id: line.campaign_id,
    campaign_number: line.campaign_number,
    ...seedOf(line),
    number: line.number,
    signed: before?.signed ?? null,
    offer: {
      version: line.version,
      attempt: line.attempt,
      creator_id: line.creator_id,
      scheduled_date: line.scheduled_date,
      booked: line.booked,
      booked_at: line.booked ? new Date(line.proposal.updated_at) : null,
      cancelled: line.cancelled,
      credits_cents: (line.credits ?? []).reduce((cents, { amount_cents }) => cents + amount_cents, 0),
      ...expectedOf(line),
    },
    rev: (before?.rev ?? 0) + 1,
  };
};

export const isOver = (line: Line): boolean =>
  line.offer?.cancelled === true ||
  line.signed?.payment_state === 'cancelled' ||
  line.signed?.payment_state === 'refunded';

export const expectedViews = (line: Line): Expected =>
  expectedOf(
    line.offer ?? line.signed ?? { expected_views: null, views_low: null, views_high: null, engagement_rate: null },
  );

/** The slot of the day that the line is scheduled for; the team's words stay (docs/domain/plans.md#line-texts). */
export const slotNow = (line: Line, signed: Signed): string => {
  const date = scheduledDate(line) ?? signed.scheduled_date;
  const { slot_from: from, launch_window_start: windowStart } = signed;
  return from == null || windowStart === undefined || date === signed.scheduled_date
    ? signed.slot
    : slotOf({ date, windowStart, momentOffset: from.moment_offset, goal: from.goal, format: from.format });
};

export const spendCents = ({ offer }: Line, { price_cents }: Pick<Signed, 'price_cents'>): number =>
  Math.max(0, price_cents - (offer?.credits_cents ?? 0));

export const amountProblem = (line: Line | null, cents: number): Problem | null => {
  if (line?.signed == null) return null;
  const most = spendCents(line, line.signed);
  return cents > most
    ? { field: 'amount_cents', message: `must be at most ${most}, what is left of the line's price` }
    : null;
};

export const scheduledDate = (line: Line): string | null =>
  line.offer?.scheduled_date ?? line.signed?.scheduled_date ?? null;
