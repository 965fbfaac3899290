import { proves } from '@cds/contracts/testing';
import { sweepTime } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import { aUnit, A_LAUNCH as BRIEF, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand, operator, person } from '../test/world.js';

describe('a person’s draft (docs/domain/access.md#developers-area)', () => {
  const world = testWorld('campaign_draft');

  it('is written step by step, sent to the team when it is complete, and never deleted after that', async () => {
    proves('stages.sent');
    const who = person();
    const { workspace } = who.principal;
    const started = await world.value('campaign_draft', who, { product: 'Acme Rocket' });
    expect(started).toMatchObject({
      campaign: { display_name: 'Acme Rocket', stage_id: 'draft', intent_status: 'draft', waits_on_you: false },
      brief: { product: 'Acme Rocket' },
      missing: ['goal', 'moment', 'window_start', 'window_end', 'budget_usd', 'audience'],
    });
    const { id } = started.campaign;
    expect((await world.deps.starts.rows.findOne({ _id: workspace }))?.at).toHaveLength(1);
    expect(await world.deps.campaigns.byId(workspace, id)).toMatchObject({ number: 1, no_plan: null, build: null });

    const early = await world.error('campaign_send', again(who), { id });
    expect(early).toMatchObject({ code: 'unprocessable' });
    expect((early.details as { problems: { field: string }[] }).problems.map(({ field }) => field)).toEqual([
      'goal',
      'moment',
      'window_start',
      'window_end',
      'budget_usd',
      'audience',
    ]);

    const { product: _written, ...rest } = BRIEF;
    const whole = await world.value('campaign_brief_set', again(who), { id, ...rest });
    expect(whole).toMatchObject({ campaign: { intent_status: 'ready', stage_id: 'draft' }, brief: BRIEF, missing: [] });

    const sent = await world.value('campaign_send', again(who), { id });
    expect(sent).toMatchObject({ stage_id: 'sent', stage: 'Sent', intent_status: 'ready', waits_on_you: false });
    expect(await world.value('campaign_send', again(who), { id })).toEqual(sent);
    expect(await world.deps.campaigns.byId(workspace, id)).toMatchObject({
      name: 'Acme, launch, December 2026',
      budget_cents: 100_000,
      desired_outcome: 'Views and sign-ups on launch day',
      sent_to_team_at: NOW,
      unresolved: false,
    });
    expect(await world.error('delete_campaign', brand({ workspace }), { id })).toMatchObject({
      details: { reason: 'not_draft' },
    });
  });

  it('takes audience and company from the context', async () => {
    const who = person();
    const { workspace } = who.principal;
    await world.value('context_put', again(who), { name: 'Acme', audience: 'Rocket scientists' });
    const { audience: _left, ...rest } = BRIEF;
    const { campaign, missing } = await world.value('campaign_draft', who, rest);
    expect(missing).toEqual([]);
    expect(campaign.company).toBe('Acme');
    expect(await world.deps.campaigns.byId(workspace, campaign.id)).toMatchObject({ audience: 'Rocket scientists' });
  });

  it('refuses an impossible window, and one that is over when it is sent', async () => {
    const who = person();
    const past = await world.error('campaign_draft', who, { window_start: '2026-11-20' });
    expect(past.details).toMatchObject({ problems: [{ field: 'window_start' }] });
    const { campaign } = await world.value('campaign_draft', again(who), BRIEF);
    const ended = await world.error('campaign_brief_set', again(who), { id: campaign.id, window_end: '2026-11-30' });
    expect(ended.details).toMatchObject({ problems: [{ field: 'window_end' }] });
    const later = { now: new Date('2026-12-02T00:00:00Z') };
    expect(await world.error('campaign_send', again(who, later), { id: campaign.id })).toMatchObject({
      code: 'unprocessable',
      details: { problems: [{ field: 'window_start' }] },
    });
  });

  it('counts as one of three starts in 24 hours', async () => {
    proves('limits.campaign-starts');
    const who = person();
    for (let start = 0; start < 3; start += 1) await world.value('campaign_draft', again(who), {});
    expect(await world.error('campaign_draft', again(who), {})).toMatchObject({
      details: { reason: 'daily_campaign_limit' },
    });
  });

  it('cannot change its brief once there is a plan, or in the archive', async () => {
    const { campaign } = await world.planned({ units: [aUnit()] });
    const who = person({ workspace: campaign.ws });
    for (const call of ['campaign_brief_set', 'campaign_send'] as const)
      expect(await world.error(call, again(who), { id: campaign._id })).toMatchObject({
        details: { reason: 'has_plan' },
      });
    const draft = await world.value('campaign_draft', again(who), BRIEF);
    await world.value('campaign_archive', again(who), { id: draft.campaign.id });
    expect(await world.error('campaign_send', again(who), { id: draft.campaign.id })).toMatchObject({
      details: { reason: 'archived' },
    });
    expect(await world.error('campaign_send', person(), { id: draft.campaign.id })).toMatchObject({
      code: 'not_found',
    });
  });

  it.each([
    ['the operator allowed it', 'allowed' as const, 'building'],
    ['the operator banned it', 'banned' as const, 'category_banned'],
    ['nobody has decided yet', null, 'category_review'],
  ])('keeps the result when %s, until a screened field changes', async (_name, decision, expected) => {
    const key = brand();
    const { workspace } = key.principal;
    const who = person({ workspace });
    await world.value('context_put', again(who), { name: 'Acme', summary: 'A crypto exchange.' });
    const { id } = await world.value('create_campaign', key, BRIEF);
    const noPlan = async () => (await world.deps.campaigns.byId(workspace, id))?.no_plan;
    expect(await noPlan()).toBe('category_review');
    if (decision !== null)
      await world.value('ops_campaign_screening', operator(), { id, decision, reason: 'Read by the team.' });

    await world.value('context_put', again(who), { name: 'Other', summary: 'A bakery.' });
    await world.value('campaign_brief_set', again(who), { id, audience: 'Buyers of bread', company: 'Acme' });
    expect(await noPlan()).toBe(expected);
    await world.value('campaign_brief_set', again(who), { id, product: 'Another rocket' });
    expect(await noPlan()).toBe('category_review');
    await world.value('campaign_brief_set', again(who), { id, company: 'Other' });
    expect(await noPlan()).toBe('building');
  });

  it('of a key is tried again when its brief changes, and left to the team once it is sent', async () => {
    world.neighbours.candidates = [];
    const key = brand();
    const { workspace } = key.principal;
    const { id } = await world.value('create_campaign', key, { ...BRIEF, product: 'Our vodka' });
    const who = person({ workspace });
    await world.value('campaign_brief_set', again(who), { id, product: 'Our rocket' });
    expect(await world.deps.campaigns.byId(workspace, id)).toMatchObject({ no_plan: 'building', goal: 'launch' });
    expect(world.neighbours.begun).toContain(workspace);
    await world.value('campaign_send', again(who), { id });
    const due = { now: sweepTime(key.networkNow, new Map()).network, today: '2026-11-21', most: 5 };
    expect(await world.deps.campaigns.waitingForPlan(workspace, due)).toEqual([]);
  });
});
