import { proves } from '@cds/contracts/testing';
import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { aLine, aUnit } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand, type World } from '../test/world.js';

const world = testWorld('plan_edits');

describe('plan_swap_creator', () => {
  const selling = (over: Parameters<typeof aUnit>[0] = {}) => {
    const unit = aUnit(over);
    world.neighbours.units.set(unit.unit_id, unit);
    return unit;
  };
  const swap = (of: Awaited<ReturnType<World['planned']>>, unitId: string, lineId = of.plan.lines[0]?.id ?? '') =>
    world.call('plan_swap_creator', again(of.ctx), { id: of.plan._id, line_id: lineId, unit_id: unitId });

  it('puts the new creator on the removed line’s day under a new line id', async () => {
    proves('swap.both-or-neither', 'swap.current-price', 'swap.answer');
    const of = await world.planned({ units: [aUnit({ price_cents: 40_000 }), aUnit({ price_cents: 60_000 })] });
    const unit = selling({ price_cents: 50_000 });
    const answer = await swap(of, unit.unit_id);
    if (!answer.ok) throw new Error(answer.error.message);
    const { line_id, removed_line_id, plan } = answer.value;
    expect(answer.status).toBe(200);
    expect(removed_line_id).toBe(of.plan.lines[0]?.id);
    expect(plan).toMatchObject({ version: 2, total_cents: 110_000 });
    const stored = await world.deps.plans.byId(of.plan.ws, of.plan._id);
    expect(stored?.lines.map((line) => line.id)).toEqual([line_id, of.plan.lines[1]?.id]);
    expect(stored?.lines[0]).toMatchObject({ unit_id: unit.unit_id, scheduled_date: '2026-12-01' });
  });

  it('always takes a creator at or under the removed price, even on a plan at its budget', async () => {
    proves('swap.cheaper-always-fits');
    const of = await world.planned({
      ctx: brand({ mandate: aMandate({ max_plan_cents: 1 }) }),
      units: [aUnit({ price_cents: 40_000 })],
      campaign: { budget_cents: 40_000 },
    });
    expect((await swap(of, selling({ price_cents: 40_000 }).unit_id)).ok).toBe(true);
  });
});

const TO = { start: '2027-01-04', end: '2027-01-10' };

describe('plan_move_dates', () => {
  it('moves window, campaign and posts together and publishes both (I24)', async () => {
    proves('dates.window-moves', 'dates.posts-follow');
    const units = [aUnit(), aUnit()];
    const lines = units.map((unit, index) =>
      aLine(unit, { scheduled_date: index === 0 ? '2026-12-01' : '2026-12-15' }),
    );
    const { ctx, plan, campaign } = await world.planned({ units, lines });
    const value = await world.value('plan_move_dates', ctx, { id: plan._id, ...TO });
    expect(value).toMatchObject({
      lines_moved: 2,
      plan: { version: 2, launch_window_start: '2027-01-04', launch_window_end: '2027-01-10' },
    });
    expect(value.plan.lines.map((line) => line.scheduled_date)).toEqual(['2027-01-04', '2027-01-10']);
    expect(await world.deps.campaigns.byId(plan.ws, campaign._id)).toMatchObject({
      rev: 2,
      window_start: '2027-01-04',
      window_end: '2027-01-10',
    });
    const events = await world.shell.outbox.rows.find({ 'payload.workspace': plan.ws }).sort({ subject: 1 }).toArray();
    expect(events.map((event) => `${event.subject} ${event.version}`)).toEqual([
      'evt.planning.campaign.changed 2',
      'evt.planning.plan.changed 2',
    ]);
  });

  it('counts only the posts whose date changed, and never reprices', async () => {
    proves('dates.lines-moved', 'dates.prices-stay');
    const units = [aUnit({ price_cents: 40_000 })];
    const { ctx, plan } = await world.planned({ units });
    const [unit] = units;
    if (unit !== undefined) world.neighbours.units.set(unit.unit_id, { ...unit, price_cents: 41_000 });
    const value = await world.value('plan_move_dates', ctx, { id: plan._id, start: '2026-12-01', end: '2026-12-10' });
    expect(value).toMatchObject({ lines_moved: 0, plan: { version: 2, total_cents: 40_000 } });
  });
});

describe('plan_remove_creator', () => {
  it('drops the line and answers the plan without it', async () => {
    const { ctx, plan } = await world.planned({
      units: [aUnit({ price_cents: 40_000 }), aUnit({ price_cents: 60_000 })],
    });
    const [gone, kept] = plan.lines;
    const value = await world.value('plan_remove_creator', ctx, { id: plan._id, line_id: gone?.id ?? '' });
    expect(value).toMatchObject({
      removed_line_id: gone?.id,
      plan: { version: 2, total_cents: 60_000, lines: [{ id: kept?.id }] },
    });
    expect((await world.deps.plans.byId(plan.ws, plan._id))?.lines.map((line) => line.id)).toEqual([kept?.id]);
  });

  it('keeps one line when both are dropped at once (I25)', async () => {
    proves('remove.keeps-one');
    const { ctx, plan } = await world.planned({ units: [aUnit(), aUnit()] });
    const answers = await Promise.all(
      plan.lines.map((line) => world.call('plan_remove_creator', again(ctx), { id: plan._id, line_id: line.id })),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    expect((await world.deps.plans.byId(plan.ws, plan._id))?.lines).toHaveLength(1);
  });
});
