import { proves } from '@cds/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { lineChanged } from '../events/line-changed.js';
import { postChanged } from '../events/post-changed.js';
import { aLine, aLineChange, aPlanOrder, aPostChange, aUnit, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again } from '../test/world.js';

describe('rename_campaign', () => {
  const world = testWorld('rename_campaign');

  it('replaces the stored name, which the list then shows, cut at a word at 60 characters', async () => {
    proves('rename.replaces-name', 'campaigns.stored-name');
    const { ctx, campaign, plan } = await world.planned({ units: [aUnit()] });
    const name = `Rocket ${'x'.repeat(50)} ${'y'.repeat(50)}`;
    const shown = `Rocket ${'x'.repeat(50)}…`;
    expect(await world.value('rename_campaign', ctx, { id: campaign._id, name })).toEqual({
      id: campaign._id,
      campaign: name,
      display_name: shown,
    });
    expect((await world.value('campaigns_list', again(ctx), {})).campaigns).toMatchObject([{ display_name: shown }]);
    expect(await world.value('campaign_status', again(ctx), { id: campaign._id })).toMatchObject({ campaign: name });
    expect(await world.deps.plans.byId(plan.ws, plan._id)).toEqual(plan);

    const { outbox, audit } = await world.documents(plan.ws);
    expect(outbox).toMatchObject([{ payload: { campaign: name, display_name: shown, version: 2 } }]);
    expect(audit).toMatchObject([{ action: 'campaign.rename', object: campaign._id }]);
  });

  it('moves the posts of an unsigned plan to a new launch day, with new slots and terms, and keeps its lines', async () => {
    const lines = ['2026-12-01', '2026-12-02'].map((scheduled_date) => aLine(aUnit(), { scheduled_date }));
    const { ctx, campaign, plan } = await world.planned({ units: [], plan: { lines } });
    const moment = 'We go live on December 10th';
    const answer = await world.value('rename_campaign', ctx, { id: campaign._id, moment });
    expect(answer).toMatchObject({ moment, plan: { id: plan._id, version: 2, lines_moved: 2 } });
    expect(answer.notes?.find(({ kind }) => kind === 'launch_day')?.text).toBe(
      '2026-12-10 was taken as the launch day, from “December 10th”.',
    );

    const after = await world.deps.plans.byId(plan.ws, plan._id);
    expect(after).toMatchObject({ version: 2, moment_offset: 9, terms_fingerprint: answer.plan?.terms_fingerprint });
    expect(after?.terms_fingerprint).not.toBe(plan.terms_fingerprint);
    expect(after?.lines.map(({ id, slot, scheduled_date }) => [id, scheduled_date, slot])).toEqual([
      [lines[0]?.id, '2026-12-10', 'Launch day, post'],
      [lines[1]?.id, '2026-12-11', 'Day 2, post'],
    ]);
    expect(await world.deps.campaigns.byId(plan.ws, campaign._id)).toMatchObject({ moment, rev: campaign.rev + 1 });
    const { outbox } = await world.documents(plan.ws);
    expect(outbox?.map(({ subject }) => subject).sort()).toEqual([
      'evt.planning.campaign.changed',
      'evt.planning.plan.changed',
    ]);
    expect((await world.value('plan_history', again(ctx), { id: plan._id })).versions[0]).toMatchObject({
      action: 'campaign.moment',
      changes: [{ change: 'moved' }, { change: 'moved' }],
    });
  });

  it.each([
    ['a moment', { moment: 'Live on 9 December 2026' }],
    ['a launch post', { launch_post_url: 'https://x.com/acme/status/1' }],
  ])('refuses %s once the plan is signed', async (_name, sent) => {
    const { ctx, campaign } = await world.planned({ units: [aUnit()], plan: { status: 'approved', approved_at: NOW } });
    const before = await world.documents(campaign.ws);
    expect(await world.error('rename_campaign', ctx, { id: campaign._id, ...sent })).toMatchObject({
      code: 'conflict',
      details: { reason: 'plan_signed' },
    });
    expect(await world.documents(campaign.ws)).toEqual(before);
  });

  it('sets the launch post of a signed plan until its last quote is live', async () => {
    const { ctx, campaign, plan } = await world.planned({
      units: [],
      plan: { lines: [aLine(aUnit(), { format: 'quote' })], status: 'approved', approved_at: NOW },
    });
    const kinds = async () =>
      ((await world.value('plan_quote', again(ctx), { id: plan._id })).notes ?? []).map(({ kind }) => kind);
    expect(await kinds()).toEqual(['launch_post_missing']);
    const launch_post_url = 'https://x.com/acme/status/1790000000000000000';
    const sent = { id: campaign._id, launch_post_url };
    expect(await world.value('rename_campaign', again(ctx), sent)).toMatchObject({ launch_post_url });
    expect(await kinds()).toEqual([]);
    expect(await world.documents(campaign.ws)).toMatchObject({ plans: [plan] });
    const taken = { id: campaign._id, launch_post_url: null };
    expect(await world.value('rename_campaign', again(ctx), taken)).toMatchObject({ launch_post_url: null });
    expect(await kinds()).toEqual(['launch_post_missing']);

    const accepted = { state: 'accepted', replaced_creator_id: null, updated_at: NOW.toISOString() };
    await world.deliver(lineChanged(world.deps), aLineChange(plan, { booked: true, proposal: accepted }));
    const live = aPostChange(plan, { status: 'live', published_at: NOW.toISOString() });
    await world.deliver(postChanged(world.deps), live);
    expect(await world.error('rename_campaign', again(ctx), sent)).toMatchObject({
      details: { reason: 'plan_signed' },
    });
  });

  it('leaves the days of a plan alone whose launch day moved with its dates when only the link is set', async () => {
    const { ctx, campaign, plan } = await world.planned({ units: [aUnit()], plan: { moment_offset: 3 } });
    const launch_post_url = 'https://x.com/acme/status/1790000000000000000';
    await world.value('rename_campaign', ctx, { id: campaign._id, launch_post_url });
    expect(await world.deps.plans.byId(plan.ws, plan._id)).toEqual(plan);
  });

  it('says which choices keep their time when replacements become automatic', async () => {
    const order = aPlanOrder({ payment_state: 'paid', paid_at: NOW });
    const { ctx, campaign, plan } = await world.planned({
      units: [aUnit()],
      campaign: { replacements: 'ask' },
      plan: { status: 'approved', approved_at: NOW, order },
    });
    const until = '2026-12-02T00:00:00.000Z';
    const proposal = { state: 'declined', replaced_creator_id: null, updated_at: NOW.toISOString() };
    const search = { next_at: until, choose_until: until, candidates: [] };
    await world.deliver(lineChanged(world.deps), aLineChange(plan, { proposal, search }));
    const set = (replacements: 'auto' | 'ask') =>
      world.value('rename_campaign', again(ctx), { id: campaign._id, replacements });
    expect((await set('auto')).note).toBe(
      `1 post keeps the time to choose that runs already, the first until ${until}. Choose over the REST API, or the search takes the first candidate then. Later searches do not ask.`,
    );
    expect(await set('ask')).not.toHaveProperty('note');
  });

  it('refuses a moment of a category that may have no plan', async () => {
    const { ctx, campaign, plan } = await world.planned({ units: [aUnit()] });
    const moment = 'Our online casino opens on 9 December 2026';
    expect(await world.error('rename_campaign', ctx, { id: campaign._id, moment })).toMatchObject({
      details: { reason: 'category_banned' },
    });
    expect(await world.deps.plans.byId(plan.ws, plan._id)).toEqual(plan);
  });

  it('is decided again and refused after an archive in between (I57)', async () => {
    const { ctx, campaign } = await world.planned({ units: [aUnit()] });
    const { campaigns } = world.deps;
    const read = campaigns.byId.bind(campaigns);
    let raced = false;
    campaigns.byId = async (ws, id) => {
      const found = await read(ws, id);
      if (!raced) {
        raced = true;
        await campaigns.rows.updateOne({ _id: id }, { $set: { archived_at: NOW }, $inc: { rev: 1 } });
      }
      return found;
    };
    try {
      expect(await world.error('rename_campaign', ctx, { id: campaign._id, name: 'Late' })).toMatchObject({
        details: { reason: 'archived' },
      });
    } finally {
      campaigns.byId = read;
    }
    expect(await campaigns.byId(campaign.ws, campaign._id)).toMatchObject({ name: campaign.name, renamed_to: null });
  });
});
