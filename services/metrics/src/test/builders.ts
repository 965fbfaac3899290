import { randomUUID } from 'node:crypto';
import type { EventPayload, OrderLine } from '@cds/contracts';
import type { RandomKey } from '@cds/service/seeded-random';
import { X_EPOCH_MS } from '../domain/constants.js';
import type { Reading } from '../domain/reading.js';

export { anOrder, aSignedLine } from '@cds/service/testing';

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

/** The id of a post on X that was made at an instant. */
const postIdAt = (instant: number): string => (BigInt(instant - X_EPOCH_MS) << 22n).toString();

export const postUrlAt = (instant: string, handle = 'demo_ada', laterMs = 0): string =>
  `https://x.com/${handle}/status/${postIdAt(Date.parse(instant) + laterMs)}`;
