import { randomUUID } from 'node:crypto';
import type { EventPayload, OrderLine } from '@cds/contracts';
import type { RandomKey } from '@cds/service/seeded-random';
import type { Reading } from '../domain/reading.js';

/** A line of an order as it was signed. */
export const aSignedLine = (over: Partial<OrderLine> = {}): OrderLine => ({
  line_id: randomUUID(),
  number: 1,
  channel: 'x_creators',
  slot: 'Launch post',
  creator_id: randomUUID(),
  unit_id: randomUUID(),
  format: 'post',
  deliverable: 'One post on X',
  scheduled_date: '2026-12-01',
  price_cents: 60_000,
  expected_views: 18_000,
  views_low: 9_000,
  views_high: 27_000,
  engagement_rate: 2,
  ...over,
});

/** A paid order of a sandbox with one line. */
export const anOrder = (over: Partial<EventPayload<'order.changed'>> = {}): EventPayload<'order.changed'> => {
  const orderId = over.order_id ?? randomUUID();
  const lines = over.lines ?? [aSignedLine()];
  return {
    aggregate: orderId,
    version: 2,
    workspace: randomUUID(),
    sandbox: true,
    order_id: orderId,
    plan_id: randomUUID(),
    key_id: randomUUID(),
    payment_state: 'paid',
    total_cents: lines.reduce((sum, line) => sum + line.price_cents, 0),
    currency: 'USD',
    signed_at: '2026-11-21T11:00:00.000Z',
    paid_at: '2026-11-21T12:00:00.000Z',
    refunded_at: null,
    cancelled_at: null,
    campaign: {
      campaign_id: randomUUID(),
      campaign_number: 1,
      campaign: 'Orbit',
      company: 'Acme',
      product: 'Orbit',
      launch_window_start: '2026-12-01',
      launch_window_end: '2026-12-20',
    },
    lines,
    ...over,
  };
};

/** The booking of one line of an order, as proposals publishes it. */
export const aBooking = (
  order: EventPayload<'order.changed'>,
  line: OrderLine,
  over: Partial<EventPayload<'line.changed'>> = {},
): EventPayload<'line.changed'> => ({
  aggregate: line.line_id,
  version: 2,
  workspace: order.workspace,
  sandbox: order.sandbox,
  line_id: line.line_id,
  number: line.number,
  attempt: 1,
  order_id: order.order_id,
  plan_id: order.plan_id,
  campaign_id: order.campaign.campaign_id,
  campaign_number: order.campaign.campaign_number,
  creator_id: line.creator_id ?? randomUUID(),
  unit_id: line.unit_id,
  format: line.format,
  deliverable: line.deliverable,
  scheduled_date: line.scheduled_date,
  booked: true,
  cancelled: false,
  expected_views: line.expected_views,
  views_low: line.views_low,
  views_high: line.views_high,
  engagement_rate: line.engagement_rate,
  proposal: { state: 'accepted', replaced_creator_id: null, updated_at: '2026-11-21T20:00:00.000Z' },
  ...over,
});

/** A reading `hours` after 1 December 2026, 12:00 UTC, when the posts of these tests go live. */
export const aReading = (hours: number, over: Partial<Reading> = {}): Reading => ({
  _id: randomUUID(),
  ws: 'workspace',
  line_id: 'line',
  captured_at: new Date(PUBLISHED_AT.getTime() + hours * 3_600_000),
  views: 18_402,
  likes: 212,
  comments: 31,
  shares: 12,
  bookmarks: null,
  clicks: null,
  profile_visits: null,
  source: 'operator',
  ...over,
});

export const PUBLISHED_AT = new Date('2026-12-01T12:00:00.000Z');

/** The random key of the first attempt on the first line of a campaign, with the default seed. */
export const aRandomKey = (campaignNumber: number): RandomKey => ({
  seed: 1,
  campaignNumber,
  lineNumber: 1,
  attempt: 1,
});
