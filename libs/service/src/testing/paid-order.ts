import { randomUUID } from 'node:crypto';
import type { EventPayload, OrderLine } from '@cds/contracts';

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

/** A paid order of a sandbox with one line; the launch window runs from 1 to 20 December 2026. */
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
