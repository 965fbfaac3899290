import type { EventPayload } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { anOrder } from '../test/builders.js';
import { testOffers } from '../test/suite.js';

describe('post.changed', () => {
  const world = testOffers();

  it('is noted on the post’s line, and an older event never overwrites it', async () => {
    const order = anOrder();
    const lineId = order.lines[0]?.line_id ?? '';
    await world.deliver(world.consumers.order, order);
    const post: EventPayload<'post.changed'> = {
      aggregate: lineId,
      version: 2,
      workspace: order.workspace,
      line_id: lineId,
      order_id: order.order_id,
      plan_id: order.plan_id,
      campaign_id: order.campaign.campaign_id,
      status: 'completed',
      blocked_reason: null,
      published_at: '2026-12-01T12:00:00.000Z',
      still_up_at: '2026-12-08T12:00:00.000Z',
    };
    await world.deliver(world.consumers.post, post);
    await world.deliver(world.consumers.post, { ...post, version: 1, status: 'live', still_up_at: null });
    expect((await world.offers.byLine(order.workspace, lineId))?.line.post).toEqual({
      version: 2,
      status: 'completed',
      completed_at: new Date('2026-12-08T12:00:00.000Z'),
    });
  });
});
