import { proves } from '@cds/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { aLine, aUnit } from '../test/builders.js';
import { testWorld } from '../test/suite.js';

const TO = { start: '2027-01-04', end: '2027-01-10' };

describe('plan_move_dates', () => {
  const world = testWorld('plan_move_dates');

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
