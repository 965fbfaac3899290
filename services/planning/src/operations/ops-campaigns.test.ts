import { randomUUID } from 'node:crypto';
import type { Input } from '@cds/contracts';
import { sweepTime } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import type { Campaign } from '../domain/plan.js';
import { buildPlans } from '../sweeps/build-plans.js';
import { aCampaign, aCandidate, aUnit, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, operator, person } from '../test/world.js';

const world = testWorld('ops_campaigns');

type Lines = Input<'ops_campaign_plan'>['lines'];

describe('campaigns as the team works on them (docs/domain/plans.md#plans-written-by-the-team)', () => {
  const sent = async () => {
    const campaign = aCampaign({ sent_to_team_at: NOW, no_plan: null, plan_id: null });
    await world.deps.campaigns.rows.insertOne(campaign);
    return campaign;
  };
  const unit = (over: Parameters<typeof aUnit>[0] = {}) => {
    const made = aUnit(over);
    world.neighbours.units.set(made.unit_id, made);
    return made;
  };
  const write = (id: string, base_version: number, lines: Lines) =>
    world.call('ops_campaign_plan', operator(), { id, base_version, lines, reason: 'As the brief asks.' });
  const written = async (id: string, base_version: number, lines: Lines) => {
    const answer = await write(id, base_version, lines);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.value;
  };
  const planOf = async (id: string) => world.deps.plans.rows.findOne({ campaign_id: id });

  it('are listed for every workspace, by stage and by open change', async () => {
    const { campaign: planned } = await world.planned({ units: [aUnit()] });
    const waiting = await sent();
    const asked = person({ workspace: planned.ws });
    await world.value('campaign_change_request', asked, { id: planned._id, message: 'Fewer quotes' });

    const of = async (query: Input<'ops_campaigns_list'>) =>
      (await world.value('ops_campaigns_list', operator(), query)).items.map(({ id }) => id);
    expect(await of({ stage_id: 'sent' })).toEqual([waiting._id]);
    expect(await of({ open_change: true })).toEqual([planned._id]);
    expect(new Set(await of({}))).toEqual(new Set([planned._id, waiting._id]));

    const first = await world.value('ops_campaigns_list', operator(), { limit: 1 });
    const second = await world.value('ops_campaigns_list', operator(), { limit: 1, cursor: first.next ?? '' });
    expect(new Set([...first.items, ...second.items].map(({ id }) => id))).toEqual(new Set([planned._id, waiting._id]));
    expect(second.next).toBeNull();
  });

  it('get their first plan, which the brand can sign like any other', async () => {
    const campaign = await sent();
    const [one, other] = [unit({ price_cents: 20_000 }), unit({ price_cents: 30_000 })];
    const answer = await written(campaign._id, 0, [
      { unit_id: one.unit_id, scheduled_date: campaign.window_start, reason: 'Writes about build tools.' },
      { unit_id: other.unit_id, scheduled_date: campaign.window_end, slot: 'Closing post' },
    ]);
    expect(answer).toMatchObject({ stage_id: 'plan_ready', plan: { version: 1, total_cents: 50_000 } });
    expect(await planOf(campaign._id)).toMatchObject({
      written_by: 'team',
      version: 1,
      lines: [
        { written_by: 'team', reason: 'Writes about build tools.' },
        { written_by: 'team', slot: 'Closing post' },
      ],
    });
    const versions = await world.store.db.collection('plan_versions').find({ plan_id: answer.plan?.id }).toArray();
    expect(versions).toMatchObject([{ version: 1, action: 'plan.team', total_cents: 50_000 }]);
  });

  it('get a further version, which keeps lines, ends the change request and outdates the fingerprint', async () => {
    const { campaign, plan } = await world.planned({ units: [aUnit(), aUnit()] });
    await world.value('campaign_change_request', person({ workspace: campaign.ws }), {
      id: campaign._id,
      message: 'x',
    });
    const [kept, dropped] = plan.lines;
    const instead = unit();
    const answer = await written(campaign._id, plan.version, [
      { line_id: kept?.id, scheduled_date: kept?.scheduled_date ?? '' },
      { unit_id: instead.unit_id, scheduled_date: dropped?.scheduled_date ?? '' },
    ]);
    expect(answer).toMatchObject({ open_change: false, change_request: null, plan: { version: plan.version + 1 } });
    const after = await planOf(campaign._id);
    expect(after?.lines.map(({ unit_id }) => unit_id)).toEqual([kept?.unit_id, instead.unit_id]);
    expect(after?.lines[0]?.id).toBe(kept?.id);
    expect(after?.terms_fingerprint).not.toBe(plan.terms_fingerprint);
  });

  it('are not overwritten by an operator who read an older version, nor by two at once', async () => {
    const { campaign, plan } = await world.planned({ units: [aUnit()] });
    const lines: Lines = plan.lines.map(({ id, scheduled_date }) => ({ line_id: id, scheduled_date }));
    const answers = await Promise.all([1, 2].map(() => write(campaign._id, plan.version, lines)));
    expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(answers.find(({ ok }) => !ok)).toMatchObject({
      error: { code: 'conflict', details: { reason: 'bad_state', version: plan.version + 1 } },
    });
    expect((await planOf(campaign._id))?.version).toBe(plan.version + 1);
  });

  it('answer a change request once; the brand reads the answer among the notes', async () => {
    const { ctx, campaign, plan } = await world.planned({ units: [aUnit()] });
    const answer = () =>
      world.call('ops_campaign_answer', operator(), {
        id: campaign._id,
        text: 'Quotes reach this audience best.',
        reason: 'Asked by mail.',
      });
    expect(await answer()).toMatchObject({ error: { details: { reason: 'bad_state' } } });
    await world.value('campaign_change_request', person({ workspace: campaign.ws }), {
      id: campaign._id,
      message: 'x',
    });
    expect(await answer()).toMatchObject({ ok: true, value: { open_change: false, change_request: null } });
    expect((await planOf(campaign._id))?.version).toBe(plan.version);
    const quote = await world.value('plan_quote', again(ctx), { id: plan._id });
    expect(quote.notes).toContainEqual({
      kind: 'change_answered',
      text: 'The team answered your change request: Quotes reach this audience best.',
      fields: [],
    });
  });

  it('open a task for the team when a brief is sent and when a change is asked for', async () => {
    const { campaign } = await world.planned({ units: [aUnit()] });
    await world.value('campaign_change_request', person({ workspace: campaign.ws }), {
      id: campaign._id,
      message: 'x',
    });
    const opened = await world.store.db
      .collection('outbox')
      .find({ subject: 'evt.planning.planning_task.opened', 'payload.about.campaign_id': campaign._id })
      .toArray();
    expect(opened.map((row) => row['payload'].kind)).toEqual(['change_requested']);
  });
});

describe('ops_campaign_screening', () => {
  const underReview = async (over: Partial<Campaign> = {}) => {
    const campaign = aCampaign({
      category: 'crypto',
      no_plan: 'category_review',
      build: { max_plan_cents: 45_000, sandbox: false, retry_at: null },
      ...over,
    });
    await world.deps.campaigns.rows.insertOne(campaign);
    return campaign;
  };
  const decide = (id: string, decision: 'allowed' | 'banned', who = operator()) =>
    world.call('ops_campaign_screening', who, { id, decision, reason: 'Licensed in the EU.' });

  it('builds the plan of an allowed campaign, and audits who decided and why', async () => {
    const campaign = await underReview();
    const lead = operator();
    world.neighbours.candidates = [aCandidate({ price_cents: 40_000 })];
    const sweep = () => buildPlans(world.deps).run(sweepTime(NOW, new Map()), campaign.ws);
    expect(await sweep()).toBe(0);
    expect(await decide(campaign._id, 'allowed', lead)).toMatchObject({
      ok: true,
      value: {
        id: campaign._id,
        workspace: campaign.ws,
        campaign: campaign.name,
        category: 'crypto',
        no_plan: 'building',
      },
    });
    expect(world.neighbours.begun).toContain(campaign.ws);
    expect(await sweep()).toBe(1);
    expect(await world.deps.plans.byCampaign(campaign.ws, campaign._id)).not.toBeNull();
    expect(
      await world.store.db.collection('audit').findOne({ object: campaign._id, actor: /^operator/ }),
    ).toMatchObject({
      ws: campaign.ws,
      actor: `operator:${lead.principal.operator?.id}`,
      action: 'campaign.screening_allowed',
      reason: 'Licensed in the EU.',
    });
  });

  it('makes no plan for a banned campaign', async () => {
    const campaign = await underReview();
    expect(await decide(campaign._id, 'banned')).toMatchObject({ ok: true, value: { no_plan: 'category_banned' } });
    expect((await world.deps.campaigns.byId(campaign.ws, campaign._id))?.no_plan).toBe('category_banned');
    expect(world.neighbours.begun).not.toContain(campaign.ws);
  });

  it('lifts a ban, which nobody imposes twice', async () => {
    const campaign = await underReview({ category: 'gambling', no_plan: 'category_banned' });
    expect(await decide(campaign._id, 'banned')).toMatchObject({
      ok: false,
      error: { code: 'conflict', details: { reason: 'bad_state' } },
    });
    expect(await decide(campaign._id, 'allowed')).toMatchObject({ ok: true, value: { no_plan: 'building' } });
    expect(world.neighbours.begun).toContain(campaign.ws);
  });

  it.each([
    ['one that was decided', { no_plan: 'building' as const }],
    ['one that has its plan', { no_plan: null, plan_id: randomUUID() }],
    ['one in the archive', { archived_at: NOW }],
  ])('refuses %s, and changes nothing', async (_name, over) => {
    const campaign = await underReview(over);
    const before = await world.documents(campaign.ws);
    expect(await decide(campaign._id, 'allowed')).toMatchObject({
      ok: false,
      error: { code: 'conflict', details: { reason: 'bad_state' } },
    });
    expect(await world.documents(campaign.ws)).toEqual(before);
  });

  it('decides once when two leads decide at the same time', async () => {
    const campaign = await underReview();
    const answers = await Promise.all([decide(campaign._id, 'allowed'), decide(campaign._id, 'allowed')]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect((await world.deps.campaigns.byId(campaign.ws, campaign._id))?.rev).toBe(2);
  });
});
