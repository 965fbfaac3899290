import type { Input, Output } from '@cds/contracts';
import { Failpoints } from '@cds/service';
import { describe, expect, it, jest } from '@jest/globals';
import { aSigning, aUnit, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand, type World } from '../test/world.js';
import { planSign } from './plan-sign.js';

type Planned = Awaited<ReturnType<World['planned']>>;

describe('plan_sign (docs/reliability.md#signing)', () => {
  const world = testWorld('plan_sign');

  const planned = (of: Parameters<World['planned']>[0] = {}) =>
    world.planned({ units: [aUnit({ price_cents: 40_000 }), aUnit({ price_cents: 60_000 })], ...of });
  const stored = (of: Planned) => world.deps.plans.byId(of.plan.ws, of.plan._id);
  const move = (of: Planned, line: number, over: Parameters<typeof aUnit>[0]) => {
    const unitId = of.plan.lines[line]?.unit_id ?? '';
    const unit = world.neighbours.units.get(unitId);
    if (unit !== undefined) world.neighbours.units.set(unitId, { ...unit, ...over });
  };

  it('stores verdict, plan, campaign, events and audit in one commit, with everything the order freezes', async () => {
    const of = await planned({ campaign: { open_change: true } });
    const input = aSigning(of.plan);
    const verdict = await world.value('plan_sign', of.ctx, input);
    expect(verdict).toMatchObject({
      signing_id: input.signing_id,
      kind: 'signed',
      plan_id: of.plan._id,
      order_id: input.order_id,
      total_cents: 100_000,
      approved_at: NOW.toISOString(),
      refusal: null,
      campaign: { campaign_id: of.campaign._id, campaign_number: 1, campaign: 'Acme Rocket' },
      quote: {
        status: 'approved',
        version: 1,
        terms_fingerprint: of.plan.terms_fingerprint,
        policy: {
          allowed: false,
          refusal: { code: 'conflict', reason: 'plan_signed', approved_at: NOW.toISOString() },
        },
        blocked_lines: [],
        over_budget: null,
      },
    });
    expect(verdict.lines.map((line) => [line.number, line.line_id, line.price_cents, line.slot])).toEqual(
      of.plan.lines.map((line, index) => [index + 1, line.id, line.price_cents, line.slot]),
    );

    expect(await stored(of)).toMatchObject({
      status: 'approved',
      version: 1,
      approved_at: NOW,
      order: {
        order_id: input.order_id,
        version: 0,
        total_cents: 100_000,
        currency: 'USD',
        signed_at: NOW,
        payment_state: 'unpaid',
        paid_at: null,
      },
    });
    expect(await world.deps.campaigns.byId(of.plan.ws, of.campaign._id)).toMatchObject({ rev: 2, open_change: false });
    const row = await world.deps.verdicts.byId(of.plan.ws, input.signing_id);
    expect(row?.evidence).toEqual({
      at: row?.created_at,
      budget_cents: of.campaign.budget_cents,
      lines: of.plan.lines.map((line) => ({
        line_id: line.id,
        unit_id: line.unit_id,
        scheduled_date: line.scheduled_date,
        price_cents: line.price_cents,
        current_price_cents: line.price_cents,
        on_sale: true,
      })),
    });
    const events = await world.shell.outbox.rows
      .find({ 'payload.workspace': of.plan.ws })
      .sort({ subject: 1 })
      .toArray();
    expect(events.map((event) => `${event.subject} ${event.version}`)).toEqual([
      'evt.planning.campaign.changed 2',
      'evt.planning.plan.changed 2',
    ]);
    expect(await world.shell.audit.rows.countDocuments({ ws: of.plan.ws, action: 'plan.sign' })).toBe(1);
  });

  it('answers the verdict in force when the same signing comes again, whatever changed since', async () => {
    const of = await planned();
    const input = aSigning(of.plan);
    const first = await world.value('plan_sign', of.ctx, input);
    move(of, 0, { price_cents: 99_000, buyable: false });
    expect(await world.value('plan_sign', again(of.ctx), input)).toEqual(first);
    expect(
      await world.value('plan_sign_close', again(of.ctx), { signing_id: input.signing_id, workspace: of.plan.ws }),
    ).toEqual(first);
  });

  it('does nothing for a request that arrives after the signing was closed', async () => {
    const of = await planned();
    const input = aSigning(of.plan);
    const closed = await world.value('plan_sign_close', of.ctx, {
      signing_id: input.signing_id,
      workspace: of.plan.ws,
    });
    expect(closed).toMatchObject({ kind: 'closed', plan_id: null, refusal: null, quote: null });
    expect(await world.value('plan_sign', again(of.ctx), input)).toEqual(closed);
    expect(await stored(of)).toMatchObject({ status: 'awaiting_approval', order: null });
  });

  it('respects a close that lands while prices are read', async () => {
    const of = await planned();
    const input = aSigning(of.plan);
    world.neighbours.whilePricing = async () => {
      await world.value('plan_sign_close', again(of.ctx), { signing_id: input.signing_id, workspace: of.plan.ws });
    };
    expect(await world.value('plan_sign', of.ctx, input)).toMatchObject({ kind: 'closed' });
    expect(await stored(of)).toMatchObject({ status: 'awaiting_approval' });
  });

  it('gives one of ten racing signings the plan and the others plan_signed (I15)', async () => {
    const of = await planned();
    const verdicts: Output<'plan_sign'>[] = await Promise.all(
      Array.from({ length: 10 }, () => world.value('plan_sign', again(of.ctx), aSigning(of.plan))),
    );
    const signed = verdicts.filter((verdict) => verdict.kind === 'signed');
    expect(signed).toHaveLength(1);
    expect((await stored(of))?.order?.order_id).toBe(signed[0]?.order_id);
    for (const verdict of verdicts.filter((one) => one.kind !== 'signed'))
      expect(verdict).toMatchObject({ kind: 'refused', refusal: { code: 'conflict', reason: 'plan_signed' } });
  });

  it('answers the same to ten closes and ten signs of one signing that race', async () => {
    const of = await planned();
    const input = aSigning(of.plan);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? world.value('plan_sign', again(of.ctx), input)
          : world.value('plan_sign_close', again(of.ctx), { signing_id: input.signing_id, workspace: of.plan.ws }),
      ),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect((await stored(of))?.status).toBe(answers[0]?.kind === 'signed' ? 'approved' : 'awaiting_approval');
  });

  it('stores a price move within the budget as a new version and refuses with it', async () => {
    const of = await planned();
    move(of, 0, { price_cents: 41_000 });
    const verdict = await world.value('plan_sign', of.ctx, aSigning(of.plan));
    const plan = await stored(of);
    expect(plan).toMatchObject({ status: 'awaiting_approval', version: 2, order: null });
    expect(plan?.lines[0]?.price_cents).toBe(41_000);
    expect(verdict).toMatchObject({
      kind: 'refused',
      quote: null,
      refusal: {
        code: 'conflict',
        reason: 'terms_changed',
        details: { version: 2 },
      },
    });
    expect((await world.deps.campaigns.byId(of.plan.ws, of.campaign._id))?.rev).toBe(2);
  });

  it.each<[string, Parameters<World['planned']>[0], Parameters<typeof aUnit>[0], Partial<Input<'plan_sign'>>, object]>([
    [
      'a price past the budget',
      { campaign: { budget_cents: 110_000 } },
      { price_cents: 60_000 },
      {},
      { code: 'conflict', reason: 'over_budget', details: { total_cents: 120_000, over_by_cents: 10_000 } },
    ],
    [
      'a month that is full',
      {},
      {},
      { spent_cents: 5_999_999 },
      { code: 'mandate_refused', reason: 'over_monthly_cap', details: { over_by_cents: 99_999 } },
    ],
  ])('refuses %s, stores the verdict and changes nothing else (I17)', async (_name, plan, unit, input, refusal) => {
    const of = await planned(plan);
    move(of, 0, unit);
    const before = await world.documents(of.plan.ws);
    const request = aSigning(of.plan, input);
    const verdict = await world.value('plan_sign', of.ctx, request);
    expect(verdict).toMatchObject({ kind: 'refused', refusal });
    expect(await world.documents(of.plan.ws)).toEqual(before);
    expect(await world.value('plan_sign', again(of.ctx), request)).toEqual(verdict);
  });

  it('signs the newer version after an edit in between that kept the terms', async () => {
    const of = await planned();
    world.neighbours.whilePricing = async () => {
      await world.value('plan_move_dates', again(of.ctx), { id: of.plan._id, start: '2026-12-01', end: '2026-12-20' });
    };
    const verdict = await world.value('plan_sign', of.ctx, aSigning(of.plan));
    expect(verdict).toMatchObject({
      kind: 'signed',
      quote: { version: 2, terms_fingerprint: of.plan.terms_fingerprint },
    });
    expect(await stored(of)).toMatchObject({ status: 'approved', version: 2 });
  });

  it('refuses after an edit in between that changed the terms (I28)', async () => {
    const of = await planned();
    world.neighbours.whilePricing = async () => {
      await world.value('plan_remove_creator', again(of.ctx), { id: of.plan._id, line_id: of.plan.lines[0]?.id ?? '' });
    };
    const verdict = await world.value('plan_sign', of.ctx, aSigning(of.plan));
    expect(verdict).toMatchObject({ kind: 'refused', refusal: { reason: 'terms_changed', details: { version: 2 } } });
    expect(await stored(of)).toMatchObject({ status: 'awaiting_approval', version: 2 });
  });

  it('refuses when the campaign was archived in between (I57)', async () => {
    const of = await planned();
    world.neighbours.whilePricing = async () => {
      await world.deps.campaigns.rows.updateOne(
        { _id: of.campaign._id },
        { $set: { archived_at: NOW }, $inc: { rev: 1 } },
      );
    };
    expect(await world.value('plan_sign', of.ctx, aSigning(of.plan))).toMatchObject({
      kind: 'refused',
      refusal: { reason: 'archived' },
    });
    expect(await stored(of)).toMatchObject({ status: 'awaiting_approval' });
  });

  it('reads prices again when they are older than five seconds at the commit (I14)', async () => {
    const of = await planned();
    const real = performance.now.bind(performance);
    let slept = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => real() + slept);
    world.neighbours.whilePricing = async () => {
      slept = 5_001;
      move(of, 0, { buyable: false });
    };
    const verdict = await world.value('plan_sign', of.ctx, aSigning(of.plan));
    clock.mockRestore();
    expect(verdict).toMatchObject({ kind: 'refused', refusal: { reason: 'lines_blocked' } });
  });

  it('lets only one of an edit and a signing succeed when they race', async () => {
    for (let round = 0; round < 5; round += 1) {
      const of = await planned();
      const [verdict, edit] = await Promise.all([
        world.value('plan_sign', again(of.ctx), aSigning(of.plan)),
        world.call('plan_remove_creator', again(of.ctx), { id: of.plan._id, line_id: of.plan.lines[0]?.id ?? '' }),
      ]);
      const plan = await stored(of);
      if (verdict.kind === 'signed') {
        expect(edit).toMatchObject({ ok: false, error: { details: { reason: 'plan_signed' } } });
        expect(plan).toMatchObject({ status: 'approved', version: 1 });
      } else {
        expect(verdict.refusal?.reason).toBe('terms_changed');
        expect(edit.ok).toBe(true);
        expect(plan).toMatchObject({ status: 'awaiting_approval', version: 2 });
      }
    }
  });

  it('answers 404 for a plan of another workspace, without a verdict', async () => {
    const of = await planned();
    const stranger = brand();
    const input = aSigning(of.plan);
    expect(await world.error('plan_sign', stranger, input)).toMatchObject({ code: 'not_found' });
    expect(await world.deps.verdicts.rows.countDocuments({ _id: input.signing_id })).toBe(0);
  });

  it('has stored everything or nothing when it dies at a failpoint', async () => {
    const failing = { ...world.deps, shell: { ...world.shell, failpoints: new Failpoints('') } };
    for (const [point, signed] of [
      ['sign.planning_in_tx', false],
      ['sign.planning_committed', true],
    ] as const) {
      const of = await planned();
      failing.shell.failpoints.arm(`${point}=error`);
      const input = aSigning(of.plan);
      await expect(planSign(of.ctx, input, failing)).rejects.toThrow(point);
      expect((await stored(of))?.status).toBe(signed ? 'approved' : 'awaiting_approval');
      const verdict = await world.value('plan_sign_close', again(of.ctx), {
        signing_id: input.signing_id,
        workspace: of.plan.ws,
      });
      expect(verdict.kind).toBe(signed ? 'signed' : 'closed');
    }
    const of = await planned({ plan: { status: 'approved', approved_at: NOW } });
    failing.shell.failpoints.arm('sign.planning_refused=error');
    const input = aSigning(of.plan);
    await expect(planSign(of.ctx, input, failing)).rejects.toThrow('sign.planning_refused');
    expect(await world.value('plan_sign', again(of.ctx), input)).toMatchObject({ kind: 'refused' });
  });
});
