import { Results } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { aCtx } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { testPosts } from '../test/suite.js';
import { resultsList } from './published.js';

const HOUR_MS = 3_600_000;

/**
 * docs/specification.md#resultitem, docs/domain/orders.md#results, docs/domain/orders.md#fields-of-proof-and-results.
 */
describe('results_list', () => {
  const world = testPosts();

  const resultOf = async (workspace: string, now: string) => {
    const answer = await resultsList(
      aCtx({ workspace, now, switches: { deprecated_until: { brief_id: '2099-01-01' } } }),
      {},
      world.deps,
    );
    const [item] = Results.parse(answer).items;
    if (item === undefined) throw new Error('no result yet');
    return item;
  };
  /** The order of a post that has just gone live, and the instant a number of hours later. */
  const live = async () => {
    const order = await world.booked();
    const lineId = order.lines[0]?.line_id ?? '';
    const planned = (await world.posts.byLine(order.workspace, lineId))?.plan?.live_at;
    if (planned == null) throw new Error('the creator posts');
    const after = (hours: number): string => new Date(planned.getTime() + hours * HOUR_MS).toISOString();
    await world.jump(order.workspace, after(0));
    return { order, after };
  };

  it('shows a post before its first reading', async () => {
    proves('results.items', 'results.brief-id');
    const { order, after } = await live();
    const due = new Date(after(1));
    expect(await resultOf(order.workspace, after(0))).toMatchObject({
      id: order.lines[0]?.line_id,
      brief_id: order.campaign.campaign_id,
      scheduled_date: '2026-12-01',
      status: 'live',
      latest: null,
      snapshots: 0,
      still_up: null,
      previous: null,
      versus: 'No reading yet.',
      schedule: `Next reading 1 December 2026, ${due.toISOString().slice(11, 16)} UTC`,
      channel_label: 'X creators',
      spend_cents: 60_000,
      currency: 'USD',
    });
  });

  it('shows the newest reading in words and numbers, and the previous one from the second reading on', async () => {
    proves('results.latest', 'results.previous');
    const { order, after } = await live();
    await world.jump(order.workspace, after(1));
    const first = await resultOf(order.workspace, after(1));
    expect(first).toMatchObject({ snapshots: 1, previous: null, latest: { as_of: after(1) } });
    expect(first.versus).toBe('Too early to compare: read after 1 hour; expected 9,000 to 27,000 views.');

    await world.jump(order.workspace, after(24));
    const { latest, previous, snapshots } = await resultOf(order.workspace, after(24));
    expect(snapshots).toBe(3);
    expect(latest?.as_of).toBe(after(24));
    expect(latest?.line).toMatch(/^[\d,]+ views, [\d,]+ likes, [\d,]+ comments, [\d,]+ shares$/);
    expect(latest?.more.map((one) => one.line)).toEqual([
      expect.stringMatching(/ bookmarks?$/),
      expect.stringMatching(/ link clicks?$/),
    ]);
    expect(previous?.captured_at).toBe(after(6));
    expect(latest?.views ?? 0).toBeGreaterThan(previous?.views ?? 0);
  });

  it('carries the totals of one campaign against what was expected', async () => {
    const { order, after } = await live();
    const of = async (campaign_id?: string) => {
      const ctx = aCtx({ workspace: order.workspace, now: after(24) });
      return Results.parse(await resultsList(ctx, campaign_id === undefined ? {} : { campaign_id }, world.deps));
    };
    await world.jump(order.workspace, after(24));
    const { items, totals } = await of(order.campaign.campaign_id);
    const views = items[0]?.latest?.views ?? 0;
    expect(totals).toEqual({
      posts: 1,
      views,
      spend_cents: 60_000,
      cpm_cents: Math.round(60_000_000 / views),
      expected_low: 9_000,
      expected_high: 27_000,
    });
    expect((await of()).totals).toBeUndefined();
  });

  it('reports an overdue reading, and none after the last one or once the order has ended', async () => {
    const { order, after } = await live();
    expect((await resultOf(order.workspace, after(2))).schedule).toMatch(/^Reading due since 1 December 2026, /);
    await world.jump(order.workspace, after(719));
    expect((await resultOf(order.workspace, after(719))).schedule).toMatch(/^Next reading /);
    await world.jump(order.workspace, after(720));
    expect(await resultOf(order.workspace, after(720))).toMatchObject({
      snapshots: 8,
      schedule: null,
      status: 'completed',
    });

    const ended = await live();
    await world.deliver(world.consumers.order, { ...ended.order, version: 3, payment_state: 'cancelled' });
    expect((await resultOf(ended.order.workspace, ended.after(2))).schedule).toBeNull();
  });
});
