import { randomUUID } from 'node:crypto';
import { proves } from '@cds/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { lineChanged } from '../events/line-changed.js';
import { orderChanged } from '../events/order-changed.js';
import { postChanged } from '../events/post-changed.js';
import { aCampaign, aLineChange, aPlanOrder, aPostChange, aUnit, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand } from '../test/world.js';

const AT = NOW.toISOString();

describe('campaign_status', () => {
  const world = testWorld('campaign_status');

  const signed = async () => {
    const units = [aUnit({ price_cents: 40_000 }), aUnit({ price_cents: 60_000 })];
    const orderId = randomUUID();
    const order = aPlanOrder({ order_id: orderId, total_cents: 100_000 });
    const of = await world.planned({ units, plan: { status: 'approved', approved_at: NOW, order } });
    const ids = { workspace: of.plan.ws, plan_id: of.plan._id, order_id: orderId, campaign_id: of.campaign._id };
    return {
      ...of,
      units,
      status: async () => {
        const status = await world.value('campaign_status', again(of.ctx), { id: of.campaign._id });
        // The list reads only what a stage depends on.
        const { campaigns } = await world.value('campaigns_list', again(of.ctx), { include_archived: true });
        const { stage_id, stage, plan_status, refunded_at, archived_at } = status;
        expect(campaigns).toEqual([
          expect.objectContaining({ stage_id, stage, plan_status, refunded_at, archived_at }),
        ]);
        return status;
      },
      order: (version: number, over: object) =>
        world.deliver(orderChanged(world.deps), {
          ...ids,
          version,
          total_cents: 100_000,
          currency: 'USD',
          signed_at: AT,
          payment_state: 'unpaid',
          paid_at: null,
          refunded_at: null,
          cancelled_at: null,
          ...over,
        }),
      line: (index: number, version: number, over: object) =>
        world.deliver(lineChanged(world.deps), aLineChange(of.plan, { version, ...over }, index)),
      post: (index: number, version: number, over: object) =>
        world.deliver(postChanged(world.deps), aPostChange(of.plan, { version, ...over }, index)),
    };
  };

  it('is a draft without a plan', async () => {
    proves('stages.draft');
    const ctx = brand();
    const campaign = aCampaign({ ws: ctx.principal.workspace });
    await world.deps.campaigns.rows.insertOne(campaign);
    expect(await world.value('campaign_status', ctx, { id: campaign._id })).toMatchObject({
      campaign: 'Acme, launch, December 2026',
      stage_id: 'draft',
      stage: 'Draft',
      plan: null,
      plan_status: null,
      order: null,
    });
  });

  it('counts blocked lines of a plan that awaits approval, and always has all keys', async () => {
    proves('status.lines-by-status', 'status.lines-by-stage');
    const { ctx, campaign } = await world.planned({ units: [aUnit({ buyable: false }), aUnit()] });
    const status = await world.value('campaign_status', ctx, { id: campaign._id });
    expect(status).toMatchObject({
      stage_id: 'plan_ready',
      plan_status: 'awaiting_approval',
      plan: { version: 1, total_cents: 90_000 },
    });
    expect(status.plan?.lines_by_status).toEqual({
      planned: 1,
      booked: 0,
      live: 0,
      completed: 0,
      blocked: 1,
      cancelled: 0,
    });
    expect(status.plan?.lines_by_stage).toEqual({
      planned: 2,
      offered: 0,
      creator_confirmed: 0,
      scheduled: 0,
      live: 0,
      proof_attached: 0,
      cancelled: 0,
    });
    expect(status.plan?.lines.map((line) => [line.status, line.channel_label, line.proposal])).toEqual([
      ['blocked', 'X creators', null],
      ['planned', 'X creators', null],
    ]);
  });

  it('follows order, proposals and posts from approved to complete', async () => {
    proves('lines.offered', 'lines.scheduled', 'stages.running', 'stages.complete');
    const of = await signed();
    for (const unit of of.units) world.neighbours.handles.set(unit.creator_id, `demo_${unit.creator_id.slice(0, 4)}`);
    expect(await of.status()).toMatchObject({
      stage_id: 'approved',
      order: { payment_state: 'unpaid', total_cents: 100_000 },
    });
    await of.order(2, { payment_state: 'paid', paid_at: AT });
    await of.order(1, { payment_state: 'processing' });
    expect(await of.status()).toMatchObject({
      stage_id: 'paid',
      order: { payment_state: 'paid', paid_at: AT },
      plan: { lines: [{ proposal: null }, { proposal: null }] },
    });

    await of.line(0, 1, { proposal: { state: 'sent', replaced_creator_id: null, updated_at: AT } });
    expect((await of.status()).plan?.lines[0]).toMatchObject({
      stage_id: 'offered',
      status: 'planned',
      proposal: {
        state: 'sent',
        creator_handle: world.neighbours.handles.get(of.units[0]?.creator_id ?? ''),
        replaced_handle: null,
        updated_at: AT,
      },
    });
    await of.line(0, 3, {
      booked: true,
      scheduled_date: '2026-12-04',
      proposal: { state: 'accepted', replaced_creator_id: null, updated_at: AT },
    });
    await of.line(0, 2, { proposal: { state: 'declined', replaced_creator_id: null, updated_at: AT } });
    expect(await of.status()).toMatchObject({
      stage_id: 'running',
      plan: { lines: [{ stage_id: 'scheduled', status: 'booked', scheduled_date: '2026-12-04' }, {}] },
    });

    await of.post(0, 1, { status: 'live', published_at: AT });
    await of.post(0, 2, { status: 'completed', published_at: AT, still_up_at: AT });
    await of.line(1, 1, { cancelled: true });
    const status = await of.status();
    expect(status).toMatchObject({
      stage_id: 'complete',
      plan: { lines_by_status: { completed: 1, cancelled: 1 }, lines_by_stage: { proof_attached: 1, cancelled: 1 } },
    });
    expect((await world.deps.plans.byId(of.plan.ws, of.plan._id))?.version).toBe(1);
  });

  it.each([
    ['live, when the brand’s claim was decided', { status: 'live', published_at: AT }],
    ['undisclosed', { status: 'blocked', blocked_reason: 'no_disclosure', published_at: AT }],
  ])('shows a line whose post was %s as what its proposal says once another creator is sought', async (_what, post) => {
    const of = await signed();
    const line = async () => {
      const { stage_id, status, next } = (await of.status()).plan?.lines[0] ?? {};
      return [stage_id, status, next?.text.split('.')[0]];
    };
    const proposal = (state: string) => ({ proposal: { state, replaced_creator_id: null, updated_at: AT } });
    await of.order(1, { payment_state: 'paid', paid_at: AT });
    await of.line(0, 1, { attempt: 1, booked: true, ...proposal('accepted') });
    await of.post(0, 1, { attempt: 1, ...post });
    expect((await line())[0]).toBe('live');

    await of.line(0, 2, { attempt: 1, booked: false, ...proposal('declined') });
    expect((await line()).slice(0, 2)).toEqual(['planned', 'planned']);
    await of.line(0, 3, { attempt: 2, booked: false, ...proposal('sent') });
    expect((await line()).slice(0, 2)).toEqual(['offered', 'planned']);
    await of.line(0, 4, { attempt: 2, booked: true, ...proposal('accepted') });
    expect(await line()).toEqual(['scheduled', 'booked', 'Booked for 2026-12-01']);
  });

  it('names the replaced creator, but nobody before payment and nobody that catalog does not reveal', async () => {
    const of = await signed();
    const [gone, other] = [randomUUID(), of.units[0]?.creator_id ?? ''];
    await of.line(0, 1, { proposal: { state: 'sending', replaced_creator_id: gone, updated_at: AT } });
    world.neighbours.handles.set(other, 'demo_new').set(gone, 'demo_gone');
    expect((await of.status()).plan?.lines[0]?.proposal).toBeNull();
    await of.order(1, { payment_state: 'paid', paid_at: AT });
    expect((await of.status()).plan?.lines[0]?.proposal).toMatchObject({
      creator_handle: 'demo_new',
      replaced_handle: 'demo_gone',
    });
    world.neighbours.handles.delete(other);
    expect((await of.status()).plan?.lines[0]?.proposal).toBeNull();
  });

  it('is cancelled after a refund, with its time, and Archived only in the label', async () => {
    proves('stages.cancelled', 'stages.archived-label', 'stages.refund-sets-refunded-at', 'lines.cancelled');
    const of = await signed();
    await of.order(3, { payment_state: 'refunded', paid_at: AT, refunded_at: AT });
    await world.deps.campaigns.rows.updateOne({ _id: of.campaign._id }, { $set: { archived_at: NOW } });
    expect(await of.status()).toMatchObject({
      stage_id: 'cancelled',
      stage: 'Archived',
      refunded_at: AT,
      archived_at: AT,
      plan: { lines_by_stage: { cancelled: 2 }, lines_by_status: { cancelled: 2 } },
    });
  });
});
