import { proves } from '@cds/contracts/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aLine, aUnit, NOW } from '../test/builders.js';
import { aWorld, brand, type World } from '../test/world.js';

const TO = { start: '2027-01-04', end: '2027-01-10' };

describe('plan_move_dates', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld('plan_move_dates');
  });
  afterAll(() => world.drop());

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

  it.each<[string, Parameters<World['planned']>[0], { start: string; end: string }, string]>([
    ['a signed plan', { plan: { status: 'approved', approved_at: NOW } }, TO, 'plan_signed'],
    ['a plan that the team wrote', { plan: { written_by: 'team' } }, TO, 'plan_signed'],
    ['an archived campaign', { campaign: { archived_at: NOW } }, TO, 'archived'],
    ['a key without a mandate', { ctx: brand({ mandate: null }) }, TO, 'no_mandate'],
    ['a start before today', {}, { start: '2026-11-20', end: '2026-12-20' }, 'bad_dates'],
    ['an end before the start', {}, { start: '2026-12-20', end: '2026-12-19' }, 'bad_dates'],
    ['a window longer than a year', {}, { start: '2026-12-20', end: '2027-12-21' }, 'bad_dates'],
  ])('refuses %s and changes nothing', async (_name, of, to, reason) => {
    proves('dates.bad-dates', 'dates.plan-signed');
    const { ctx, plan } = await world.planned({ ...of, units: [aUnit()] });
    const before = await world.documents(plan.ws);
    expect((await world.error('plan_move_dates', ctx, { id: plan._id, ...to })).details).toMatchObject({ reason });
    expect(await world.documents(plan.ws)).toEqual(before);
  });

  it('refuses to put two posts of one creator on one day', async () => {
    proves('dates.same-day');
    const unit = aUnit();
    const lines = [aLine(unit), aLine(unit, { scheduled_date: '2026-12-08' })];
    const { ctx, plan } = await world.planned({ units: [unit], lines });
    expect(
      (await world.error('plan_move_dates', ctx, { id: plan._id, start: '2026-12-01', end: '2026-12-01' })).details,
    ).toMatchObject({ reason: 'same_day' });
  });
});
