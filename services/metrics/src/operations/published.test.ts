import { randomUUID } from 'node:crypto';
import { Evidence, Results } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { aCtx } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { LISTED_POSTS } from '../domain/constants.js';
import { aBooking, anOrder, aSignedLine } from '../test/builders.js';
import { testPosts } from '../test/suite.js';
import { evidenceList, resultsList } from './published.js';

/**
 * docs/specification.md#evidenceitem, docs/domain/orders.md#results, docs/domain/orders.md#fields-of-proof-and-results.
 */
describe('evidence_list', () => {
  const world = testPosts();

  const evidenceOf = async (workspace: string, campaign_id?: string, brief_id = '2026-12-04') => {
    const ctx = aCtx({
      workspace,
      now: '2026-12-03T00:00:00Z',
      switches: { deprecated_until: { brief_id } },
    });
    const answer = await evidenceList(ctx, campaign_id === undefined ? {} : { campaign_id }, world.deps);
    return Evidence.parse(answer).items;
  };
  const noteOf = async (workspace: string, campaign_id?: string) =>
    Evidence.parse(
      await evidenceList(aCtx({ workspace }), campaign_id === undefined ? {} : { campaign_id }, world.deps),
    ).note;

  it('says why it is empty, and nothing where it is not', async () => {
    const unpaid = anOrder({ payment_state: 'unpaid', paid_at: null });
    await world.deliver(world.consumers.order, unpaid);
    expect(await noteOf(unpaid.workspace, unpaid.campaign.campaign_id)).toBe('No post is live: the order is unpaid.');
    const order = await world.booked();
    expect(await noteOf(order.workspace)).toBe('No post is live: the first is booked for 1 December 2026.');
    const draft = randomUUID();
    world.known.add(`${order.workspace}|${draft}`);
    expect(await evidenceOf(order.workspace, draft)).toEqual([]);
    expect(await noteOf(randomUUID())).toBe('No post is live: no plan is signed.');
    await world.jump(order.workspace, '2026-12-03T00:00:00Z');
    expect(await noteOf(order.workspace)).toBeUndefined();
  });

  it('names no creator while catalog does not reveal one', async () => {
    const order = await world.booked();
    await world.jump(order.workspace, '2026-12-03T00:00:00Z');
    world.catalog.hasHeardOfThePayment = false;
    const [live] = await evidenceOf(order.workspace);
    world.catalog.hasHeardOfThePayment = true;
    expect(live?.creator).toEqual({ id: order.lines[0]?.creator_id, name: null, handle: null });
  });

  it('shows a live post with its link, and still_up once it is proved', async () => {
    proves('evidence.items', 'evidence.still-up');
    const order = await world.booked();
    const [line] = order.lines;
    await world.jump(order.workspace, '2026-12-03T00:00:00Z');
    const [live] = await evidenceOf(order.workspace);
    const publishedAt = live?.published_at ?? '';
    expect(live).toEqual({
      id: line?.line_id,
      line_id: line?.line_id,
      creator: { id: line?.creator_id, name: 'Ada Example', handle: 'demo_ada' },
      campaign_id: order.campaign.campaign_id,
      brief_id: order.campaign.campaign_id,
      campaign: 'Orbit',
      slot: 'Launch post',
      status: 'live',
      status_label: 'Live',
      date: '1 December 2026',
      proof_url: expect.stringMatching(/^https:\/\/x\.com\/demo_ada\/status\/\d{15,20}$/),
      published_at: publishedAt,
      disclosure: 'Paid partnership label',
      still_up: null,
    });

    await world.jump(order.workspace, '2026-12-10T00:00:00Z');
    const [completed] = await evidenceOf(order.workspace);
    expect(completed).toMatchObject({
      status: 'completed',
      status_label: 'Completed',
      still_up: {
        checked_at: new Date(Date.parse(publishedAt) + 7 * 86_400_000).toISOString(),
        line: expect.stringMatching(/^Still up after 7 days, [\d,]+ views$/),
      },
    });
  });

  it('keeps a completed post after a refund, under the campaign’s new name', async () => {
    const order = await world.booked();
    await world.jump(order.workspace, '2026-12-10T00:00:00Z');
    await world.deliver(world.consumers.order, { ...order, version: 3, payment_state: 'refunded' });
    await world.deliver(world.consumers.campaign, {
      aggregate: order.campaign.campaign_id,
      version: 2,
      workspace: order.workspace,
      campaign_id: order.campaign.campaign_id,
      campaign: 'Spring push',
      display_name: 'Spring push',
      company: 'Acme',
      product: 'Orbit',
      window_start: '2026-12-01',
      window_end: '2026-12-20',
      archived_at: '2026-12-11T00:00:00.000Z',
      guidelines: { pitch: '', key_messages: [], references: [], voice: '', dos: [], donts: [] },
    });
    expect(await evidenceOf(order.workspace)).toMatchObject([
      { status: 'completed', campaign: 'Spring push', cancelled: true },
    ]);
  });

  it('lists no post of a creator whose line another one is to take over', async () => {
    const order = await world.booked();
    await world.jump(order.workspace, '2026-12-03T00:00:00Z');
    expect(await evidenceOf(order.workspace)).toHaveLength(1);
    const [line] = order.lines;
    if (line === undefined) throw new Error('the order has no line');
    const sought = aBooking(order, line, { version: 3, booked: false, expected_views: 90_000 });
    await world.deliver(world.consumers.line, sought);
    expect(await evidenceOf(order.workspace)).toEqual([]);
    await world.deliver(world.consumers.line, { ...sought, version: 4, cancelled: true });
    expect(await evidenceOf(order.workspace)).toEqual([]);
  });

  it('lists the newest post first, of one campaign when one is named', async () => {
    const workspace = randomUUID();
    const dates = ['2026-12-01', '2026-12-03', '2026-12-02'];
    const lines = dates.map((scheduled_date, n) => aSignedLine({ number: n + 1, scheduled_date }));
    const first = await world.booked({ workspace, lines });
    const second = await world.booked({ workspace, lines: [aSignedLine({ scheduled_date: '2026-12-04' })] });
    await world.jump(workspace, '2026-12-08T00:00:00Z');

    const all = await evidenceOf(workspace);
    const instants = all.map((item) => item.published_at ?? '');
    expect(instants).toEqual([...instants].sort().reverse());
    expect(all).toHaveLength(4);
    expect(await evidenceOf(workspace, first.campaign.campaign_id)).toHaveLength(3);
    expect(await evidenceOf(workspace, second.campaign.campaign_id)).toHaveLength(1);
  });

  it('serves brief_id until the day to which the operator extended it', async () => {
    proves('evidence.brief-id');
    const order = await world.booked();
    await world.jump(order.workspace, '2026-12-03T00:00:00Z');
    const [served] = await evidenceOf(order.workspace);
    expect(served?.brief_id).toBe(served?.campaign_id);
    const [dropped] = await evidenceOf(order.workspace, undefined, '2026-12-03');
    expect(dropped).not.toHaveProperty('brief_id');
  });

  it('lists every post of one campaign, and the newest 500 of the workspace', async () => {
    const lines = Array.from({ length: LISTED_POSTS + 2 }, (_none, n) => aSignedLine({ number: n + 1 }));
    const order = await world.booked({ lines: lines.slice(0, 1) });
    const ws = order.workspace;
    await world.jump(ws, '2026-12-03T00:00:00Z');
    const [row, line] = [await world.posts.rows.findOne({ ws }), await world.lines.rows.findOne({ ws })];
    const publishedAt = row?.published_at ?? null;
    if (row === null || line === null || publishedAt === null) throw new Error('the post is not live');
    const others = lines
      .slice(1)
      .map(({ line_id }, n) => ({ id: line_id, older: new Date(publishedAt.getTime() - n) }));
    await world.lines.rows.insertMany(others.map(({ id }) => ({ ...line, _id: id })));
    await world.posts.rows.insertMany(
      others.map(({ id, older }, n) => ({ ...row, _id: id, post_id: `${ws}-${n}`, published_at: older })),
    );

    const ofCampaign = await evidenceOf(ws, order.campaign.campaign_id);
    expect(new Set(ofCampaign.map((item) => item.id))).toEqual(new Set(lines.map((one) => one.line_id)));
    expect(await evidenceOf(ws)).toEqual(ofCampaign.slice(0, LISTED_POSTS));
  });
});

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
});
