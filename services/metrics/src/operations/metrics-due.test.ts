import { aCtx } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { testPosts } from '../test/suite.js';
import { metricsDue } from './metrics-due.js';

describe('metrics_due', () => {
  const world = testPosts();

  it('lists what will still happen to a workspace’s posts, earliest first', async () => {
    const order = await world.booked();
    await world.booked();
    const kinds = async () => {
      const answer = await metricsDue(aCtx(), { workspace: order.workspace }, { posts: world.posts });
      if (!('pending' in answer)) throw new Error('a value is answered');
      return answer.pending.map((one) => one.kind);
    };
    expect(await kinds()).toEqual(['post', 'post_missing']);
    await world.jump(order.workspace, '2026-12-02T00:00:00Z');
    expect(await kinds()).toEqual(['reading']);
    await world.jump(order.workspace, '2027-02-01T00:00:00Z');
    expect(await kinds()).toEqual([]);
  });
});
