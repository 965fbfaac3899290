import { randomUUID } from 'node:crypto';
import { proves } from '@cds/contracts/testing';
import { type Ctx, Deadline, inTx } from '@cds/service';
import { aMandate } from '@cds/service/testing';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { START_WINDOW_MS } from '../domain/constants.js';
import { A_LAUNCH, aCandidate } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand } from '../test/world.js';

const world = testWorld('create_campaign');

const INPUT = { ...A_LAUNCH, budget_usd: 1_000.5 };

describe('create_campaign', () => {
  beforeEach(() => {
    world.neighbours.candidates = [aCandidate({ price_cents: 40_000 }), aCandidate({ price_cents: 50_000 })];
    world.neighbours.catalogUnavailable = false;
  });

  it('stores campaign and plan together and answers both with the defaults', async () => {
    proves('create.defaults-named', 'create.budget-stated');
    const ctx = brand();
    const answer = await world.call('create_campaign', ctx, INPUT);
    if (!answer.ok) throw new Error(answer.error.message);
    expect(answer.status).toBe(201);
    expect(answer.value).toMatchObject({
      campaign: 'Acme, launch, December 2026',
      display_name: 'Acme Rocket',
      stage_id: 'plan_ready',
      budget_usd: 1_000.5,
      budget_cents: 100_050,
      defaults: [
        { field: 'geography', value: 'Worldwide', from: 'rule' },
        { field: 'desired_outcome', value: 'Views and sign-ups on launch day', from: 'rule' },
      ],
      no_plan: null,
      plan: {
        total_cents: 90_000,
        policy: { allowed: true, refusal: null },
        valid_while: 'terms_fingerprint_unchanged',
      },
    });
    const { value } = answer;
    expect(value.plan?.lines.map((line) => line.scheduled_date)).toEqual(['2026-12-05', '2026-12-06']);

    const campaign = await world.deps.campaigns.byId(ctx.principal.workspace, value.id);
    expect(campaign).toMatchObject({
      number: 1,
      rev: 1,
      budget_cents: 100_050,
      company: null,
      intent_status: 'ready',
      plan_id: value.plan?.plan_id,
    });
    const plan = await world.deps.plans.byId(ctx.principal.workspace, value.plan?.plan_id ?? '');
    expect(plan).toMatchObject({
      status: 'awaiting_approval',
      version: 1,
      moment_offset: 4,
      written_by: 'builder',
      terms_fingerprint: value.plan?.terms_fingerprint,
    });
    expect(plan?.lines.map((line) => line.slot)).toEqual(['Launch day, post', 'Day 2, post']);
    const events = await world.shell.outbox.rows
      .find({ 'payload.workspace': ctx.principal.workspace })
      .sort({ subject: 1 })
      .toArray();
    expect(events.map((event) => [event.subject, event.version])).toEqual([
      ['evt.planning.campaign.changed', 1],
      ['evt.planning.plan.changed', 1],
    ]);
    expect(
      await world.shell.audit.rows.countDocuments({ ws: ctx.principal.workspace, action: 'campaign.create' }),
    ).toBe(1);
  });

  it('never builds past the key’s limit for one plan', async () => {
    const ctx = brand({ mandate: aMandate({ max_plan_cents: 45_000 }) });
    const value = await world.value('create_campaign', ctx, INPUT);
    expect(value.plan?.total_cents).toBe(40_000);
  });

  it('keeps to the creators, formats and prices that the brand asks for', async () => {
    const [excluded, dear, kept] = [10_000, 30_000, 15_000].map((price_cents) => aCandidate({ price_cents }));
    world.neighbours.candidates = [excluded, dear, kept].flatMap((one) => one ?? []);
    const ctx = brand();
    const selection = { max_creators: 3, formats: ['post' as const, 'quote' as const] };
    const { plan, id } = await world.value('create_campaign', ctx, {
      ...INPUT,
      ...selection,
      max_price_usd: 170,
      exclude_creator_ids: [excluded?.creator_id.toUpperCase() ?? ''],
      launch_post_url: 'https://x.com/acme/status/1',
    });
    expect(plan?.lines.map(({ creator_id }) => creator_id)).toEqual([kept?.creator_id]);
    expect(await world.deps.campaigns.byId(ctx.principal.workspace, id)).toMatchObject({
      selection: { ...selection, max_price_cents: 17_000, exclude_creator_ids: [excluded?.creator_id] },
      launch_post_url: 'https://x.com/acme/status/1',
    });

    const none = await world.value('create_campaign', again(ctx), { ...INPUT, max_price_usd: 1 });
    expect(none.no_plan).toMatchObject({ reason: 'no_candidates', message: expect.stringContaining('max_price_usd') });
    expect(none.notes).toMatchObject([{ kind: 'no_plan' }]);
  });

  it('notes creators who are in another plan at the time, until that is archived', async () => {
    const ctx = brand();
    const first = await world.value('create_campaign', ctx, INPUT);
    const second = await world.value('create_campaign', again(ctx), INPUT);
    const noteOf = async () =>
      (await world.value('plan_quote', again(ctx), { id: second.plan?.plan_id ?? '' })).notes?.find(
        ({ kind }) => kind === 'also_in_other_plan',
      );
    const alike = ({ notes }: { notes?: { kind: string }[] | undefined }) =>
      notes?.map(({ kind }) => kind).includes('also_in_other_plan');
    expect([alike(first), alike(second), second.plan && alike(second.plan)]).toEqual([false, true, true]);
    expect((await noteOf())?.text).toMatch(
      /^2 creators are also in another plan .*: “Acme, launch, December 2026” \([0-9a-f-]{36}\)\.$/,
    );
    expect(
      (await world.value('campaign_status', again(ctx), { id: second.id })).notes?.map(({ kind }) => kind),
    ).toContain('also_in_other_plan');
    await world.deps.campaigns.rows.updateOne({ _id: first.id }, { $set: { archived_at: ctx.now } });
    expect(await noteOf()).toBeUndefined();
  });

  it('refuses values that cannot be used before it asks for a mandate', async () => {
    const { audience: _left, ...input } = INPUT;
    const error = await world.error('create_campaign', brand({ mandate: null }), {
      ...input,
      window_start: '2026-11-20',
    });
    expect(error).toMatchObject({ code: 'unprocessable' });
    expect(error.details).toMatchObject({ problems: [{ field: 'audience' }, { field: 'window_start' }] });
  });

  it.each([
    ['no_mandate', null],
    ['mandate_expired', aMandate({ expires_at: '2026-11-21T12:00:00.000Z' })],
    ['channel_not_allowed', aMandate({ channels: ['reddit'] })],
  ])('refuses %s and stores nothing', async (reason, mandate) => {
    const ctx = brand({ mandate });
    const error = await world.error('create_campaign', ctx, INPUT);
    expect(error).toMatchObject({ code: 'mandate_refused', details: { reason, escalate: true } });
    expect(await world.deps.campaigns.rows.countDocuments({ ws: ctx.principal.workspace })).toBe(0);
  });

  it.each([
    ['no_candidates', []],
    ['budget_too_small', [aCandidate({ price_cents: 100_051 })]],
  ])('stores the campaign without a plan for %s', async (reason, candidates) => {
    world.neighbours.candidates = candidates;
    const value = await world.value('create_campaign', brand(), INPUT);
    expect(value).toMatchObject({ stage_id: 'draft', plan: null, no_plan: { reason } });
    expect((await world.deps.campaigns.rows.findOne({ _id: value.id }))?.build?.retry_at).toEqual(
      new Date('2026-11-22T06:00:00.000Z'),
    );
  });

  it.each([
    ['category_banned', { product: 'Our new vodka' }],
    ['category_banned', { category: 'gambling' as const }],
    ['category_review', { moment: 'The token sale opens' }],
    ['category_review', { product: 'Toys', category: 'other' as const }],
  ])('stores the campaign without a plan for %s, which counts as a start', async (reason, over) => {
    const ctx = brand();
    const value = await world.value('create_campaign', ctx, { ...INPUT, ...over });
    expect(value).toMatchObject({ stage_id: 'draft', plan: null, no_plan: { reason } });
    const { workspace } = ctx.principal;
    expect(await world.deps.campaigns.byId(workspace, value.id)).toMatchObject({ no_plan: reason, plan_id: null });
    expect((await world.deps.starts.rows.findOne({ _id: workspace }))?.at).toHaveLength(1);
  });

  it('screens by the context’s summary of the company, unless another company is named', async () => {
    const ctx = brand();
    const { workspace } = ctx.principal;
    const context = { workspace, workspace_name: 'Acme', name: 'Acme', summary: 'A sportsbook.', audience: null };
    await world.value('context_set', again(ctx), context);
    expect((await world.value('create_campaign', again(ctx), INPUT)).no_plan).toMatchObject({
      reason: 'category_banned',
    });
    expect((await world.value('create_campaign', again(ctx), { ...INPUT, company: 'Orbit' })).no_plan).toBeNull();
  });

  it('stores the campaign as building while catalog does not answer', async () => {
    world.neighbours.catalogUnavailable = true;
    const ctx = brand({ sandbox: true });
    const value = await world.value('create_campaign', ctx, INPUT);
    expect(value).toMatchObject({ stage_id: 'draft', plan: null, no_plan: { reason: 'building' } });
    expect(await world.deps.campaigns.byId(ctx.principal.workspace, value.id)).toMatchObject({
      no_plan: 'building',
      build: { max_plan_cents: 2_500_000, sandbox: true, retry_at: null },
    });
  });

  it('starts three campaigns in 24 hours, and says when the limit reopens (I37)', async () => {
    const ctx = brand();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => world.call('create_campaign', again(ctx), INPUT)),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(3);
    const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]));
    for (const error of refused)
      expect(error).toMatchObject({ code: 'rate_limited', details: { reason: 'daily_campaign_limit', limit: 3 } });
    const details = refused[0]?.details as { resets_at: string; retry_after: number };
    const starts = await world.deps.starts.rows.findOne({ _id: ctx.principal.workspace });
    expect(details.resets_at).toBe(new Date((starts?.at[0]?.getTime() ?? 0) + 86_400_000).toISOString());
    expect(details.retry_after).toBeGreaterThan(86_390);
    const campaigns = await world.deps.campaigns.rows.find({ ws: ctx.principal.workspace }).toArray();
    expect(campaigns.map((campaign) => campaign.number).sort((one, other) => one - other)).toEqual([1, 2, 3]);
  });

  it('starts 40 campaigns of a sandbox between two resets, and any number of a live workspace', async () => {
    const { starts } = world.deps;
    const after = async (n: number, of: { sandbox: boolean }) => {
      const ctx = brand(of);
      const _id = ctx.principal.workspace;
      await starts.rows.insertOne({ _id, ws: _id, at: [], n, granted: false, oldest: null, asked_at: ctx.now });
      return { ctx, answer: await world.call('create_campaign', ctx, INPUT) };
    };
    expect((await after(39, { sandbox: true })).answer.ok).toBe(true);
    expect((await after(4_000, { sandbox: false })).answer.ok).toBe(true);
    const { ctx, answer } = await after(40, { sandbox: true });
    expect(answer).toMatchObject({ ok: false, error: { details: { reason: 'sandbox_full', limit: 40 } } });
    expect(await world.deps.campaigns.rows.countDocuments({ ws: ctx.principal.workspace })).toBe(0);
    expect((await starts.rows.findOne({ _id: ctx.principal.workspace }))?.n).toBe(40);

    await inTx(world.store, Deadline.in(20_000), (tx) => starts.restart(tx, ctx.principal.workspace));
    expect(await starts.live(ctx)).toEqual([]);
    expect((await world.call('create_campaign', again(ctx), INPUT)).ok).toBe(true);
  });

  it('keeps a sandbox’s overrides out of other workspaces', async () => {
    const candidate = aCandidate({ price_cents: 40_000 });
    world.neighbours.candidates = [candidate];
    const sandbox = brand({ sandbox: true });
    const unitId = candidate.units[0]?.unit_id ?? randomUUID();
    await world.deps.overrides.rows.insertOne({
      _id: `${sandbox.principal.workspace}|${unitId}`,
      ws: sandbox.principal.workspace,
      unit_id: unitId,
      price_cents: 12_300,
      age_days: null,
      off_sale: false,
    });
    expect((await world.value('create_campaign', sandbox, INPUT)).plan?.total_cents).toBe(12_300);
    expect((await world.value('create_campaign', brand(), INPUT)).plan?.total_cents).toBe(40_000);
  });
});

describe('start_limits', () => {
  beforeAll(() => {
    world.neighbours.candidates = [aCandidate({ price_cents: 40_000 })];
  });

  it('counts the starts of the last 24 hours, and says what the refusal says', async () => {
    const ctx = brand();
    const pool = async () => (await world.value('start_limits', again(ctx), {})).limits[0];
    expect(await pool()).toMatchObject({ name: 'daily_campaign_limit', limit: 3, left: 3, resets_at: null });

    for (const left of [2, 1, 0]) {
      expect(await world.call('create_campaign', again(ctx), INPUT)).toMatchObject({ ok: true });
      expect(await pool()).toMatchObject({ limit: 3, left });
    }
    const refused = await world.error('create_campaign', again(ctx), INPUT);
    expect(refused).toMatchObject({ code: 'rate_limited', details: { reason: 'daily_campaign_limit', limit: 3 } });
    expect((await pool())?.resets_at).toBe(refused.details?.['resets_at']);
  });

  it.each([
    ['expire by the clock of a sandbox that was advanced', true],
    ['do not expire by the clock of a request to a live workspace', false],
  ])('starts %s', async (_title, sandbox) => {
    const ctx = brand({ sandbox });
    const later = (ms: number) => ({ ...again(ctx), now: new Date(ctx.now.getTime() + ms) });
    const left = async (at: Ctx) => (await world.value('start_limits', at, {})).limits[0]?.left;
    for (let n = 0; n < 3; n += 1) await world.value('create_campaign', again(ctx), INPUT);
    expect([await left(later(START_WINDOW_MS - 1)), await left(later(START_WINDOW_MS))]).toEqual([0, sandbox ? 3 : 0]);
    expect((await world.call('create_campaign', later(START_WINDOW_MS - 1), INPUT)).ok).toBe(false);
    expect((await world.call('create_campaign', later(START_WINDOW_MS), INPUT)).ok).toBe(sandbox);
  });
});

describe('campaign_input_problems', () => {
  it('names an audience that the company context lacks too, and a window that is not possible today', async () => {
    const ctx = brand();
    const sent = { goal: 7, window_start: '2026-11-20', window_end: '2026-11-19' };
    const fields = async (of: Record<string, unknown>) =>
      (await world.value('campaign_input_problems', again(ctx), { sent: of })).problems.map(({ field }) => field);
    expect(await fields(sent)).toEqual(['audience', 'window_start', 'window_end']);
    expect(await fields({ ...sent, audience: 5, window_start: 'x' })).toEqual([]);

    await world.value('context_set', again(ctx), {
      workspace: ctx.principal.workspace,
      workspace_name: 'Acme',
      name: 'Acme',
      summary: null,
      audience: 'Founders of software companies',
    });
    expect(await fields(sent)).toEqual(['window_start', 'window_end']);
  });
});
